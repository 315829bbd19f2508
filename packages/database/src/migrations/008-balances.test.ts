import assert from "node:assert/strict";
import { it } from "node:test";
import { sql } from "kysely";
import { connectDatabase } from "../connect-database.ts";
import { violatedConstraint } from "../database-errors.ts";
import { migrate } from "../migrate.ts";
import { createTestDatabase, DATABASE_KINDS, whyMissing } from "../test-databases.ts";
import { sampleLog, sampleToken, sampleUser } from "../testing/sample-rows.ts";
import { allMigrations } from "./all-migrations.ts";

const MOST = 9_007_199_254_740_991;
/** Request id, type and quota of the log rows of a database before charge and log were one row. */
const OLD_LOGS = [
  { request_id: "plain", type: 2, quota: 30 },
  { request_id: "recovered", type: 4, quota: 7 },
  { request_id: "refused", type: 2, quota: 0 },
  { request_id: "twice", type: 3, quota: 0 },
  { request_id: "twice", type: 2, quota: 5 },
  { request_id: "twice", type: 4, quota: 0 },
  { request_id: "", type: 4, quota: 0 },
];
const OLD_CHARGES = [
  { request_id: "plain", token_id: 1, user: 30, token: 30, shortfall: 4 },
  { request_id: "recovered", token_id: 1, user: 7, token: 7, shortfall: 0 },
  { request_id: "twice", token_id: 2, user: 5, token: 0, shortfall: 0 },
  { request_id: "unlogged", token_id: 1, user: 2, token: 2, shortfall: 0 },
];

for (const kind of DATABASE_KINDS) {
  const options = { skip: whyMissing(kind) ?? false };
  it(`carries balances, charges and open reservations over on ${kind}`, options, async (t) => {
    const made = await createTestDatabase(kind);
    const database = await connectDatabase(made.location);
    t.after(async () => {
      await database.close();
      await made.remove();
    });
    const { db } = database;
    // The first database that anybody has: balances had no default then.
    await migrate(
      database,
      allMigrations.filter(({ number }) => number < 6),
    );
    const old = db.withTables<{ users: object; tokens: object; ledger_entries: object; reservations: object }>();
    const user = { ...sampleUser({ username: "rich" }), quota: MOST, used_quota: 44, request_count: 4 };
    await old.insertInto("users").values(user).execute();
    for (const unlimited_quota of [0, 1] as const) {
      const token = { ...sampleToken({ unlimited_quota }), remain_quota: 77, used_quota: 39, accessed_time: 9 };
      await old.insertInto("tokens").values(token).execute();
    }
    const session = {
      id_hash: "h",
      user_id: 1,
      created_at: 1,
      last_seen_at: 1,
      expires_at: 2,
      address: "",
      user_agent: "",
    };
    await db.insertInto("sessions").values(session).execute();
    await db.insertInto("logs").values(OLD_LOGS.map(sampleLog)).execute();
    const entry = { created_at: 5, user_id: 1, channel_id: 3, note: "" };
    const grant = {
      ...entry,
      kind: "grant",
      request_id: "g",
      token_id: 0,
      user_amount: 50,
      token_amount: 0,
      shortfall: 0,
    };
    const charges = OLD_CHARGES.map(({ user: charged, token, ...charge }) => ({
      ...entry,
      ...charge,
      kind: "charge",
      user_amount: -charged,
      token_amount: -token,
    }));
    await old
      .insertInto("ledger_entries")
      .values([grant, ...charges])
      .execute();
    const open = { user_id: 1, user_amount: 6, instance_id: "old", created_at: 5 };
    await old
      .insertInto("reservations")
      .values([
        { ...open, request_id: "limited", token_id: 1, token_amount: 6 },
        { ...open, request_id: "unlimited", token_id: 2, token_amount: 0 },
      ])
      .execute();

    await migrate(
      database,
      allMigrations.filter(({ number }) => number < 9),
    );

    assert.deepEqual(await rows(sql`select user_id, remaining, used, requests from user_balances`), [[1, MOST, 44, 4]]);
    assert.deepEqual(
      await rows(sql`select token_id, remaining, used, last_used_at from token_balances order by token_id`),
      [1, 2].map((token) => [token, 77, 39, 9]),
    );
    assert.deepEqual(
      await rows(
        sql`select request_id, type, quota, token_id, token_amount, shortfall, hidden, channel_id from logs order by id`,
      ),
      [
        ["plain", 2, 30, 1, 30, 4, 0, 1],
        ["recovered", 2, 7, 1, 7, 0, 0, 1],
        ["refused", 2, 0, 0, 0, 0, 0, 1],
        ["twice", 3, 0, 0, 0, 0, 0, 1],
        ["twice", 2, 5, 2, 0, 0, 0, 1],
        ["", 4, 0, 0, 0, 0, 0, 1],
        ["", 4, 0, 0, 0, 0, 0, 1],
        ["unlogged", 2, 2, 1, 2, 0, 1, 3],
      ],
    );
    assert.deepEqual(await rows(sql`select kind, user_amount from ledger_entries`), [["grant", 50]]);
    assert.deepEqual(
      await rows(
        sql`select request_id, user_amount, token_amount, token_unlimited from relay_holds order by request_id`,
      ),
      [
        ["limited", 6, 6, 0],
        ["unlimited", 6, 0, 1],
      ],
    );
    assert.equal((await db.selectFrom("sessions").select("user_id").execute()).length, 1, "logins stay");
    const below = sql`update user_balances set remaining = -1`.execute(db);
    assert.equal(await below.then(() => undefined, violatedConstraint), "check");

    async function rows(query: ReturnType<typeof sql<Record<string, unknown>>>): Promise<unknown[][]> {
      return (await query.execute(db)).rows.map((row) => Object.values(row));
    }
  });
}
