import type { Option } from "@one-api/contract/options/option";
import { OPTION_DEFINITIONS, OPTION_KEYS, type OptionKey } from "@one-api/contract/options/option-definitions";
import type { OpenDatabase } from "@one-api/database/open-database";
import type { Logger } from "pino";
import type { ChangeFeed } from "../../core/change-feed.ts";
import type { OptionStore, RatioTable } from "../../core/option-store.ts";
import { placeOf, type Secrets } from "../../core/secrets.ts";
import { findOptionsVersion, listStoredOptions } from "./option.repository.ts";
import { type OptionValue, type ParsedOption, readOption } from "./read-option.ts";

export interface LoadedOptionStore extends OptionStore {
  list(): { readonly key: OptionKey; readonly value: string }[];
  listSetSecrets(): OptionKey[];
  reload(): Promise<void>;
  followOthers(): Promise<void>;
}

interface OptionStoreDeps {
  readonly database: OpenDatabase;
  readonly secrets: Secrets;
  readonly changes: ChangeFeed;
  readonly log: Logger;
}

/**
 * Loads the options and reloads them after each change. A stored value that cannot be read is logged, and the
 * previous value stays in force.
 */
export async function createOptionStore({
  database,
  secrets,
  changes,
  log,
}: OptionStoreDeps): Promise<LoadedOptionStore> {
  let options = new Map<OptionKey, ParsedOption>(
    OPTION_KEYS.map((key) => [key, readOption(key, OPTION_DEFINITIONS[key].default)]),
  );
  let generation = 0;
  let loads = 0;
  let newestLoad: Promise<void> | undefined;
  let version: string | undefined;

  function reload(): Promise<void> {
    loads += 1;
    newestLoad = load(loads);
    return newestLoad;
  }

  async function load(number: number): Promise<void> {
    // Read before the rows: if a change falls between, the rows are read once more.
    const versionOfRows = await findOptionsVersion(database.db);
    const rows = await listStoredOptions(database.db);
    // A later load has newer rows and is awaited instead.
    if (number !== loads) return newestLoad;
    options = readAll(rows, options, { secrets, log });
    generation += 1;
    version = versionOfRows;
  }

  async function followOthers(): Promise<void> {
    if ((await findOptionsVersion(database.db)) === version) return;
    await reload();
    changes.announce("options");
  }

  await reload();
  changes.subscribe("options", () => {
    reload().catch((error: unknown) => log.error({ err: error }, "the options could not be loaded again"));
  });

  const valueOf = (key: OptionKey): OptionValue | undefined => options.get(key)?.value;
  return {
    flag: (key) => valueOf(key) === true,
    number: (key) => expectType(key, valueOf(key), (value) => typeof value === "number"),
    text: (key) => expectType(key, valueOf(key), (value) => typeof value === "string"),
    secret: (key) => expectType(key, valueOf(key), (value) => typeof value === "string"),
    ratios: (key) => expectType(key, valueOf(key), (value): value is RatioTable => value instanceof Map),
    prices: (key) => expectType(key, valueOf(key), isPriceTable).prices,
    generation: () => generation,
    list: () => [...options].filter(([key]) => !isSecretOption(key)).map(([key, { text }]) => ({ key, value: text })),
    listSetSecrets: () => [...options].flatMap(([key, { text }]) => (isSecretOption(key) && text !== "" ? [key] : [])),
    reload,
    followOthers,
  };
}

export function isSecretOption(key: OptionKey): boolean {
  return OPTION_DEFINITIONS[key].kind === "secret";
}

function readAll(
  rows: readonly Option[],
  before: ReadonlyMap<OptionKey, ParsedOption>,
  { secrets, log }: Pick<OptionStoreDeps, "secrets" | "log">,
): Map<OptionKey, ParsedOption> {
  const options = new Map<OptionKey, ParsedOption>();
  const stored = new Map(rows.map(({ key, value }) => [key, value]));
  for (const key of OPTION_KEYS) {
    const text = stored.get(key);
    try {
      const clear =
        text !== undefined && text !== "" && isSecretOption(key)
          ? secrets.open("option", text, placeOf("options", key))
          : text;
      options.set(key, readOption(key, clear ?? OPTION_DEFINITIONS[key].default));
    } catch (error) {
      log.warn({ option: key, err: error }, "a stored option cannot be read; the value before it stays in force");
      const previous = before.get(key);
      if (previous !== undefined) options.set(key, previous);
    }
  }
  return options;
}

function isPriceTable(value: OptionValue): value is Extract<OptionValue, { readonly prices: unknown }> {
  return typeof value === "object" && "prices" in value;
}

function expectType<Type extends OptionValue>(
  key: OptionKey,
  value: OptionValue | undefined,
  isType: (value: OptionValue) => value is Type,
): Type {
  if (value === undefined || !isType(value)) throw new Error(`The option ${key} is read as another kind than its own.`);
  return value;
}
