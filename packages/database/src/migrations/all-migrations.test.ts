import assert from "node:assert/strict";
import { before, it } from "node:test";
import { sql } from "kysely";
import type { OpenDatabase } from "../open-database.ts";
import { eachDatabase } from "../test-databases.ts";
import { sampleLedgerEntry, sampleReservation, sampleToken, sampleUser } from "../testing/sample-rows.ts";
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

  it("refuses balances, used quota and reservations below zero", async () => {
    const { db } = database;
    for (const column of ["quota", "used_quota", "request_count"] as const) {
      assert.equal(
        await refused(
          db
            .insertInto("users")
            .values(sampleUser({ [column]: -1 }))
            .execute(),
        ),
        "check",
        `users.${column}`,
      );
    }
    for (const column of ["remain_quota", "used_quota"] as const) {
      assert.equal(
        await refused(
          db
            .insertInto("tokens")
            .values(sampleToken({ [column]: -1 }))
            .execute(),
        ),
        "check",
        `tokens.${column}`,
      );
    }
    for (const column of ["user_amount", "token_amount", "delivered_quota"] as const) {
      const row = sampleReservation({ [column]: -1 });
      assert.equal(
        await refused(db.insertInto("reservations").values(row).execute()),
        "check",
        `reservations.${column}`,
      );
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
    for (const column of ["username", "access_token_hash", "aff_code", "github_id", "wechat_id", "lark_id"] as const) {
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

  it("books one entry of a kind for a request, and sets quota aside once", async () => {
    const { db } = database;
    const charge = sampleLedgerEntry();
    await db.insertInto("ledger_entries").values(charge).execute();
    assert.equal(await refused(db.insertInto("ledger_entries").values(charge).execute()), "unique");
    await db
      .insertInto("ledger_entries")
      .values({ ...charge, kind: "grant" })
      .execute();
    const reservation = sampleReservation();
    await db.insertInto("reservations").values(reservation).execute();
    assert.equal(await refused(db.insertInto("reservations").values(reservation).execute()), "unique");
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
    "finds a user's newest log rows by an index",
    { skip: kind === "postgres" ? "an empty table is always scanned there" : false },
    async () => {
      for (const column of ["user_id", "type", "model_name", "token_name", "username", "channel_id"]) {
        const query = sql<{
          detail: string;
        }>`explain query plan select id from logs where ${sql.ref(column)} = 1 order by id desc limit 10`;
        const { rows } = await query.execute(database.db);
        assert.deepEqual(
          rows.map((row) => row.detail),
          [`SEARCH logs USING COVERING INDEX logs_${column}_id_index (${column}=?)`],
        );
      }
    },
  );
});
