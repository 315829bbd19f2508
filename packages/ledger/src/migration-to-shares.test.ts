import assert from "node:assert/strict";
import { it } from "node:test";
import { connectDatabase } from "@one-api/database/connect-database";
import { migrate } from "@one-api/database/migrate";
import { allMigrations } from "@one-api/database/migrations/all-migrations";
import type { OpenDatabase } from "@one-api/database/open-database";
import { createTestDatabase, DATABASE_KINDS, whyMissing } from "@one-api/database/test-databases";
import { sampleUser } from "@one-api/database/testing/sample-rows";
import { periodStart } from "@one-api/contract/budget";
import { sql } from "kysely";
import { checkBalances } from "./check-balances.ts";
import { createServerLedger } from "./create-server-ledger.ts";
import { TestClock } from "./testing/test-clock.ts";
import {
  NOW_MS,
  NOW,
  TODAY,
  USERS,
  TOKENS,
  holdsOf,
  sumOf,
  isBatch,
  insertEverything,
  RICH,
  NOTED,
  LIMITED,
  UNLIMITED,
  OF_NOTED,
} from "./testing/books-before-shares.ts";

async function readUsers({ db }: OpenDatabase) {
  return db
    .selectFrom("user_balances")
    .select(["user_id", "remaining", "used", "requests"])
    .orderBy("user_id")
    .execute();
}

async function readTokens({ db }: OpenDatabase) {
  return db
    .selectFrom("token_balances")
    .select(["token_id", "remaining", "used", "last_used_at"])
    .orderBy("token_id")
    .execute();
}

async function readSpent({ db }: OpenDatabase): Promise<Record<string, number>> {
  const rows = await db
    .selectFrom("budget_uses")
    .innerJoin("budgets", "budgets.id", "budget_id")
    .select(["user_id", "token_id", "spent", "window_start"])
    .execute();
  return Object.fromEntries(rows.map((row) => [`${row.user_id}:${row.token_id}:${row.window_start}`, row.spent]));
}

