import type { updateOption as updateOptionCall } from "@one-api/contract/option";
import type { z } from "zod";
import { AppError } from "../../core/app-error.ts";
import { recordAudit } from "../../core/audit.ts";
import { type CallContext, requireActor } from "../../core/call-context.ts";
import { inTransaction } from "../../core/transaction.ts";
import { checkOptionNeeds } from "./check-option-needs.ts";
import { isSecretOption, type LoadedOptionStore } from "./create-option-store.ts";
import { maySetOption } from "./option.policy.ts";
import { findStoredOption, saveOption } from "./option.repository.ts";
import { readOption } from "./read-option.ts";

/** Checks and stores one option; it is in force when the promise resolves. Throws `not-allowed`, `invalid-input` and `not-configured`. */
export async function updateOption(
  context: CallContext,
  options: LoadedOptionStore,
  { key, value }: z.output<(typeof updateOptionCall)["body"]>,
): Promise<void> {
  if (!maySetOption(requireActor(context), key, options.flag("RootOnlySettings"))) {
    throw new AppError("not-allowed", `Only the super administrator may set ${key}.`);
  }
  const parsed = readOption(key, value);
  checkOptionNeeds(key, parsed.value, options);
  const secret = isSecretOption(key);
  const stored = secret && parsed.text !== "" ? context.secrets.seal("option", parsed.text) : parsed.text;
  await inTransaction(context.database, async (transaction) => {
    const before = await findStoredOption(transaction, key);
    await saveOption(transaction, { key, value: stored });
    const detail = secret ? { key, from: mask(before), to: mask(stored) } : { key, from: before ?? null, to: stored };
    await recordAudit(transaction, context, { action: "option.update", object: `option:${key}`, detail });
  });
  await options.reload();
  context.changes.announce("options");
}

function mask(stored: string | undefined): string {
  return stored === undefined || stored === "" ? "" : "(secret)";
}
