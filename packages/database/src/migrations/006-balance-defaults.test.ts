import assert from "node:assert/strict";
import { it } from "node:test";
import { sql } from "kysely";
import { connectDatabase } from "../connect-database.ts";
import { violatedConstraint } from "../database-errors.ts";
import { migrate } from "../migrate.ts";
import { createTestDatabase, DATABASE_KINDS, whyMissing } from "../test-databases.ts";
import { sampleToken, sampleUser } from "../testing/sample-rows.ts";
import { allMigrations } from "./all-migrations.ts";

for (const kind of DATABASE_KINDS) {
  it(
    `keeps every balance, its limits and what belongs to its row on ${kind}`,
    { skip: whyMissing(kind) ?? false },
    async (t) => {
      const testDatabase = await createTestDatabase(kind);
      const database = await connectDatabase(testDatabase.location);
      t.after(async () => {
        await database.close();
        await testDatabase.remove();
      });
      const { db } = database;
      await migrate(
        database,
        allMigrations.filter(({ number }) => number < 6),
      );
      const user = sampleUser({ username: "rich", quota: 9_007_199_254_740_991, used_quota: 5 });
      // As the program before this migration did it: with every column named.
      const { id } = await db.insertInto("users").values(user).returning("id").executeTakeFirstOrThrow();
      await db
        .insertInto("tokens")
        .values(sampleToken({ user_id: id, remain_quota: 77 }))
        .execute();
      const session = {
        id_hash: "h",
        user_id: id,
        created_at: 1,
        last_seen_at: 1,
        expires_at: 2,
        address: "",
        user_agent: "",
      };
      await db.insertInto("sessions").values(session).execute();
      await migrate(database);
      const kept = await db.selectFrom("users").select(["id", "username", "quota", "used_quota"]).execute();
      assert.deepEqual(
        kept.map((row) => ({ ...row })),
        [{ id, username: "rich", quota: 9_007_199_254_740_991, used_quota: 5 }],
      );
      assert.equal((await db.selectFrom("tokens").select("remain_quota").executeTakeFirst())?.remain_quota, 77);
      assert.equal(
        (await db.selectFrom("sessions").select("user_id").execute()).length,
        1,
        "sessions go with users only",
      );
      const { quota, ...poor } = sampleUser({ username: "poor" });
      assert.notEqual(quota, undefined);
      const added = await db.insertInto("users").values(poor).returning(["id", "quota"]).executeTakeFirstOrThrow();
      assert.deepEqual([added.quota, added.id > id], [0, true]);
      const below = sql`update users set quota = -1 where id = ${id}`.execute(db);
      assert.equal(await below.then(() => undefined, violatedConstraint), "check");
    },
  );
}
