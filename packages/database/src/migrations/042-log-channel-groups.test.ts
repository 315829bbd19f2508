import assert from "node:assert/strict";
import { it } from "node:test";
import { connectDatabase } from "../connect-database.ts";
import { migrate } from "../migrate.ts";
import { createTestDatabase, DATABASE_KINDS, whyMissing } from "../test-databases.ts";
import { allMigrations } from "./all-migrations.ts";

for (const kind of DATABASE_KINDS) {
  const options = { skip: whyMissing(kind) ?? false };
  it(`leaves no block of the log without channels on ${kind}`, options, async (t) => {
    const made = await createTestDatabase(kind);
    const database = await connectDatabase(made.location);
    t.after(async () => {
      await database.close();
      await made.remove();
    });
    await migrate(
      database,
      allMigrations.filter(({ number }) => number < 42),
    );
    const { db } = database;
    const labels = { level: 1, batch: 1, view: 1, user_id: 7, username: "", token_name: "", model_name: "m" };
    const totals = { channel_id: 0, type: 2, result: "ok", bucket: 0, entries: 1, quota: 1, tokens: 1, ids: "" };
    const group = { ...labels, ...totals };
    const before = db.withTables<{ log_groups: typeof group }>();
    await before.insertInto("log_groups").values(group).execute();
    await db.insertInto("log_batches").values({ batch: 64, last_id: 131_072, newest: 5, oldest_bucket: 1 }).execute();
    await migrate(
      database,
      allMigrations.filter(({ number }) => number < 49),
    );
    assert.equal(await before.selectFrom("log_groups").select("batch").executeTakeFirst(), undefined);
    assert.equal(await db.selectFrom("log_batches").select("batch").executeTakeFirst(), undefined);
  });
}
