import { isDeepStrictEqual } from "node:util";
import {
  type Configuration,
  type ConfigurationChange,
  OPTION_OF_SECTION,
} from "@one-api/contract/configuration/configuration";
import {
  isOptionKey,
  OPTION_DEFINITIONS,
  OPTION_KEYS,
  type OptionKey,
} from "@one-api/contract/options/option-definitions";
import type { OptionDefinition } from "@one-api/contract/options/define-option";
import { parsePrices } from "@one-api/contract/prices/model-prices";
import { AppError } from "../../core/app-error.ts";
import type { CallContext } from "../../core/call-context.ts";
import { placeOf, type Secrets } from "../../core/secrets.ts";
import type { Queryable } from "../../core/transaction.ts";
import { MASKED } from "../../platform/logging/mask-secrets.ts";
import { readChange } from "../audit/index.ts";
import {
  findStoredOption,
  isSecretOption,
  lockStoredOptions,
  type OptionCallDeps,
  requireMaySet,
  setOption,
  tidyNewOption,
} from "../options/index.ts";

interface WantedOption {
  readonly key: OptionKey;
  readonly text: string;
  readonly field: string;
}

/** Sets the options of the document in the transaction of the context, and returns what changed. Throws refusals with their place. */
export async function applyOptions(
  transaction: Queryable,
  context: CallContext,
  deps: OptionCallDeps,
  configuration: Configuration,
): Promise<ConfigurationChange[]> {
  const before = await readStored(transaction);
  for (const wanted of listWanted(configuration).toSorted((left, right) => rankOf(left) - rankOf(right))) {
    try {
      await setUnlessSame(transaction, context, deps, wanted);
    } catch (error) {
      throw error instanceof AppError ? at(wanted, error) : error;
    }
  }
  const after = await readStored(transaction);
  return OPTION_KEYS.flatMap((key) => describe(key, before.get(key), after.get(key)));
}

async function setUnlessSame(
  transaction: Queryable,
  context: CallContext,
  deps: OptionCallDeps,
  { key, text }: WantedOption,
): Promise<void> {
  // A comparison would confirm the guess of an actor who may not set the secret.
  if (isSecretOption(key)) requireMaySet(context, deps, key);
  const stored = await findStoredOption(transaction, key);
  const present = stored === undefined ? OPTION_DEFINITIONS[key].default : openOption(key, stored, context.secrets);
  if (!isSame(key, present, tidyNewOption(key, text))) await setOption(context, deps, { key, value: text });
}

function openOption(key: OptionKey, stored: string, secrets: Secrets): string {
  return isSecretOption(key) && stored !== "" ? secrets.open("option", stored, placeOf("options", key)) : stored;
}

function isSame(key: OptionKey, present: string, wanted: string): boolean {
  if (present === wanted) return true;
  const { kind }: OptionDefinition = OPTION_DEFINITIONS[key];
  // One price is the same as a list of it.
  if (kind === "prices") return isDeepStrictEqual(parsePrices(present), parsePrices(wanted));
  return isJson(key) && isDeepStrictEqual(readJson(present), readJson(wanted));
}

function isJson(key: OptionKey): boolean {
  const { kind, format }: OptionDefinition = OPTION_DEFINITIONS[key];
  return kind === "ratios" || format === "limits" || format === "aliases";
}

function readJson(text: string): unknown {
  return text === "" ? {} : JSON.parse(text);
}

async function readStored(transaction: Queryable): Promise<ReadonlyMap<string, string>> {
  return new Map((await lockStoredOptions(transaction)).map(({ key, value }) => [key, value]));
}

/** Switches go off first and on last, as they need other options; secrets follow their addresses, whose change deletes them. */
function rankOf({ key, text }: WantedOption): number {
  const { kind } = OPTION_DEFINITIONS[key];
  if (kind === "flag") return text === "true" ? 3 : 0;
  return kind === "secret" ? 2 : 1;
}

function listWanted({ options = {}, prices = {}, aliases, limits }: Configuration): WantedOption[] {
  const tables = { ...prices, aliases, limits };
  return [
    ...Object.entries(options).flatMap(([key, value]) =>
      isOptionKey(key) && value !== undefined ? [{ key, text: textOf(key, value), field: `options.${key}` }] : [],
    ),
    ...Object.entries(tables).flatMap(([section, table]) => {
      const key = isSection(section) ? OPTION_OF_SECTION[section] : undefined;
      if (key === undefined || table === undefined) return [];
      return [{ key, text: JSON.stringify(table), field: section in prices ? `prices.${section}` : section }];
    }),
  ];
}

function textOf(key: OptionKey, value: boolean | number | string | null): string {
  return value === null ? OPTION_DEFINITIONS[key].default : String(value);
}

function isSection(name: string): name is keyof typeof OPTION_OF_SECTION {
  return Object.hasOwn(OPTION_OF_SECTION, name);
}

function describe(key: OptionKey, before: string | undefined, after: string | undefined): ConfigurationChange[] {
  const [from, to] = [before ?? OPTION_DEFINITIONS[key].default, after ?? OPTION_DEFINITIONS[key].default];
  if (from === to) return [];
  const fields = isSecretOption(key)
    ? [{ field: "value", from: mask(from), to: mask(to) }]
    : readChange("value", from, to);
  return [{ action: "change", object: `option:${key}`, fields }];
}

function mask(sealed: string): string {
  return sealed === "" ? "" : MASKED;
}

/** The refusal of an option with its place in the document. */
function at({ field }: WantedOption, { code, message, values }: AppError): AppError {
  return new AppError(code, message, { field, ...(values === undefined ? {} : { values }) });
}
