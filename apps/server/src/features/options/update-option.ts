import {
  isOptionKey,
  OPTION_DEFINITIONS,
  OPTION_KEYS,
  type OptionKey,
} from "@one-api/contract/options/option-definitions";
import type { OptionDefinition } from "@one-api/contract/options/define-option";
import { type updateOption as updateOptionCall } from "@one-api/contract/options/option";
import { PRICE_KEYS } from "@one-api/contract/prices/ratios";
import type { z } from "zod";
import { AppError } from "../../core/app-error.ts";
import { nearestName } from "../../core/nearest-name.ts";
import { recordAudit } from "../../core/audit.ts";
import { type CallContext, requireActor } from "../../core/call-context.ts";
import { nowSeconds } from "../../platform/clock.ts";
import { MASKED } from "../../platform/logging/mask-secrets.ts";
import type { OptionTexts } from "../../core/option-store.ts";
import { inTransaction, type Queryable } from "../../core/transaction.ts";
import { queueAlert } from "../alerts/index.ts";
import { checkOptionNeeds } from "./check-option-needs.ts";
import { isSecretOption, type LoadedOptionStore } from "./create-option-store.ts";
import { maySetOption } from "./option.policy.ts";
import { lockStoredOptions, renewOptionsVersion, saveOption } from "./option.repository.ts";
import { tidyNewOption } from "./tidy-new-option.ts";

type DescribeChange = (
  transaction: Queryable,
  change: { readonly key: OptionKey; readonly from: string; readonly to: string },
) => Promise<Readonly<Record<string, unknown>>>;

type CheckChange = (
  transaction: Queryable,
  key: OptionKey,
  change: { readonly before: OptionTexts; readonly after: OptionTexts },
) => Promise<void>;

export interface OptionCallDeps {
  readonly options: LoadedOptionStore;
  readonly describeChange: DescribeChange;
  readonly checkChange: CheckChange;
  readonly hasRedis: boolean;
}

/**
 * Validates and stores one option, and resolves when it is in force.
 * Throws `option-unknown`, `option-root-only`, the refusals of its value, and those of dependent options.
 */
export async function updateOption(
  context: CallContext,
  deps: OptionCallDeps,
  { key, value }: z.output<(typeof updateOptionCall)["body"]>,
): Promise<void> {
  if (!isOptionKey(key)) throw optionUnknown(key);
  await setOption(context, deps, { key, value });
  await deps.options.reload();
  context.changes.announce("options");
}

function optionUnknown(key: string): AppError {
  const nearest = nearestName(key, OPTION_KEYS);
  const fix = nearest === undefined ? "" : ` Did you mean ${nearest}?`;
  return new AppError("option-unknown", `There is no option ${key}.${fix}`, { field: "key", values: { option: key } });
}

/** Validates and stores one option; the caller reloads and announces the options. Throws as `updateOption`. */
export async function setOption(
  context: CallContext,
  deps: OptionCallDeps,
  { key, value }: { readonly key: OptionKey; readonly value: string },
): Promise<void> {
  requireMaySet(context, deps, key);
  const text = tidyNewOption(key, value);
  if (key === "CacheChannelEnabled" && text === "true" && !deps.hasRedis) throw needsRedis(key);
  await storeOption(context, { key, text }, deps);
}

/** Throws `option-root-only`. */
export function requireMaySet(
  context: CallContext,
  { options }: Pick<OptionCallDeps, "options">,
  key: OptionKey,
): void {
  if (!maySetOption(requireActor(context), key, options.flag("RootOnlySettings"))) {
    const message = `Only the super administrator may set ${key}.`;
    throw new AppError("option-root-only", message, { values: { option: key } });
  }
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
    const stored = new Map((await lockStoredOptions(transaction)).map((option) => [option.key, option.value]));
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
    if (text !== before && PRICE_OPTIONS.has(key)) await alertPrices(transaction, context, key);
    if (text !== before) await forgetSecretsSentTo(transaction, context, key, stored);
  });
}

const PRICE_OPTIONS: ReadonlySet<OptionKey> = new Set(PRICE_KEYS);

async function alertPrices(transaction: Queryable, context: CallContext, what: OptionKey): Promise<void> {
  const by = context.actor?.username ?? "";
  await queueAlert(transaction, { kind: "prices-changed", what, by }, nowSeconds(context.clock));
}

function textsOf(stored: ReadonlyMap<string, string>): OptionTexts {
  const text = (key: OptionKey) => stored.get(key) ?? OPTION_DEFINITIONS[key].default;
  return { text, flag: (key) => text(key) === "true" };
}

/** A secret must not be sent to a changed address, so it is deleted and must be entered again. */
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
