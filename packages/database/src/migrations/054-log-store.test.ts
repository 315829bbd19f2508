import assert from "node:assert/strict";
import { it } from "node:test";
import { type Kysely, sql } from "kysely";
import { connectDatabase } from "../connect-database.ts";
import { migrate } from "../migrate.ts";
import { createTestDatabase, DATABASE_KINDS, whyMissing } from "../test-databases.ts";
import { sampleLog } from "../testing/sample-rows.ts";
import type { Tables } from "../tables.ts";
import { allMigrations } from "./all-migrations.ts";

const DAY = 20_000;
const SUMS = {
  refused: 0,
  errors: 0,
  cost: 0,
  unknown_requests: 0,
  unknown_quota: 0,
  prompt_tokens: 0,
  completion_tokens: 0,
};

/** The database before the log store, with three entries of which the first was cleared. */
async function addUsage(db: Kysely<Tables>): Promise<void> {
  const use = { user_id: 7, token_name: "a", model_name: "m", timed: 0, first_log: 0, ...SUMS };
  const before = db.withTables<{ usage_of_users: typeof use & { slot: number; requests: number; quota: number } }>();
  await before
    .insertInto("usage_of_users")
    .values({ ...use, slot: DAY * 48 + 5, requests: 2, quota: 30 })
    .execute();
  const pending = JSON.stringify([[7, DAY * 48 + 6, "a", "m", 1, 0, 0, 4, 2, 0, 0, 0, 0, 0, 0]]);
  await sql`insert into usage_pending (bucket, step, sums) values (1, 1, ${pending})`.execute(db);
  await sql`update usage_progress set last_id = 9`.execute(db);
  const entry = { user_id: 7, token_name: "a", model_name: "m", prompt_tokens: 0, completion_tokens: 0 };
  for (const [id, quota] of [
    [2, 20],
    [3, 4],
    // Not counted in any sum yet.
    [10, 99],
  ] as const) {
    const row = sampleLog({ ...entry, created_at: DAY * 86_400 + 9_000, quota, cost: id === 3 ? 2 : 0, result: "ok" });
    await db
      .insertInto("logs")
      .values({ ...row, id })
      .execute();
  }
}

for (const kind of DATABASE_KINDS) {
  it(`keeps usage whose entries were cleared on ${kind}`, { skip: whyMissing(kind) ?? false }, async (t) => {
    const made = await createTestDatabase(kind);
    const database = await connectDatabase(made.location);
    t.after(async () => {
      await database.close();
      await made.remove();
    });
    await migrate(
      database,
      allMigrations.filter(({ number }) => number < 54),
    );
    await addUsage(database.db);
    const cleared = { kind: "cleared", request_id: "cleared:7:1", user_id: 7, token_id: 1, note: "", created_at: 1 };
    await database.db
      .insertInto("ledger_entries")
      .values({ ...cleared, user_amount: -10, token_amount: 0 })
      .execute();
    await migrate(database);
    const rows = await database.db.selectFrom("cleared_usage").selectAll().execute();
    assert.deepEqual(rows, [
      {
        kind: 0,
        day: DAY,
        user_id: 7,
        token_name: "a",
        model_name: "m",
        channel_id: 0,
        ...SUMS,
        requests: 1,
        quota: 10,
        cached_tokens: 0,
      },
    ]);
  });
}
