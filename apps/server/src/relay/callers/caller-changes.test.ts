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
import { waitUntil } from "../../testing/wait-until.ts";
import { type CallerChanges, listenForCallerChanges } from "./caller-changes.ts";

it("is not needed where nobody else can change callers", async (t) => {
  const database = await openTestDatabase("sqlite");
  t.after(() => database.close());
  assert.equal(listenForCallerChanges(database, systemClock), undefined);
});

describe("changes of callers on PostgreSQL", { skip: whyMissing("postgres") ?? false }, () => {
  /** A server that listens, on a clock that a test moves on, and the connection of another one. */
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
    await waitUntil(async () => changes.hears);
    return { changes, own, other, passMs: (ms: number) => (aheadMs += ms) };
  }

  /** Returns of which users a change was heard once the work is done and all before it was heard. */
  async function changedBy(changes: CallerChanges, userIds: readonly number[], work: () => Promise<unknown>) {
    const before = changes.count;
    await work();
    await waitUntil(async () => changes.count > before);
    return userIds.filter((id) => changes.hasChanged(id, before));
  }

  it("hears of each change of a user, a token or a budget by another connection, and of nothing that requests change", async (t) => {
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
    assert.equal(changes.hasChanged(bystander.id, before), false, "what is left is the ledger's to know");
  });

  it("hears of changes in the order of commits: a change that was rolled back is none", async (t) => {
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

  it("does not hear once its own word of the last second has not come, and takes all as changed once it listens again", async (t) => {
    const { changes, other, passMs } = await start(t);
    const count = changes.count;
    assert.equal(changes.hasChanged(1, count), false);
    passMs(1_000);
    assert.equal(changes.hears, false);
    await waitUntil(async () => changes.hears);
    await breakListening(other);
    await waitUntil(async () => changes.count > count);
    assert.equal(changes.hasChanged(1, count), true, "what was told meanwhile is missed");
    await waitUntil(async () => changes.hears);
    assert.equal(changes.hasChanged(1, changes.count), false);
  });
});

/** Ends the connections that listen. */
async function breakListening({ db }: OpenDatabase): Promise<void> {
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'listen%'`.execute(db); // prettier-ignore
}