for (const kind of DATABASE_KINDS) {
  it(
    `charges what a server of the version before had delivered, and returns what it had reserved, on ${kind}`,
    { skip: whyMissing(kind) ?? false },
    async (t) => {
      const made = await createTestDatabase(kind);
      t.after(() => made.remove());
      const database = await connectDatabase(made.location);
      t.after(() => database.close());
      await migrate(
        database,
        allMigrations.filter(({ number }) => number < 53),
      );
      await insertEverything(database);

      await migrate(database);
      assert.deepEqual(await checkBalances(database), []);

      const clock = new TestClock(NOW_MS);
      const server = createServerLedger({
        database,
        clock,
        warn: (error) => assert.fail(String(error)),
        onOutdated: assert.fail,
      });
      const { ledger, batches } = server;
      t.after(() => ledger.close());
      const holds = holdsOf(kind);
      const requests = holds.filter((row) => !isBatch(row));
      const charged = requests.filter((row) => row.charged > 0);
      assert.equal(await server.start(), charged.length);
      assert.deepEqual(await checkBalances(database), []);
      const rows = await database.db
        .selectFrom("logs")
        .select(["request_id", "quota", "token_amount", "model_name", "prompt_tokens", "completion_tokens", "result"])
        .where("result", "=", "gateway-failed")
        .orderBy("request_id")
        .execute();
      assert.deepEqual(
        rows,
        charged
          .map(({ request_id, charged: quota, token_unlimited }) => ({
            request_id,
            quota,
            token_amount: token_unlimited === 1 ? 0 : quota,
            model_name: "gpt",
            prompt_tokens: 3,
            completion_tokens: 4,
            result: "gateway-failed",
          }))
          .sort((one, other) => (one.request_id < other.request_id ? -1 : 1)),
      );
      const sums = (row: (hold: (typeof requests)[number]) => boolean) => {
        const own = requests.filter(row);
        return {
          users: sumOf(own.map(({ user_amount }) => user_amount)),
          tokens: sumOf(own.map(({ token_amount }) => token_amount)),
          charged: sumOf(own.map((one) => one.charged)),
          limited: sumOf(own.map((one) => (one.token_unlimited === 1 ? 0 : one.charged))),
          count: own.filter((one) => one.charged > 0).length,
          at: Math.max(0, ...own.filter((one) => one.charged > 0).map(({ created_at }) => created_at)),
        };
      };
      const usersAfter = USERS.map(({ id, remaining, used, requests: count }) => {
        const all = sums(({ user_id }) => user_id === id);
        return {
          user_id: id,
          remaining: remaining + all.users - all.charged,
          used: used + all.charged,
          requests: count + all.count,
        };
      });
      const tokensAfter = TOKENS.map(({ id, remaining, used, last_used_at }) => {
        const all = sums(({ token_id }) => token_id === id);
        return {
          token_id: id,
          remaining: remaining + all.tokens - all.limited,
          used: used + all.charged,
          last_used_at: Math.max(last_used_at, all.at),
        };
      });
      assert.deepEqual(await readUsers(database), usersAfter);
      assert.deepEqual(await readTokens(database), tokensAfter);
      const ofBudgets = sumOf(
        charged.filter(({ user_id, user_amount }) => user_id === RICH && user_amount > 0).map((row) => row.charged),
      );
      // Where requests in flight have no rows, each counts where it began; a removed token still counts for its user.
      const notes = kind === "sqlite" ? 15 + 9 : 0;
      const [userBudget, tokenBudget] = [`${RICH}:0:${TODAY}`, `${RICH}:${LIMITED}:${periodStart("weekly", NOW)}`];
      const spent = { [userBudget]: 200 + 60 + ofBudgets + notes, [tokenBudget]: 200 + 60 + ofBudgets };
      assert.deepEqual(await readSpent(database), {
        ...spent,
        ...(kind === "sqlite" ? { [`${NOTED}:0:${TODAY}`]: 30 } : {}),
      });

      assert.deepEqual([await batches.isOpen("batch"), await batches.isOpen("delivered")], [true, false]);
      const settle = (requestId: string, tokenId: number, tokenUnlimited: boolean) =>
        batches.settle({
          userId: RICH,
          tokenId,
          tokenUnlimited,
          requestId,
          channelId: 0,
          charge: 25,
          log: undefined,
          at: NOW,
        });
      assert.deepEqual(await settle("batch", LIMITED, false), { settled: true, charged: 25 });
      assert.deepEqual(await settle("batch", LIMITED, false), { settled: false, charged: 0 });
      assert.deepEqual(await settle("batch-unlimited", UNLIMITED, true), { settled: true, charged: 25 });
      assert.deepEqual(await checkBalances(database), []);
      const [rich] = await readUsers(database);
      assert.equal(rich?.remaining, (usersAfter[0]?.remaining ?? 0) + 60 + 30 - 50);
      assert.equal((await readSpent(database))[userBudget], (spent[userBudget] ?? 0) - 60 + 25);

      const all = { userId: NOTED, tokenId: OF_NOTED, tokenUnlimited: false, createdAt: NOW };
      const left = usersAfter[2]?.remaining ?? 0;
      assert.deepEqual(await ledger.reserve({ ...all, requestId: "too-much", amount: left + 1 }), {
        ok: false,
        refusal: "user-quota",
      });
      assert.deepEqual(
        await ledger.reserve({ ...all, requestId: "all", amount: left }),
        { ok: true },
        "all that remains can be spent",
      );
      ledger.release({ requestId: "all" });
      await ledger.close();
      assert.deepEqual(await checkBalances(database), []);
      const owners = await database.db.selectFrom("owners").select("id").execute();
      assert.deepEqual(owners, kind === "sqlite" ? [{ id: 1 }] : []);
    },
  );

  it(
    `leaves nothing that a server of the version before could go on with on ${kind}`,
    { skip: whyMissing(kind) ?? false },
    async (t) => {
      const made = await createTestDatabase(kind);
      t.after(() => made.remove());
      const database = await connectDatabase(made.location);
      t.after(() => database.close());
      await migrate(database);
      const { id } = await database.db
        .insertInto("users")
        .values(sampleUser())
        .returning("id")
        .executeTakeFirstOrThrow();
      for (const statement of [
        sql`update instances set beat_at = 1`,
        sql`delete from relay_holds where request_id = 'x'`,
        sql`update user_balances set remaining = remaining - 1 where user_id = ${id}`,
        sql`update token_balances set remaining = remaining - 1 where token_id = 1`,
        sql`insert into user_balances (user_id) values (${id + 1})`,
        sql`delete from quota_leases`,
        sql`insert into balance_changes (changes) values ('[]')`,
      ])
        await assert.rejects(statement.execute(database.db));
      assert.deepEqual(await checkBalances(database), []);
    },
  );
}

it(
  "waits for what a server of the version before is about to commit, on postgres",
  { skip: whyMissing("postgres") ?? false },
  async (t) => {
    const made = await createTestDatabase("postgres");
    t.after(() => made.remove());
    const database = await connectDatabase(made.location);
    t.after(() => database.close());
    await migrate(
      database,
      allMigrations.filter(({ number }) => number < 53),
    );
    await insertEverything(database);
    const other = await connectDatabase(made.location);
    t.after(() => other.close());
    let migrating: Promise<unknown> | undefined;
    await database.writeTransaction(async (run) => {
      await run("update user_balances set remaining = remaining - 70 where user_id = $1", [RICH]);
      migrating = migrate(other);
      const { db } = database;
      const readWaiting = () =>
        sql`select 1 from pg_locks where not granted and database = (select oid from pg_database where datname = current_database())`.execute(
          db,
        );
      while ((await readWaiting()).rows.length === 0);
      await run(
        `insert into relay_holds (request_id, user_id, token_id, token_unlimited, user_amount, token_amount, instance_id, created_at)
          values ('late', $1, $2, 1, 70, 0, 'server-a', $3)`,
        [RICH, UNLIMITED, NOW],
      );
    });
    await migrating;
    assert.deepEqual(await checkBalances(database), []);
    const [rich] = await readUsers(database);
    const reserved = holdsOf("postgres").filter((row) => row.user_id === RICH && !isBatch(row));
    assert.equal(rich?.remaining, (USERS[0]?.remaining ?? 0) + sumOf(reserved.map(({ user_amount }) => user_amount)));
  },
);
