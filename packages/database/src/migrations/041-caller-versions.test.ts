import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { sql } from "kysely";
import { openTestDatabase, whyMissing } from "../test-databases.ts";
import { sampleToken, sampleUser } from "../testing/sample-rows.ts";

describe("changes of callers on PostgreSQL", { skip: whyMissing("postgres") ?? false }, () => {
  it("notify what changes of a user, its tokens and its budgets, at the commit, and nothing else", async (t) => {
    const database = await openTestDatabase("postgres");
    t.after(() => database.close());
    const { db, listen } = database;
    assert.ok(listen);
    const heard: string[] = [];
    let isMarked: (() => void) | undefined;
    const began = Promise.withResolvers<void>();
    listen("one_api_callers", {
      began: began.resolve,
      heard: (payload) => void (payload === "mark" ? isMarked?.() : heard.push(payload)),
    });
    await began.promise;
    /** What was notified by everything that is committed. */
    const readHeard = async (): Promise<string[]> => {
      await new Promise<void>((resolve) => {
        isMarked = resolve;
        void sql`select pg_notify('one_api_callers', 'mark')`.execute(db);
      });
      return heard.splice(0).sort();
    };
    const insertUser = async () =>
      (await db.insertInto("users").values(sampleUser()).returning("id").executeTakeFirstOrThrow()).id;
    const [user, other] = [await insertUser(), await insertUser()];
    const { id: token } = await db
      .insertInto("tokens")
      .values(sampleToken({ user_id: user }))
      .returning("id")
      .executeTakeFirstOrThrow();
    const setToken = (changes: Partial<ReturnType<typeof sampleToken>>) =>
      db.updateTable("tokens").set(changes).where("id", "=", token).execute();
    const budget = { user_id: user, token_id: 0, amount: 1, period: "daily", since: 1 };
    assert.deepEqual(await readHeard(), []);

    const steps: readonly (readonly [string, () => Promise<unknown>, readonly number[]])[] = [
      ["a changed user", () => db.updateTable("users").set({ group: "x" }).where("id", "=", user).execute(), [user]],
      ["the same once more", () => db.updateTable("users").set({ group: "x" }).where("id", "=", user).execute(), []],
      ["a changed token", () => setToken({ status: 2 }), [user]],
      ["flagged prompts", () => setToken({ flagged_count: 3 }), []],
      ["a budget", () => db.insertInto("budgets").values(budget).execute(), [user]],
      ["another amount", () => db.updateTable("budgets").set({ amount: 2 }).execute(), [user]],
      ["the same amount", () => db.updateTable("budgets").set({ amount: 2 }).execute(), []],
      [
        "what it counts",
        () =>
          sql`insert into shares (kind, account, owner, remaining) values (3, 1, 0, 1), (1, ${user}, 7, 1)`.execute(db),
        [],
      ],
      ["no budget", () => db.deleteFrom("budgets").execute(), [user]],
      ["another owner", () => setToken({ user_id: other }), [user, other]],
      ["a deleted token", () => db.deleteFrom("tokens").where("id", "=", token).execute(), [other]],
      ["a deleted user", () => db.deleteFrom("users").where("id", "=", user).execute(), [user]],
    ];
    for (const [what, step, ids] of steps) {
      await step();
      assert.deepEqual(await readHeard(), ids.map((id) => `changed ${id}`).sort(), what);
    }
    const undone = db.transaction().execute(async (transaction) => {
      await transaction.updateTable("users").set({ group: "y" }).execute();
      throw new Error("undone");
    });
    await assert.rejects(undone, /undone/);
    assert.deepEqual(await readHeard(), []);
  });
});
