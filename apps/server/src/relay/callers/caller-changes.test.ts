import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { connectDatabase } from "@one-api/database/connect-database";
import type { OpenDatabase } from "@one-api/database/open-database";
import { createMigratedDatabase, openTestDatabase, whyMissing } from "@one-api/database/test-databases";
import { createQuotaLedger } from "@one-api/ledger/quota-in-transaction";
import { sql } from "kysely";
import { systemClock } from "../../platform/clock.ts";
import { createTestToken } from "../../testing/create-test-token.ts";
import { createTestUser } from "../../testing/create-test-user.ts";
import { waitUntil } from "@one-api/database/testing/wait-until";
import { type CallerChanges, listenForCallerChanges } from "./caller-changes.ts";

it("is not needed if no other server can change callers", async (t) => {
  const database = await openTestDatabase("sqlite");
  t.after(() => database.close());
  assert.equal(listenForCallerChanges(database, systemClock), undefined);
});

describe("changes of callers on PostgreSQL", { skip: whyMissing("postgres") ?? false }, () => {
  /** A server that listens, with a test's clock, and another server's connection. */
  async function start(t: TestContext) {
    const made = await createMigratedDatabase("postgres");
    const [own, other] = [await connectDatabase(made.location), await connectDatabase(made.location)];
    let aheadMs = 0;
    const clock = { ...systemClock, monotonicMs: () => systemClock.monotonicMs() + aheadMs };
    const changes = listenForCallerChanges(own, clock);
    assert.ok(changes);
    t.after(async () => {
      await changes.stop();
      await own.close();
      await other.close();
      await made.remove();
    });
    await waitUntil(async () => changes.isCurrent);
    return { changes, own, other, passMs: (ms: number) => (aheadMs += ms) };
  }

  /** Returns the users reported as changed after the work is done and earlier changes have arrived. */
  async function changedBy(changes: CallerChanges, userIds: readonly number[], work: () => Promise<unknown>) {
    const before = changes.count;
    await work();
    await waitUntil(async () => changes.count > before);
    return userIds.filter((id) => changes.hasChanged(id, before));
  }

  it("receives each change of a user, a token or a budget by another connection, and no change made by requests", async (t) => {
    const { changes, other } = await start(t);
    const { db } = other;
    const [user, bystander] = [
      await createTestUser(other, systemClock, "user"),
      await createTestUser(other, systemClock, "user"),
    ];
    const tokenId = await createTestToken(other, user.id, 1_000);
    const quota = createQuotaLedger();
    const budgetOf = (amount: number) => ({ quota: amount, period: "daily" as const });
    const setBudget = (amount: number | undefined) =>
      quota.setBudget(db, {
        userId: user.id,
        tokenId,
        budget: amount === undefined ? null : budgetOf(amount),
        at: 1,
      });
    const token = db.updateTable("tokens").where("id", "=", tokenId);
    const works: readonly (() => Promise<unknown>)[] = [
      () => db.updateTable("users").set({ status: 2 }).where("id", "=", user.id).execute(),
      () => db.updateTable("users").set({ group: "vip" }).where("id", "=", user.id).execute(),
      () => token.set({ status: 2 }).execute(),
      () => token.set({ rpm_limit: 7 }).execute(),
      () => setBudget(10),
      () => setBudget(20),
      () => setBudget(undefined),
      () => db.deleteFrom("tokens").where("id", "=", tokenId).execute(),
      () => db.deleteFrom("users").where("id", "=", user.id).execute(),
    ];
    for (const work of works)
      assert.deepEqual(await changedBy(changes, [user.id, bystander.id], work), [user.id], work.toString());

    const before = changes.count;
    await quota.grant(db, { userId: bystander.id, amount: 5, note: "", at: 1 });
    await changedBy(changes, [], () => sql`select pg_notify('one_api_callers', 'changed 0')`.execute(db));
    assert.equal(changes.hasChanged(bystander.id, before), false, "the ledger tracks balances");
  });

  it("receives changes in the order of commits, and no change that was rolled back", async (t) => {
    const { changes, other } = await start(t);
    const user = await createTestUser(other, systemClock, "user");
    const before = changes.count;
    const failing = other.db.transaction().execute(async (transaction) => {
      await transaction.updateTable("users").set({ status: 2 }).where("id", "=", user.id).execute();
      throw new Error("The test rolls this back.");
    });
    await assert.rejects(failing, /rolls this back/);
    await changedBy(changes, [], () => sql`select pg_notify('one_api_callers', 'changed 0')`.execute(other.db));
    assert.equal(changes.hasChanged(user.id, before), false);
  });

  it("is not current without its own heartbeat of the last second, and takes all callers as changed after a reconnect", async (t) => {
    const { changes, other, passMs } = await start(t);
    const count = changes.count;
    assert.equal(changes.hasChanged(1, count), false);
    passMs(1_000);
    assert.equal(changes.isCurrent, false);
    await waitUntil(async () => changes.isCurrent);
    await breakListening(other);
    await waitUntil(async () => changes.count > count);
    assert.equal(changes.hasChanged(1, count), true, "notifications in between are lost");
    await waitUntil(async () => changes.isCurrent);
    assert.equal(changes.hasChanged(1, changes.count), false);
  });
});

async function breakListening({ db }: OpenDatabase): Promise<void> {
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'listen%'`.execute(db); // prettier-ignore
}
