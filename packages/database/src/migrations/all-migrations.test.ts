import assert from "node:assert/strict";
import { before, it } from "node:test";
import { sql } from "kysely";
import type { OpenDatabase } from "../open-database.ts";
import { eachDatabase } from "../test-databases.ts";
import { sampleHold, sampleLedgerEntry, sampleLog, sampleToken, sampleUser } from "../testing/sample-rows.ts";
import { violatedConstraint } from "../database-errors.ts";

eachDatabase((open, kind) => {
  let database: OpenDatabase;
  before(async () => {
    database = await open();
  });

  async function refused(work: Promise<unknown>): Promise<string | undefined> {
    return work.then(
      () => undefined,
      (error: unknown) => violatedConstraint(error),
    );
  }

  it("refuses balances, what was used and holds below zero", async () => {
    const { db } = database;
    const { id: user_id } = await db.insertInto("users").values(sampleUser()).returning("id").executeTakeFirstOrThrow();
    for (const column of ["remaining", "used", "requests"] as const) {
      const row = { user_id, [column]: -1 };
      assert.equal(await refused(db.insertInto("user_balances").values(row).execute()), "check", `users' ${column}`);
    }
    const { id: token_id } = await db
      .insertInto("tokens")
      .values(sampleToken())
      .returning("id")
      .executeTakeFirstOrThrow();
    for (const column of ["remaining", "used"] as const) {
      const row = { token_id, [column]: -1 };
      assert.equal(await refused(db.insertInto("token_balances").values(row).execute()), "check", `tokens' ${column}`);
    }
    for (const column of ["user_amount", "token_amount", "delivered_quota"] as const) {
      const row = sampleHold({ [column]: -1 });
      assert.equal(await refused(db.insertInto("relay_holds").values(row).execute()), "check", `relay_holds.${column}`);
    }
  });

  it("refuses a flag that is neither 0 nor 1", async () => {
    const query = sql`insert into instances (id, started_at, beat_at) values ('x', 1, null)`;
    assert.equal(await refused(query.execute(database.db)), "not-null");
    const { id } = await database.db
      .insertInto("tokens")
      .values(sampleToken())
      .returning("id")
      .executeTakeFirstOrThrow();
    assert.equal(
      await refused(sql`update tokens set unlimited_quota = 2 where id = ${id}`.execute(database.db)),
      "check",
    );
  });

  it("refuses a second user of the same name, access token or bound account, and lets many have none", async () => {
    const { db } = database;
    const insert = (changes: Parameters<typeof sampleUser>[0]) =>
      db.insertInto("users").values(sampleUser(changes)).execute();
    for (const column of [
      "username",
      "access_token_hash",
      "aff_code",
      "github_id",
      "wechat_id",
      "lark_id",
      "oidc_id",
    ] as const) {
      await insert({ [column]: "taken" });
      assert.equal(await refused(insert({ [column]: "taken" })), "unique", column);
    }
    await insert({});
    await insert({});
  });

  it("refuses a key twice, among tokens and among codes", async () => {
    const { db } = database;
    const token = sampleToken();
    await db.insertInto("tokens").values(token).execute();
    assert.equal(await refused(db.insertInto("tokens").values(token).execute()), "unique");
    const code = {
      user_id: 1,
      name: "",
      key_hmac: "code",
      key_cipher: "",
      status: 1,
      quota: 1,
      created_time: 1,
      redeemed_by: null,
    };
    await db.insertInto("redemptions").values(code).execute();
    assert.equal(await refused(db.insertInto("redemptions").values(code).execute()), "unique");
  });

  it("charges a request once, books an action once and sets quota aside once", async () => {
    const { db } = database;
    const charge = sampleLog({ request_id: "charged" });
    await db.insertInto("logs").values(charge).execute();
    assert.equal(await refused(db.insertInto("logs").values(charge).execute()), "unique");
    for (const others of [{ type: 5, request_id: "charged" }, {}])
      for (let entry = 0; entry < 2; entry += 1) await db.insertInto("logs").values(sampleLog(others)).execute();
    const grant = sampleLedgerEntry();
    await db.insertInto("ledger_entries").values(grant).execute();
    assert.equal(await refused(db.insertInto("ledger_entries").values(grant).execute()), "unique");
    const hold = sampleHold();
    await db.insertInto("relay_holds").values(hold).execute();
    assert.equal(await refused(db.insertInto("relay_holds").values(hold).execute()), "unique");
  });

  it("takes a balance away with its user or token", async () => {
    const { db } = database;
    const user = await db.insertInto("users").values(sampleUser()).returning("id").executeTakeFirstOrThrow();
    const token = await db.insertInto("tokens").values(sampleToken()).returning("id").executeTakeFirstOrThrow();
    await db.insertInto("user_balances").values({ user_id: user.id }).execute();
    await db.insertInto("token_balances").values({ token_id: token.id }).execute();
    await db.deleteFrom("users").where("id", "=", user.id).execute();
    await db.deleteFrom("tokens").where("id", "=", token.id).execute();
    const left = [
      await db.selectFrom("user_balances").select("remaining").where("user_id", "=", user.id).execute(),
      await db.selectFrom("token_balances").select("remaining").where("token_id", "=", token.id).execute(),
    ];
    assert.deepEqual(left, [[], []]);
  });

  it("never gives a deleted row's id to another", async () => {
    const { db } = database;
    const insertUser = async () =>
      (await db.insertInto("users").values(sampleUser()).returning("id").executeTakeFirstOrThrow()).id;
    const first = await insertUser();
    await db.deleteFrom("users").where("id", "=", first).execute();
    assert.ok((await insertUser()) > first);
    const insertToken = async () =>
      (await db.insertInto("tokens").values(sampleToken()).returning("id").executeTakeFirstOrThrow()).id;
    const firstToken = await insertToken();
    await db.deleteFrom("tokens").where("id", "=", firstToken).execute();
    assert.ok((await insertToken()) > firstToken);
  });

  it("ends a user's logins when the user is deleted, and accepts none of a user that is not there", async () => {
    const { db } = database;
    const { id } = await db.insertInto("users").values(sampleUser()).returning("id").executeTakeFirstOrThrow();
    const session = {
      id_hash: "hash",
      user_id: id,
      created_at: 1,
      last_seen_at: 1,
      expires_at: 2,
      address: "",
      user_agent: "",
    };
    await db.insertInto("sessions").values(session).execute();
    await db.deleteFrom("users").where("id", "=", id).execute();
    assert.deepEqual(await db.selectFrom("sessions").select("id_hash").execute(), []);
    assert.equal(await refused(db.insertInto("sessions").values(session).execute()), "foreign-key");
  });

  it(
    "finds the groups of the log by their keys and its entries of a time by an index",
    { skip: kind === "postgres" ? "an empty table is always scanned there" : false },
    async () => {
      for (const [what, index] of [
        [
          sql`log_group_texts where level = 0 and batch in (1, 2) and view = 1 and part in (5)`,
          "SEARCH log_group_texts USING",
        ],
        [
          sql`logs where id in (select value from json_each('[5,9]')) and created_at >= 5`,
          "SEARCH logs USING INTEGER PRIMARY KEY",
        ],
      ] as const) {
        const query = sql<{ detail: string }>`explain query plan select count(*) from ${what}`;
        const { rows } = await query.execute(database.db);
        assert.ok(
          rows.some(({ detail }) => detail.startsWith(index)),
          JSON.stringify(rows),
        );
      }
    },
  );
});
