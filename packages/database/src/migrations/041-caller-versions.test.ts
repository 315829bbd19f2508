import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { openTestDatabase, whyMissing } from "../test-databases.ts";
import { sampleToken, sampleUser } from "../testing/sample-rows.ts";

describe("versions of callers on PostgreSQL", { skip: whyMissing("postgres") ?? false }, () => {
  it("count what changes of a user, its tokens and its budgets, and nothing else", async (t) => {
    const database = await openTestDatabase("postgres");
    t.after(() => database.close());
    const { db } = database;
    const insertUser = async () =>
      (await db.insertInto("users").values(sampleUser()).returning("id").executeTakeFirstOrThrow()).id;
    const [user, other] = [await insertUser(), await insertUser()];
    const { id: token } = await db
      .insertInto("tokens")
      .values(sampleToken({ user_id: user }))
      .returning("id")
      .executeTakeFirstOrThrow();
    const versions = async () => {
      const rows = await db.selectFrom("caller_versions").select(["user_id", "version"]).execute();
      return [user, other].map((id) => rows.find((row) => row.user_id === id)?.version);
    };
    const setToken = (changes: Partial<ReturnType<typeof sampleToken>>) =>
      db.updateTable("tokens").set(changes).where("id", "=", token).execute();
    const budget = { token_id: 0, amount: 1, period: "daily", since: 1, window_start: 1, spent: 0 };
    assert.deepEqual(await versions(), [undefined, undefined]);

    const steps: readonly (readonly [string, () => Promise<unknown>, readonly (number | undefined)[]])[] = [
      ["a changed user", () => db.updateTable("users").set({ group: "x" }).where("id", "=", user).execute(), [1]],
      ["the same once more", () => db.updateTable("users").set({ group: "x" }).where("id", "=", user).execute(), [1]],
      ["a changed token", () => setToken({ status: 2 }), [2]],
      ["flagged prompts", () => setToken({ flagged_count: 3 }), [2]],
      [
        "a budget",
        () =>
          db
            .insertInto("budgets")
            .values({ ...budget, user_id: user })
            .execute(),
        [3],
      ],
      ["what it counts", () => db.updateTable("budgets").set({ spent: 1 }).execute(), [3]],
      ["no budget", () => db.deleteFrom("budgets").execute(), [4]],
      ["another owner", () => setToken({ user_id: other }), [5, 1]],
      ["a deleted token", () => db.deleteFrom("tokens").where("id", "=", token).execute(), [5, 2]],
      ["a deleted user", () => db.deleteFrom("users").where("id", "=", user).execute(), [6, 2]],
    ];
    for (const [what, step, [ofUser, ofOther]] of steps) {
      await step();
      assert.deepEqual(await versions(), [ofUser, ofOther], what);
    }
  });
});
