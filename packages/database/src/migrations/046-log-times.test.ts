import assert from "node:assert/strict";
import { it } from "node:test";
import { sql } from "kysely";
import { connectDatabase } from "../connect-database.ts";
import { migrate } from "../migrate.ts";
import { createTestDatabase, DATABASE_KINDS, whyMissing } from "../test-databases.ts";
import { allMigrations } from "./all-migrations.ts";

for (const kind of DATABASE_KINDS) {
  const options = { skip: whyMissing(kind) ?? false };
  it(`leaves an entry of the log two indexes to be written into on ${kind}`, options, async (t) => {
    const made = await createTestDatabase(kind);
    const database = await connectDatabase(made.location);
    t.after(async () => {
      await database.close();
      await made.remove();
    });
    const indexes = async () => {
      const { rows } = await (
        kind === "sqlite"
          ? sql<{ name: string }>`select name from sqlite_master where type = 'index' and tbl_name = 'logs'`
          : sql<{
              name: string;
            }>`select indexname as name from pg_indexes where tablename = 'logs' and indexname <> 'logs_pkey'`
      ).execute(database.db);
      return rows.map(({ name }) => name).toSorted();
    };
    await migrate(
      database,
      allMigrations.filter(({ number }) => number < 46),
    );
    assert.ok((await indexes()).includes("logs_created_at_index"));
    await migrate(database);
    // A charge stands in one of these two, and a refund in the other.
    assert.deepEqual(await indexes(), ["logs_charged_request_unique", "logs_refunded_request_unique"]);
  });
}
