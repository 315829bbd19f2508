import assert from "node:assert/strict";
import { before, it } from "node:test";
import { sql } from "kysely";
import type { OpenDatabase } from "./open-database.ts";
import { eachDatabase } from "./test-databases.ts";
import { sampleToken, sampleUser } from "./testing/sample-rows.ts";

const LARGEST = Number.MAX_SAFE_INTEGER;

eachDatabase((open) => {
  let database: OpenDatabase;
  before(async () => {
    database = await open();
  });

  /** Adds a user with that balance; returns the user's id. */
  async function addBalance(remaining: number): Promise<number> {
    const user = await database.db.insertInto("users").values(sampleUser()).returning("id").executeTakeFirstOrThrow();
    await database.db
      .updateTable("shares")
      .set({ remaining })
      .where("kind", "=", 1)
      .where("account", "=", user.id)
      .execute();
    return user.id;
  }

  it("answers an insert with the columns asked for, as plain objects", async () => {
    const user = await database.db
      .insertInto("users")
      .values(sampleUser({ username: "ada" }))
      .returning(["id", "username", "role"])
      .execute();
    assert.deepEqual(user, [{ id: 1, username: "ada", role: 1 }]);
  });

  it("tells how many rows a statement changed", async () => {
    const { db } = database;
    await db
      .insertInto("options")
      .values([
        { key: "a", value: "1" },
        { key: "b", value: "1" },
        { key: "c", value: "2" },
      ])
      .execute();
    const update = await db
      .updateTable("options")
      .set({ value: "3" })
      .where("value", "=", "1")
      .executeTakeFirstOrThrow();
    assert.equal(update.numUpdatedRows, 2n);
    const none = await db.deleteFrom("options").where("value", "=", "1").executeTakeFirstOrThrow();
    assert.equal(none.numDeletedRows, 0n);
    const all = await db.deleteFrom("options").executeTakeFirstOrThrow();
    assert.equal(all.numDeletedRows, 3n);
  });

  it("keeps integers exact up to 2^53 - 1, in columns, counts and sums", async () => {
    const { db } = database;
    const id = await addBalance(LARGEST);
    await db
      .updateTable("shares")
      .set((at) => ({ remaining: at("remaining", "-", 1) }))
      .where("kind", "=", 1)
      .where("account", "=", id)
      .execute();
    const row = await db
      .selectFrom("user_balances")
      .select((at) => ["remaining", at.fn.sum<number>("remaining").as("sum"), at.fn.countAll<number>().as("count")])
      .where("user_id", "=", id)
      .groupBy("remaining")
      .executeTakeFirstOrThrow();
    assert.deepEqual(row, { remaining: LARGEST - 1, sum: LARGEST - 1, count: 1 });
  });

  it("refuses an integer that it could only round, going in and coming out", async () => {
    const { db } = database;
    await assert.rejects(addBalance(LARGEST + 1), /cannot be stored exactly/);
    await assert.rejects(addBalance(Number.NaN), /cannot be stored exactly/);
    const id = await addBalance(LARGEST);
    await assert.rejects(
      db
        .updateTable("shares")
        .set((at) => ({ remaining: at("remaining", "+", 1) }))
        .where("kind", "=", 1)
        .where("account", "=", id)
        .execute(),
      /check/i,
    );
    await assert.rejects(
      sql`select sum(remaining + 1) as total from user_balances where user_id = ${id}`.execute(db),
      RangeError,
    );
  });

  it("refuses a fraction where an integer belongs", async () => {
    await assert.rejects(addBalance(1.5));
  });

  it("gives null back as null and fractions as fractions, and fills in defaults", async () => {
    const { rows } = await sql`select cast(${null} as text) as empty, cast(${0.25} as real) * 2 as half`.execute(
      database.db,
    );
    assert.deepEqual(rows, [{ empty: null, half: 0.5 }]);
    const token = await database.db
      .insertInto("tokens")
      .values(sampleToken())
      .returning("flagged_count")
      .executeTakeFirstOrThrow();
    assert.deepEqual(token, { flagged_count: 0 });
  });

  it("stores text with a NUL, which one of the databases cannot hold, with a replacement character", async () => {
    await database.db.insertInto("options").values({ key: "nul", value: "a\u0000b 你好 😀" }).execute();
    const row = await database.db
      .selectFrom("options")
      .select("value")
      .where("key", "=", "nul")
      .executeTakeFirstOrThrow();
    assert.equal(row.value, "a\uFFFDb 你好 😀");
  });

  it("rolls a Kysely transaction back when it throws, and commits it when it does not", async () => {
    const { db } = database;
    const work = db.transaction().execute(async (trx) => {
      await trx.insertInto("options").values({ key: "undone", value: "" }).execute();
      throw new Error("changed my mind");
    });
    await assert.rejects(work, /changed my mind/);
    await db.transaction().execute((trx) => trx.insertInto("options").values({ key: "done", value: "" }).execute());
    const keys = await db.selectFrom("options").select("key").where("key", "in", ["done", "undone"]).execute();
    assert.deepEqual(keys, [{ key: "done" }]);
  });

  it("can be closed twice", async () => {
    const other = await open();
    await other.close();
    await other.close().catch(() => assert.fail("the second close failed"));
    await assert.rejects(other.db.selectFrom("options").select("key").execute());
  });
});
