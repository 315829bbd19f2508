import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { listLogs, LOG_TYPE } from "@one-api/contract/logs/log";
import { clearLogs, getLogClearing, startLogClearing } from "@one-api/contract/logs/log-clearing";
import { getOwnDashboard } from "@one-api/contract/usage/dashboard";
import { DATABASE_KINDS, whyMissing } from "@one-api/database/test-databases";
import { sql } from "kysely";
import { nowSeconds } from "../../platform/clock.ts";
import { checkBalances } from "@one-api/ledger/check-balances";
import { createTestApp, type TestApp, type TestLogin } from "../../testing/create-test-app.ts";
import { createTestToken } from "../../testing/create-test-token.ts";
import { setOptions } from "../../testing/set-options.ts";
import { waitUntil } from "@one-api/database/testing/wait-until";
import { contextOfGateway } from "../../core/call-context.ts";
import { JobRuns } from "../../platform/work/job-runs.ts";
import { createLogClearings } from "./clear-logs.ts";
import { startLogRetentionJob } from "../../jobs/log-retention.job.ts";

const DAY = 86_400;

for (const databaseKind of DATABASE_KINDS) {
  describe(`clearing the log on ${databaseKind}`, { skip: whyMissing(databaseKind) ?? false }, () => {
    let testApp: TestApp;
    let admin: TestLogin;
    let now: number;
    before(async () => {
      testApp = await createTestApp({ kind: databaseKind });
      admin = await testApp.logInAs("admin");
      now = nowSeconds(testApp.clock);
    });
    after(() => testApp.close());

    /** Charges of a user, as settlements write them. */
    async function charge(userId: number, tokenId: number, ages: readonly number[], hidden: 0 | 1 = 0): Promise<void> {
      const { db } = testApp.database;
      const common = { user_id: userId, token_id: tokenId, type: LOG_TYPE.consumption, username: "mia", hidden };
      const texts = { content: "", token_name: "main", model_name: "o3", detail: "" };
      const counts = { prompt_tokens: 1, completion_tokens: 1, channel_id: 1, elapsed_time: 5, is_stream: 0 as const };
      const rows = ages.map((age, index) => ({
        ...common,
        ...texts,
        ...counts,
        quota: 3,
        token_amount: 2,
        created_at: now - age,
        request_id: `${userId}-${tokenId}-${hidden}-${age}-${index}`,
      }));
      await db.insertInto("logs").values(rows).execute();
      await subtract(1, userId, 3 * rows.length, 3 * rows.length);
      await subtract(2, tokenId, 2 * rows.length, 3 * rows.length);
    }
    const subtract = (kind: 1 | 2, account: number, amount: number, used: number) =>
      sql`update shares set remaining = remaining - ${amount}, used = used + ${used} where kind = ${kind} and account = ${account} and owner = 0`.execute(testApp.database.db); // prettier-ignore
    const clear = (target: number) => admin.client.data(clearLogs, { query: { target_timestamp: target } });
    const count = async () => (await testApp.database.db.selectFrom("logs").select("id").execute()).length;

    test("[OPER-33] [CALL-44] [ROLE-12] older entries are removed and counted, and balances match", async () => {
      const { user, client } = await testApp.logInAs("user", { quota: 100_000 });
      const token = await createTestToken(testApp.database, user.id, 10_000);
      const old = Array.from({ length: 1_300 }, () => 40 * DAY);
      await charge(user.id, token, [...old, 30 * DAY, 30 * DAY - 1, DAY, 60]);
      await charge(user.id, token, [50 * DAY, 50 * DAY], 1);
      assert.deepEqual(await checkBalances(testApp.database), []);
      assert.equal((await client.send(clearLogs, { query: { target_timestamp: now } })).status, 403);

      const query = { target_timestamp: now - 30 * DAY };
      assert.deepEqual(await admin.client.data(getLogClearing, { query }), { entries: 1_300, cleared: null });
      assert.equal(await clear(now - 30 * DAY), 1_300, "the time itself stays, and what nobody saw is not counted");
      assert.equal(await count(), 4);
      assert.equal((await admin.client.data(listLogs, { query: {} })).length, 4);
      assert.deepEqual(await checkBalances(testApp.database), []);
      assert.equal(await clear(now - 30 * DAY), 0, "a second time finds nothing");

      assert.equal(await clear(now + 1), 4);
      assert.equal((await admin.client.data(listLogs, { query: {} })).length, 0);
      assert.equal(await count(), 1, "a charge of the last hour is hidden, for a settlement that asks again");
      assert.deepEqual(await checkBalances(testApp.database), []);
    });

    test("entries are removed in steps wherever they are, and no others", async () => {
      const { database } = testApp;
      const { user } = await testApp.logInAs("user", { quota: 100_000 });
      const token = await createTestToken(database, user.id, 10_000);
      const agesLeft = async () => {
        const rows = await database.db
          .selectFrom("logs")
          .select("created_at")
          .where("user_id", "=", user.id)
          .orderBy("id")
          .execute();
        return rows.map(({ created_at }) => now - created_at);
      };
      await charge(user.id, token, [31 * DAY, 12 * DAY, 30 * DAY]);
      await charge(
        user.id,
        token,
        Array.from({ length: 1_500 }, (_, index) => 12 * DAY - index),
      );
      // A slow request, one charged with a wrong clock, and a hidden one in a range without others of that
      // time.
      await charge(user.id, token, [40 * DAY, 8 * DAY]);
      await charge(
        user.id,
        token,
        Array.from({ length: 150 }, (_, index) => 8 * DAY - index),
      );
      await charge(user.id, token, [50 * DAY], 1);
      await charge(
        user.id,
        token,
        Array.from({ length: 250 }, (_, index) => 6 * DAY - index),
      );
      await charge(user.id, token, [35 * DAY, 5 * DAY]);
      const all = await agesLeft();

      assert.equal(await clear(now - 30 * DAY), 3);
      const young = all.filter((age) => age <= 30 * DAY);
      assert.equal(young.length, all.length - 4);
      assert.deepEqual(await agesLeft(), young, "with batches");
      await charge(user.id, token, [45 * DAY]);
      assert.equal(await clear(now - 30 * DAY), 1);
      assert.deepEqual(await agesLeft(), young, "without batches, which went with the first that was cleared");
      assert.equal(await clear(now - 7 * DAY), young.filter((age) => age > 7 * DAY).length);
      assert.deepEqual(await agesLeft(), young.filter((age) => age <= 7 * DAY)); // prettier-ignore
      await clear(now - DAY);
      assert.deepEqual(await agesLeft(), []);
      assert.deepEqual(await checkBalances(database), []);
    });

    test("a clearing in the background answers at once, and ends when nothing older is left", async () => {
      const { user, client } = await testApp.logInAs("user", { quota: 100_000 });
      const token = await createTestToken(testApp.database, user.id, 10_000);
      await charge(user.id, token, Array.from({ length: 1_500 }, (_, index) => 2 * DAY + index)); // prettier-ignore
      const body = { target_timestamp: now - DAY };
      assert.equal((await client.send(startLogClearing, { body })).status, 403);
      assert.deepEqual(await admin.client.data(startLogClearing, { body }), { entries: 1_500 });
      assert.equal((await admin.client.send(startLogClearing, { body })).envelope?.code, "log-clearing-running");
      const look = () => admin.client.data(getLogClearing, { query: body });
      await waitUntil(async () => (await look()).cleared === null);
      assert.deepEqual(await look(), { entries: 0, cleared: null });
      assert.deepEqual(await checkBalances(testApp.database), []);
      const audit = testApp.database.db.selectFrom("audit").select("detail").orderBy("id", "desc").limit(1);
      const { detail } = await audit.executeTakeFirstOrThrow();
      assert.deepEqual(JSON.parse(detail), { target: now - DAY, entries: 1_500 });
    });

    test("a server that stops ends a clearing in the background after its step", async () => {
      const { database, clock, log, logStore, relay, secrets, changes } = testApp.deps;
      const { user } = await testApp.logInAs("user", { quota: 100_000 });
      const token = await createTestToken(testApp.database, user.id, 10_000);
      await charge(user.id, token, Array.from({ length: 1_500 }, (_, index) => 2 * DAY + index)); // prettier-ignore
      const clearings = createLogClearings({ ledger: relay.ledger.quota, isDraining: () => false, log });
      const context = { ...contextOfGateway({ database, clock, secrets, changes }), logStore };
      await clearings.start(context, now - DAY);
      await clearings.stop();
      const left = (await clearings.look(context, now - DAY)).entries;
      assert.ok(left > 0, "two steps are needed");
      assert.equal(await clear(now - DAY), left);
    });

    test("two concurrent clearings remove each entry once", async () => {
      const { user } = await testApp.logInAs("user", { quota: 100_000 });
      const token = await createTestToken(testApp.database, user.id, 10_000);
      await charge(user.id, token, Array.from({ length: 1_500 }, (_, index) => 2 * DAY + index)); // prettier-ignore
      const query = { target_timestamp: now - DAY };
      const answers = await Promise.all([1, 2].map(() => admin.client.send(clearLogs, { query })));
      const outcomes = answers.map(({ envelope }) => envelope?.code ?? envelope?.data);
      assert.deepEqual(new Set(outcomes), new Set([1_500, "log-clearing-running"]));
      assert.deepEqual(await checkBalances(testApp.database), []);
    });

    test("entries older than LogRetentionDays are removed by the job; 0 disables it", async () => {
      const { user } = await testApp.logInAs("user", { quota: 100_000 });
      const token = await createTestToken(testApp.database, user.id, 10_000);
      await charge(user.id, token, [8 * DAY, 6 * DAY]);
      const { database, clock, log, logStore } = testApp.deps;
      const { options, relay } = testApp.deps;
      const retention = startLogRetentionJob(
        { database, clock, logStore },
        { options, ledger: relay.ledger.quota, runs: new JobRuns(clock, log) },
      );
      const left = async () =>
        (await database.db.selectFrom("logs").select("id").where("user_id", "=", user.id).execute()).length;
      await retention.runSoon();
      assert.equal(await left(), 2);
      await setOptions(testApp, { LogRetentionDays: "7" });
      await retention.runSoon();
      assert.equal(await left(), 1);
      assert.deepEqual(await checkBalances(database), []);
      await retention.stop();
    });

    test("one audit row is written, and an invalid time is refused", async () => {
      await testApp.database.db.deleteFrom("audit").execute();
      for (const target of ["", "0", "-5", "x"]) {
        const answer = await admin.client.send({ method: "DELETE", path: `/api/log/?target_timestamp=${target}` });
        assert.equal(answer.status, 400, target);
      }
      await clear(now - DAY);
      const rows = await testApp.database.db.selectFrom("audit").select(["action", "object", "detail"]).execute();
      assert.deepEqual(rows, [
        { action: "log.clear", object: "log", detail: JSON.stringify({ target: now - DAY, entries: 1 }) },
      ]);
    });

    test("usage of cleared entries is removed after UsageRetentionDays, also from dashboards; 0 disables it", async () => {
      const { user } = await testApp.logInAs("user", { quota: 100_000 });
      const token = await createTestToken(testApp.database, user.id, 10_000);
      await charge(user.id, token, [20 * DAY, 12 * DAY, 8 * DAY]);
      const { database, clock, log, logStore, options, relay } = testApp.deps;
      await clear(now - DAY);
      const retention = startLogRetentionJob(
        { database, clock, logStore },
        { options, ledger: relay.ledger.quota, runs: new JobRuns(clock, log) },
      );
      const daysLeft = async () => {
        const rows = await database.db
          .selectFrom("cleared_usage")
          .select("day")
          .where("user_id", "=", user.id)
          .orderBy("day")
          .execute();
        return rows.map(({ day }) => Math.floor(now / DAY) - day);
      };
      const client = await testApp.clientOf(user.id);
      const requestsAsked = async () =>
        (await client.data(getOwnDashboard, { query: { edges: `${now - 30 * DAY},${now}` } })).total.requests;
      await retention.runSoon();
      assert.deepEqual(await daysLeft(), [20, 12, 8]);
      assert.equal(await requestsAsked(), 3);
      await setOptions(testApp, { UsageRetentionDays: "10" });
      await retention.runSoon();
      assert.deepEqual(await daysLeft(), [8]);
      assert.equal(await requestsAsked(), 1);
      assert.deepEqual(await checkBalances(database), []);
      await retention.stop();
    });
  });
}
