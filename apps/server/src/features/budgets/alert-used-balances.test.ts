import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { eachDatabase } from "@one-api/database/test-databases";
import { createQuotaLedger } from "@one-api/ledger/quota-in-transaction";
import { inTransaction } from "../../core/transaction.ts";
import { createTestMails, type TestMails } from "../../testing/create-test-mails.ts";
import { createTestUser } from "../../testing/create-test-user.ts";
import { setPool } from "../../testing/ledger/set-pool.ts";
import { takePendingAlerts } from "../alerts/index.ts";
import { alertUsedBalances } from "./index.ts";

eachDatabase((open) => {
  const ledger = createQuotaLedger();
  let mails: TestMails;
  beforeEach(async () => {
    mails = await createTestMails(await open());
  });

  const addUser = (username: string, quota: number) =>
    createTestUser(mails.database, mails.clock, "user", { username, quota });
  /** Changes the balance like requests. */
  const leave = (kind: "user" | "token", id: number, remaining: number) =>
    setPool(mails.database, kind, id, { remaining, used: 1 });
  const reported = async () => {
    await Promise.all([alertUsedBalances(mails), alertUsedBalances(mails)]);
    return (await takePendingAlerts(mails.database.db)).map(({ alert }) => {
      assert.ok(alert.kind === "balance-used");
      return `${alert.token ?? alert.user} ${alert.since}-${alert.percent} ${alert.used}/${alert.limit}`;
    });
  };
  const grant = (userId: number, amount: number) =>
    inTransaction(mails.database, (transaction) =>
      ledger.grant(transaction, { userId, amount, note: "top-up", at: later() }),
    );
  const later = () => {
    mails.clock.advanceSeconds(60);
    return Math.floor(mails.clock.nowMs() / 1000);
  };

  test("the use of a balance since the last top-up is reported once at 50, 80 and 100%", async () => {
    const { id } = await addUser("mia", 1_000_000);
    assert.deepEqual(await reported(), []);
    await leave("user", id, 500_001);
    assert.deepEqual(await reported(), []);
    await leave("user", id, 500_000);
    assert.deepEqual(await reported(), ["mia 0-50 $1.00/$2.00"]);
    await leave("user", id, 0);
    assert.deepEqual(await reported(), ["mia 50-100 $2.00/$2.00"], "one alert for several marks");
    assert.deepEqual(await reported(), []);
  });

  test("marks that no receiver chose are neither queued nor in the way of others", async () => {
    const { id } = await addUser("mia", 1_000_000);
    await leave("user", id, 400_000);
    assert.equal(await alertUsedBalances(mails, [80]), 0);
    await leave("user", id, 150_000);
    assert.equal(await alertUsedBalances(mails, [80]), 1);
    assert.deepEqual(await reported(), ["mia 0-80 $1.70/$2.00"], "one alert, and no later one of 50%");
  });

  test("a top-up begins anew with the whole balance after it", async () => {
    const { id } = await addUser("mia", 1_000_000);
    await leave("user", id, 400_000);
    assert.deepEqual(await reported(), ["mia 0-50 $1.20/$2.00"]);
    await grant(id, 1_600_000);
    assert.deepEqual(await reported(), []);
    await leave("user", id, 1_000_000);
    assert.deepEqual(await reported(), ["mia 0-50 $2.00/$4.00"]);
    await leave("user", id, 100_000);
    await reported();
    // Used again before the next check.
    await grant(id, 900_000);
    await leave("user", id, 450_000);
    assert.deepEqual(await reported(), ["mia 0-50 $1.10/$2.00"]);
    const setting = { userId: id, to: 200_000, note: "set", at: later() };
    await inTransaction(mails.database, (transaction) => ledger.setUserQuota(transaction, setting));
    await leave("user", id, 40_000);
    assert.deepEqual(await reported(), ["mia 0-80 $0.32/$0.40"], "also a lower balance that an administrator sets");
  });

  test("the quota of a limited token is reported; an unlimited token, a disabled user and unused quota are not", async () => {
    const owner = await addUser("noa", 10_000_000);
    const add = async (name: string, unlimited_quota: 0 | 1) => {
      const texts = { name, key_hmac: name, key_cipher: "", models: "", subnet: "", email: "", custom_contact: "" };
      const limits = { rpm_limit: 0, dpm_limit: 0, tpm_limit: 0, moderations_enable: 0 } as const;
      const times = { created_time: 1, expired_time: -1 };
      const token = { ...texts, ...limits, ...times, user_id: owner.id, status: 1, unlimited_quota };
      const row = { ...token, quota_ceiling: 1_000_000 };
      return (await mails.database.db.insertInto("tokens").values(row).returning("id").executeTakeFirstOrThrow()).id;
    };
    const [limited, unlimited] = [await add("limited", 0), await add("unlimited", 1)];
    const { id: off } = await addUser("off", 1_000_000);
    await mails.database.db.updateTable("users").set({ status: 2 }).where("id", "=", off).execute();
    await leave("token", limited, 200_000);
    await leave("token", unlimited, 0);
    await leave("user", off, 0);
    assert.deepEqual(await reported(), ["limited 0-80 $1.60/$2.00"]);
  });

  test("quota that a batch has reserved is not used", async () => {
    const { id } = await addUser("batched", 1_000_000);
    const { db } = mails.database;
    const owner = { id: 77, state: "batch", request_id: "batch-1" };
    await db.insertInto("owners").values(owner).execute();
    await db.insertInto("shares").values({ kind: 1, account: id, owner: 77, remaining: 700_000 }).execute();
    await leave("user", id, 300_000);
    assert.deepEqual(await reported(), []);
    await grant(id, 1_000_000);
    await leave("user", id, 300_000);
    assert.deepEqual(await reported(), ["batched 0-50 $2.00/$4.00"], "the balance after a top-up includes it");
  });
});
