import assert from "node:assert/strict";
import { test } from "node:test";
import { eachDatabase } from "@one-api/database/test-databases";
import { createTestMails } from "../../testing/create-test-mails.ts";
import { createTestUser } from "../../testing/create-test-user.ts";
import { takePendingAlerts } from "../alerts/index.ts";
import { alertUsedBudgets } from "./index.ts";

eachDatabase((open) => {
  test("a budget's use is reported once at 50, 80 and 100%, and again in the next period", async () => {
    const mails = await createTestMails(await open());
    const { db } = mails.database;
    const now = () => Math.floor(mails.clock.nowMs() / 1000);
    const { id: user_id } = await createTestUser(mails.database, mails.clock, "user", { username: "mia" });
    const budget = { user_id, token_id: 0, amount: 1_000_000, period: "daily", since: now() };
    const { id: budget_id } = await db.insertInto("budgets").values(budget).returning("id").executeTakeFirstOrThrow();
    const startWindow = async () => {
      const window = { budget_id, window_start: now() - (now() % 86_400), removed: 0 };
      const made = await db.insertInto("budget_windows").values(window).returning("id").executeTakeFirstOrThrow();
      await db.insertInto("shares").values({ kind: 3, account: made.id, owner: 0, remaining: 1_000_000 }).execute();
    };
    const use = (spent: number) =>
      db
        .updateTable("shares")
        .set({ remaining: 1_000_000 - spent })
        .where("kind", "=", 3)
        .execute();
    const reported = async () => {
      await Promise.all([alertUsedBudgets(mails), alertUsedBudgets(mails)]);
      const alerts = await takePendingAlerts(db);
      return alerts.map(({ alert }) => ("percent" in alert ? `${alert.percent} ${alert.used}/${alert.limit}` : ""));
    };
    await startWindow();
    await use(499_999);
    assert.deepEqual(await reported(), []);
    await use(500_000);
    assert.deepEqual(await reported(), ["50 $1.00/$2.00"]);
    await use(799_999);
    assert.deepEqual(await reported(), []);
    await use(1_000_000);
    assert.deepEqual(await reported(), ["100 $2.00/$2.00"]);
    assert.deepEqual(await reported(), []);
    mails.clock.advanceSeconds(86_400);
    assert.deepEqual(await reported(), [], "the period is over");
    await startWindow();
    await use(800_000);
    assert.deepEqual(await reported(), ["80 $1.60/$2.00"]);
  });
});
