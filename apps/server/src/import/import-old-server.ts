import { existsSync, realpathSync } from "node:fs";
import path from "node:path";
import { connectDatabase } from "@one-api/database/connect-database";
import { SQLITE_FILE } from "@one-api/database/dialects/sqlite-folder";
import { migrate } from "@one-api/database/migrate";
import { type Config, StartError } from "../config.ts";
import { contextOfGateway } from "../core/call-context.ts";
import { createChangeFeed } from "../core/change-feed.ts";
import { type Clock, nowSeconds } from "../platform/clock.ts";
import { hasRunningServer } from "../core/running-server.ts";
import { createPasswordHasher } from "../features/users/index.ts";
import { openSecrets } from "../open-secrets.ts";
import { gatewayRules } from "./gateway-rules.ts";
import { balancesOf } from "@one-api/importer/money/compare-balances";
import { setPricesOf } from "@one-api/importer/plan-prices";
import { COMPARED_CHARGES, reportMoney } from "@one-api/importer/money/report-money";
import { reportImport } from "@one-api/importer/report-import";
import { openOldServer } from "@one-api/importer/old-server";
import { planImport } from "@one-api/importer/plan-import";
import { noEntries, planLog } from "@one-api/importer/plan-log";
import { writeImport } from "./write-import.ts";

interface ImportRequest {
  readonly source: string;
  /** Plans and reports, without a write. */
  readonly isDryRun: boolean;
  readonly log?: { readonly source: string } | "none" | undefined;
  readonly onProgress?: ((entries: number) => void) | undefined;
}

/**
 * Imports an old server into the configured database, which must be unused, in one transaction. Returns the lines of
 * the report. Throws ImportError, StartError and DatabaseStartError.
 */
export async function importOldServer(
  config: Config,
  clock: Clock,
  { source, isDryRun, log = { source }, onProgress }: ImportRequest,
): Promise<string[]> {
  const hasOwnLog = log !== "none" && log.source !== source;
  const old = await openOldServer(source, hasOwnLog ? log.source : undefined);
  try {
    const plan = planImport(old.server, gatewayRules, nowSeconds(clock));
    const tally = noEntries();
    const pages = log === "none" || old.log === undefined ? [] : countPages(old.log, onProgress);
    const entries = planLog(pages, plan, tally);
    const charges = log === "none" ? [] : await old.lastCharges(COMPARED_CHARGES);
    let balances = balancesOf(plan);
    if (isDryRun) for await (const _ of entries);
    else {
      for (const file of hasOwnLog ? [source, log.source] : [source]) refuseOwnFile(config, file);
      balances = await writeInto(config, clock, { plan, log: entries });
    }
    const here = { balances, ratios: setPricesOf(plan.settings) };
    const money = reportMoney({ old: old.server, plan, charges, here, rules: gatewayRules });
    return reportImport({ plan, log: tally, money, unread: old.server.unread }, isDryRun);
  } finally {
    await old.close();
  }
}

async function* countPages<Page extends readonly unknown[]>(
  pages: AsyncIterable<Page>,
  onProgress: ImportRequest["onProgress"],
): AsyncGenerator<Page> {
  let entries = 0;
  for await (const page of pages) {
    yield page;
    entries += page.length;
    onProgress?.(entries);
  }
}

function refuseOwnFile({ databaseUrl, dataDirectory }: Config, source: string): void {
  const own = path.join(dataDirectory, SQLITE_FILE);
  if (databaseUrl !== "" || !existsSync(own) || !existsSync(source) || realpathSync(own) !== realpathSync(source))
    return;
  throw new StartError(
    `The old database ${source} lies where the new one is to be made. Move it elsewhere, for example to old.db, and name it there.`,
  );
}

async function writeInto(
  config: Config,
  clock: Clock,
  brought: Parameters<typeof writeImport>[1],
): ReturnType<typeof writeImport> {
  const database = await connectDatabase(config);
  try {
    await migrate(database);
    if (await hasRunningServer(database))
      throw new StartError(
        "A server runs on this database, or ended less than a minute ago. Stop it, and try again then.",
      );
    const secrets = await openSecrets(config, database);
    const context = contextOfGateway({ database, clock, secrets, changes: createChangeFeed() });
    return await writeImport(context, brought, createPasswordHasher());
  } finally {
    await database.close();
  }
}
