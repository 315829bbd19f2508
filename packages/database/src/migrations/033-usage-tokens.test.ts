import assert from "node:assert/strict";
import { it } from "node:test";
import { connectDatabase } from "../connect-database.ts";
import { migrate } from "../migrate.ts";
import { createTestDatabase, DATABASE_KINDS, whyMissing } from "../test-databases.ts";
import { allMigrations } from "./all-migrations.ts";

const NOTHING = {
  requests: 1,
  refused: 0,
  errors: 0,
  quota: 0,
  cost: 0,
  unknown_requests: 0,
  unknown_quota: 0,
  prompt_tokens: 0,
  completion_tokens: 0,
  timed: 0,
  first_log: 0,
};

for (const kind of DATABASE_KINDS) {
  const options = { skip: whyMissing(kind) ?? false };
  it(`puts numbers in the place of the texts of what was added up on ${kind}`, options, async (t) => {
    const made = await createTestDatabase(kind);
    const database = await connectDatabase(made.location);
    t.after(async () => {
      await database.close();
      await made.remove();
    });
    const { db } = database;
    await migrate(
      database,
      allMigrations.filter(({ number }) => number < 33),
    );
    const use = { ...NOTHING, slot: 5, model_name: "m" };
    await db
      .insertInto("usage_of_users")
      .values([
        { ...use, user_id: 7, token_name: "a/b" },
        { ...use, user_id: 7, token_name: "" },
        { ...use, user_id: 7, token_name: "", slot: 6 },
        { ...use, user_id: 12, token_name: "default" },
      ])
      .execute();
    const part = { level: 0, slot: 5, part: 0 };
    await db
      .insertInto("usage_parts")
      .values([
        { ...part, view: 1, sums: '[["12","m"],"1AQI=",""]' },
        { ...part, view: 3, sums: '[["12","7"],"1AQI=",""]' },
        { ...part, view: 4, sums: '[["12/default","7/a/b","9/gone","7/"],"1AQIDBA==",""]' },
      ])
      .execute();

    await migrate(database);

    const tokens = await db.selectFrom("usage_tokens").select(["id", "user_id", "token_name"]).orderBy("id").execute();
    assert.deepEqual(
      tokens.map(({ user_id, token_name }) => [user_id, token_name]),
      [
        [7, ""],
        [7, "a/b"],
        [12, "default"],
      ],
    );
    const kept = await db
      .selectFrom("usage_of_users")
      .select(["user_id", "slot", "token_name"])
      .orderBy("slot")
      .execute();
    assert.deepEqual([kept.length, kept[3]], [4, { user_id: 7, slot: 6, token_name: "" }]);
    const [empty, named, other] = tokens.map(({ id }) => id);
    const rows = await db.selectFrom("usage_parts").select("sums").orderBy("view").execute();
    assert.deepEqual(
      rows.map(({ sums }): unknown => JSON.parse(sums)),
      [
        [["12", "m"], "1AQI=", ""],
        [[12, 7], "1AQI=", ""],
        [[other, named, "9/gone", empty], "1AQIDBA==", ""],
      ],
    );
  });
}
