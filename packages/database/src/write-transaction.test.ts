import assert from "node:assert/strict";
import { before, it } from "node:test";
import { sql } from "kysely";
import type { OpenDatabase, RunStatement } from "./open-database.ts";
import { eachDatabase } from "./test-databases.ts";
import { sampleUser } from "./testing/sample-rows.ts";

eachDatabase((open) => {
  let database: OpenDatabase;
  let setOption: string;
  let takeQuota: string;
  before(async () => {
    database = await open();
    setOption = database.db.insertInto("options").values({ key: "", value: "" }).compile().sql;
    takeQuota = database.db
      .updateTable("shares")
      .set((at) => ({ remaining: at("remaining", "-", 0) }))
      .where("account", "=", 0)
      .where("remaining", ">=", 0)
      .where("kind", "=", sql.lit(1))
      .compile().sql;
  });

  async function addUser(remaining: number): Promise<number> {
    const user = await database.db.insertInto("users").values(sampleUser()).returning("id").executeTakeFirstOrThrow();
    const share = database.db.updateTable("shares").set({ remaining }).where("kind", "=", 1);
    await share.where("account", "=", user.id).execute();
    return user.id;
  }

  async function quotaOf(id: number): Promise<number> {
    const balances = database.db.selectFrom("user_balances").select("remaining").where("user_id", "=", id);
    return (await balances.executeTakeFirstOrThrow()).remaining;
  }

  async function optionKeys(prefix: string): Promise<string[]> {
    const rows = await database.db
      .selectFrom("options")
      .select("key")
      .where("key", "like", `${prefix}%`)
      .orderBy("key")
      .execute();
    return rows.map((row) => row.key);
  }

  it("answers with the work's result and the rows that a statement gave and changed", async () => {
    const insert = database.db.insertInto("options").values({ key: "", value: "" }).returning("key").compile().sql;
    const select = database.db.selectFrom("options").select("key").where("key", "=", "").compile().sql;
    const outcomes = await database.writeTransaction(async (run) => [
      await run(insert, ["plain-1", "x"]),
      await run(setOption, ["plain-2", "x"]),
      await run(select, ["plain-2"]),
      await run(select, ["plain-3"]),
    ]);
    assert.deepEqual(outcomes, [
      { rows: [{ key: "plain-1" }], changes: 1 },
      { rows: [], changes: 1 },
      { rows: [{ key: "plain-2" }], changes: 0 },
      { rows: [], changes: 0 },
    ]);
  });

  it("keeps nothing when the work throws, and is usable afterwards", async () => {
    const work = database.writeTransaction(async (run) => {
      await run(setOption, ["thrown-1", ""]);
      throw new Error("stop");
    });
    await assert.rejects(work, /^Error: stop$/);
    await database.writeTransaction(async (run) => run(setOption, ["thrown-2", ""]));
    assert.deepEqual(await optionKeys("thrown-"), ["thrown-2"]);
  });

  it("keeps nothing when a statement fails, also when the work goes on regardless", async () => {
    const work = database.writeTransaction(async (run) => {
      await run(setOption, ["failed-1", ""]);
      await run(setOption, ["failed-1", ""]);
    });
    await assert.rejects(work, /unique/i);
    assert.deepEqual(await optionKeys("failed-"), []);
  });

  it("refuses statements after the transaction has ended", async () => {
    let kept: RunStatement | undefined;
    await database.writeTransaction(async (run) => {
      kept = run;
    });
    assert.throws(() => kept?.(setOption, ["late", ""]), /transaction has ended/);
    assert.deepEqual(await optionKeys("late"), []);
  });

  it("refuses an integer beyond 2^53 - 1 instead of rounding it", async () => {
    const id = await addUser(5);
    await assert.rejects(
      database.writeTransaction(async (run) => run(takeQuota, [-(2 ** 53), id, 0])),
      /cannot be stored exactly/,
    );
    assert.equal(await quotaOf(id), 5);
  });

  it("takes quota only where there is enough, told by the number of changed rows", async () => {
    const id = await addUser(25);
    const taken = await Promise.all(
      Array.from({ length: 10 }, () =>
        database.writeTransaction(async (run) => (await run(takeQuota, [10, id, 10])).changes),
      ),
    );
    assert.deepEqual(
      taken.toSorted((left, right) => left - right),
      [0, 0, 0, 0, 0, 0, 0, 0, 1, 1],
    );
    assert.equal(await quotaOf(id), 5);
  });

  it("never lets a balance fall below zero, whatever the statement", async () => {
    const id = await addUser(5);
    await assert.rejects(
      database.writeTransaction(async (run) => run(takeQuota, [6, id, 0])),
      /check/i,
    );
    assert.equal(await quotaOf(id), 5);
  });

  it("takes turns with Kysely: 200 transactions of both kinds at once neither mix nor get lost", async () => {
    const id = await addUser(0);
    const task = async (number: number): Promise<void> => {
      const fails = number % 5 === 0;
      const key = `mixed-${String(number).padStart(3, "0")}`;
      const viaKysely = async () =>
        database.db.transaction().execute(async (trx) => {
          await trx
            .updateTable("shares")
            .set((at) => ({ remaining: at("remaining", "+", 1) }))
            .where("kind", "=", 1)
            .where("account", "=", id)
            .execute();
          await new Promise(setImmediate);
          await trx.insertInto("options").values({ key, value: "" }).execute();
          if (fails) throw new Error("planned");
        });
      const viaStatements = () =>
        database.writeTransaction(async (run) => {
          await run(takeQuota, [-1, id, 0]);
          await new Promise(setImmediate);
          await run(setOption, [key, ""]);
          if (fails) throw new Error("planned");
        });
      await (number % 2 === 0 ? viaKysely() : viaStatements()).catch((error: unknown) => {
        assert.match(String(error), /planned/);
      });
      assert.equal((await optionKeys(key)).length, fails ? 0 : 1, "reads see committed rows only");
    };
    await Promise.all(Array.from({ length: 200 }, (_, number) => task(number)));
    assert.equal((await optionKeys("mixed-")).length, 160);
    assert.equal(await quotaOf(id), 160);
  });
});
