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
import { MASKED } from "../../platform/logging/mask-secrets.ts";
import type { OptionTexts } from "../../core/option-store.ts";
import { inTransaction, type Queryable } from "../../core/transaction.ts";
import { checkOptionNeeds } from "./check-option-needs.ts";
import { isSecretOption, type LoadedOptionStore } from "./create-option-store.ts";
import { maySetOption } from "./option.policy.ts";
import { holdStoredOptions, renewOptionsVersion, saveOption } from "./option.repository.ts";
import { tidyNewOption } from "./tidy-new-option.ts";

/** Says what else the audit trail should tell of an option that changes, before it does. */
type DescribeChange = (
  transaction: Queryable,
  change: { readonly key: OptionKey; readonly from: string; readonly to: string },
) => Promise<Readonly<Record<string, unknown>>>;

/** Refuses a change for what it would do elsewhere, before it is stored. `after` has the options as they would be. */
type CheckChange = (
  transaction: Queryable,
  key: OptionKey,
  change: { readonly before: OptionTexts; readonly after: OptionTexts },
) => Promise<void>;

/** What the options' calls work on. */
export interface OptionCallDeps {
  readonly options: LoadedOptionStore;
  readonly describeChange: DescribeChange;
  readonly checkChange: CheckChange;
  /** The environment names a Redis server. */
  readonly hasRedis: boolean;
}

/**
 * Checks and stores one option; it is in force when the promise resolves. Throws `option-unknown`, `option-root-only`, the refusals of
 * reading its value, and those of what it needs or is needed by.
 */
export async function updateOption(
  context: CallContext,
  { options, describeChange, checkChange, hasRedis }: OptionCallDeps,
  { key, value }: z.output<(typeof updateOptionCall)["body"]>,
): Promise<void> {
  if (!isOptionKey(key))
    throw new AppError("option-unknown", `There is no option ${key}.`, { field: "key", values: { option: key } });
  if (!maySetOption(requireActor(context), key, options.flag("RootOnlySettings"))) {
    const message = `Only the super administrator may set ${key}.`;
    throw new AppError("option-root-only", message, { values: { option: key } });
  }
  const text = tidyNewOption(key, value);
  if (key === "CacheChannelEnabled" && text === "true" && !hasRedis) throw needsRedis(key);
  await storeOption(context, { key, text }, { describeChange, checkChange });
  await options.reload();
  context.changes.announce("options");
}

function needsRedis(option: OptionKey): AppError {
  const missing = "REDIS_URL";
  return new AppError("option-needs", `Set ${missing} in the environment before turning on ${option}.`, {
    field: "value",
    values: { option, missing },
  });
}

async function storeOption(
  context: CallContext,
  { key, text }: { readonly key: OptionKey; readonly text: string },
  { describeChange, checkChange }: Pick<OptionCallDeps, "describeChange" | "checkChange">,
): Promise<void> {
  const secret = isSecretOption(key);
  const sealed = secret && text !== "" ? context.secrets.seal("option", text) : text;
  await inTransaction(context.database, async (transaction) => {
    const stored = new Map((await holdStoredOptions(transaction)).map((option) => [option.key, option.value]));
    checkOptionNeeds(key, text, stored);
    const after = textsOf(new Map([...stored, [key, text]]));
    await checkChange(transaction, key, { before: textsOf(stored), after });
    await saveOption(transaction, { key, value: sealed });
    await renewOptionsVersion(transaction);
    const before = stored.get(key) ?? OPTION_DEFINITIONS[key].default;
    const detail = secret
      ? { value: { from: mask(before), to: mask(sealed) } }
      : { value: { from: before, to: text }, ...(await describeChange(transaction, { key, from: before, to: text })) };
    await recordAudit(transaction, context, { action: "option.update", object: `option:${key}`, detail });
    if (text !== before) await forgetSecretsSentTo(transaction, context, key, stored);
  });
}

/** Reads switches and texts out of what is stored. */
function textsOf(stored: ReadonlyMap<string, string>): OptionTexts {
  const text = (key: OptionKey) => stored.get(key) ?? OPTION_DEFINITIONS[key].default;
  return { text, flag: (key) => text(key) === "true" };
}

/** A secret for one server must not be sent to another: whoever changes the address types it again. */
async function forgetSecretsSentTo(
  transaction: Queryable,
  context: CallContext,
  address: OptionKey,
  stored: ReadonlyMap<string, string>,
): Promise<void> {
  for (const key of OPTION_KEYS) {
    const { sentTo = [] }: OptionDefinition = OPTION_DEFINITIONS[key];
    if (!sentTo.includes(address) || (stored.get(key) ?? "") === "") continue;
    await saveOption(transaction, { key, value: "" });
    const detail = { value: { from: mask(stored.get(key)), to: "" }, because: address };
    await recordAudit(transaction, context, { action: "option.update", object: `option:${key}`, detail });
  }
}

function mask(stored: string | undefined): string {
  return stored === undefined || stored === "" ? "" : MASKED;
}
