import { connectDatabaseToRead } from "@one-api/database/connect-database";
import { DatabaseStartError } from "@one-api/database/database-errors";
import type { OpenDatabase } from "@one-api/database/open-database";
import { type BalanceDifference, checkBalances } from "@one-api/ledger/check-balances";
import { sql } from "kysely";
import { ConfigError, readConfig } from "./config.ts";
import { describeDifference } from "./describe-difference.ts";

// npm run check-balances: compares every balance with the ledger. Exit code 1 for differences, 2 if the check
// failed.

try {
  process.exitCode = await run();
} catch (error) {
  const forOperator = error instanceof ConfigError || error instanceof DatabaseStartError;
  process.stderr.write(`${forOperator ? error.message : `The balances cannot be compared: ${String(error)}`}\n`);
  process.exitCode = 2;
}

async function run(): Promise<number> {
  const database = await connectDatabaseToRead(readConfig());
  try {
    const differences = await check(database);
    for (const difference of differences) print(describeDifference(difference));
    print(
      differences.length === 0
        ? "All balances are what the ledger adds up to."
        : `${differences.length} balances DIFFER from the ledger. Nothing was changed; docs/configuration.md says what each line means.`,
    );
    return differences.length === 0 ? 0 : 1;
  } finally {
    await database.close();
  }
}

/** No statement timeout, as a long log takes minutes. */
async function check(database: OpenDatabase): Promise<readonly BalanceDifference[]> {
  if (database.kind === "sqlite") return checkBalances(database);
  return database.migrationDb
    .transaction()
    .setAccessMode("read only")
    .execute(async (transaction) => {
      await sql`set local statement_timeout = 0`.execute(transaction);
      return checkBalances({ db: transaction });
    });
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
