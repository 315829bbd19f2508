import {
  isOptionKey,
  OPTION_DEFINITIONS,
  OPTION_KEYS,
  type OptionDefinition,
  type OptionKey,
  type updateOption as updateOptionCall,
} from "@one-api/contract/option";
import type { z } from "zod";
import { AppError } from "../../core/app-error.ts";
import { recordAudit } from "../../core/audit.ts";
import { type CallContext, requireActor } from "../../core/call-context.ts";
import { MASKED } from "../../core/mask-secrets.ts";
import { inTransaction, type Queryable } from "../../core/transaction.ts";
import { checkOptionNeeds } from "./check-option-needs.ts";
import { isSecretOption, type LoadedOptionStore } from "./create-option-store.ts";
import { maySetOption } from "./option.policy.ts";
import { holdStoredOptions, renewOptionsVersion, saveOption } from "./option.repository.ts";
import { readOption } from "./read-option.ts";

/**
 * Checks and stores one option; it is in force when the promise resolves. Throws `option-unknown`, `option-root-only`, the refusals of
 * reading its value, and those of what it needs or is needed by.
 */
export async function updateOption(
  context: CallContext,
  options: LoadedOptionStore,
  { key, value }: z.output<(typeof updateOptionCall)["body"]>,
): Promise<void> {
  if (!isOptionKey(key))
    throw new AppError("option-unknown", `There is no option ${key}.`, { field: "key", values: { option: key } });
  if (!maySetOption(requireActor(context), key, options.flag("RootOnlySettings"))) {
    const message = `Only the super administrator may set ${key}.`;
    throw new AppError("option-root-only", message, { values: { option: key } });
  }
  await storeOption(context, key, readOption(key, value).text);
  await options.reload();
  context.changes.announce("options");
}

async function storeOption(context: CallContext, key: OptionKey, text: string): Promise<void> {
  const secret = isSecretOption(key);
  const sealed = secret && text !== "" ? context.secrets.seal("option", text) : text;
  await inTransaction(context.database, async (transaction) => {
    const stored = new Map((await holdStoredOptions(transaction)).map((option) => [option.key, option.value]));
    checkOptionNeeds(key, text, stored);
    await saveOption(transaction, { key, value: sealed });
    await renewOptionsVersion(transaction);
    const before = stored.get(key);
    const detail = {
      value: secret
        ? { from: mask(before), to: mask(sealed) }
        : { from: before ?? OPTION_DEFINITIONS[key].default, to: text },
    };
    await recordAudit(transaction, context, { action: "option.update", object: `option:${key}`, detail });
    if (text !== (before ?? OPTION_DEFINITIONS[key].default))
      await forgetSecretsSentTo(transaction, context, key, stored);
  });
}

/** A secret for one server must not be sent to another: whoever changes the address types it again. */
async function forgetSecretsSentTo(
  transaction: Queryable,
  context: CallContext,
  address: OptionKey,
  stored: ReadonlyMap<string, string>,
): Promise<void> {
  for (const key of OPTION_KEYS) {
    const { sentTo }: OptionDefinition = OPTION_DEFINITIONS[key];
    if (sentTo !== address || (stored.get(key) ?? "") === "") continue;
    await saveOption(transaction, { key, value: "" });
    const detail = { value: { from: mask(stored.get(key)), to: "" }, because: address };
    await recordAudit(transaction, context, { action: "option.update", object: `option:${key}`, detail });
  }
}

function mask(stored: string | undefined): string {
  return stored === undefined || stored === "" ? "" : MASKED;
}
