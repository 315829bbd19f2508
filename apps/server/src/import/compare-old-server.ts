import { parsePrices } from "@one-api/contract/prices/model-prices";
import { OPTION_RATIOS, parseRatios } from "@one-api/contract/prices/ratios";
import { isOptionKey, type OptionKey } from "@one-api/contract/options/option-definitions";
import { connectDatabaseToRead } from "@one-api/database/connect-database";
import { openOldServer } from "@one-api/importer/old-server";
import { planImport } from "@one-api/importer/plan-import";
import { setPricesOf } from "@one-api/importer/plan-prices";
import { COMPARED_CHARGES, type MoneyReport, reportMoney } from "@one-api/importer/money/report-money";
import { type Config, StartError } from "../config.ts";
import type { Queryable } from "../core/transaction.ts";
import { type Clock, nowSeconds } from "../platform/clock.ts";
import { gatewayRules } from "./gateway-rules.ts";
import { findImportTime, listPriceOptions, readBalances } from "./import.repository.ts";

interface CompareRequest {
  /** A SQLite file, `postgres://…` or `mysql://…`. */
  readonly source: string;
  /** Database of the log, by default the source; `none` compares no charges. */
  readonly log?: { readonly source: string } | "none" | undefined;
}

/**
 * Compares an old server with the configured database, into which it was imported. Writes nothing. Throws ImportError, StartError and DatabaseStartError,
 * whose messages are for the operator.
 */
export async function compareOldServer(
  config: Config,
  clock: Clock,
  { source, log = { source } }: CompareRequest,
): Promise<MoneyReport> {
  const old = await openOldServer(source, log === "none" || log.source === source ? undefined : log.source);
  try {
    const plan = planImport(old.server, gatewayRules, nowSeconds(clock));
    const charges = log === "none" ? [] : await old.lastCharges(COMPARED_CHARGES);
    const here = await readNewServer(config);
    return reportMoney({ old: old.server, plan, charges, here, rules: gatewayRules });
  } finally {
    await old.close();
  }
}

async function readNewServer(config: Config) {
  const database = await connectDatabaseToRead(config);
  try {
    if ((await findImportTime(database.db)) === undefined)
      throw new StartError("Nothing was imported into this database. Run the command without --compare first.");
    return { balances: await readBalances(database.db), ratios: setPricesOf(await readPriceTexts(database.db)) };
  } finally {
    await database.close();
  }
}

async function readPriceTexts(queryable: Queryable): Promise<ReadonlyMap<OptionKey, string>> {
  const rows = await listPriceOptions(queryable);
  const isReadable = ({ key, value }: (typeof rows)[number]) =>
    key === "ModelPrices"
      ? parsePrices(value).prices !== undefined
      : parseRatios(value, OPTION_RATIOS).entries !== undefined;
  const unreadable = rows.find((row) => !isReadable(row));
  if (unreadable !== undefined) throw new StartError(`The option ${unreadable.key} cannot be read. Save it again.`);
  return new Map(rows.flatMap(({ key, value }) => (isOptionKey(key) ? [[key, value] as const] : [])));
}
