import assert from "node:assert/strict";
import { test } from "node:test";
import { eachDatabase } from "@one-api/database/test-databases";
import { createTestMails, type TestMails } from "../../testing/create-test-mails.ts";
import { createTestUser } from "../../testing/create-test-user.ts";
import { alertText, takePendingAlerts } from "../alerts/index.ts";
import { alertUsedBudgets } from "./index.ts";

interface Subject {
  readonly user_id: number | null;
  readonly group_name?: string;
}

/** Uses a budget of $2 a day, and returns the texts of the alerts about it. */
async function followUse(mails: TestMails, subject: Subject) {
  const { db } = mails.database;
  const now = () => Math.floor(mails.clock.nowMs() / 1000);
  const budget = { ...subject, token_id: 0, amount: 1_000_000, period: "daily", since: now() };
  const { id: budget_id } = await db.insertInto("budgets").values(budget).returning("id").executeTakeFirstOrThrow();
  return {
    startWindow: async () => {
      const window = { budget_id, window_start: now() - (now() % 86_400), removed: 0 };
      const made = await db.insertInto("budget_windows").values(window).returning("id").executeTakeFirstOrThrow();
      await db.insertInto("shares").values({ kind: 3, account: made.id, owner: 0, remaining: 1_000_000 }).execute();
    },
    use: async (spent: number) => {
      const remaining = 1_000_000 - spent;
      await db.updateTable("shares").set({ remaining }).where("kind", "=", 3).execute();
    },
    reported: async () => {
      await Promise.all([alertUsedBudgets(mails), alertUsedBudgets(mails)]);
      return (await takePendingAlerts(db)).map(({ alert }) => alertText(alert, "en"));
    },
  };
}

eachDatabase((open) => {
  test("a budget's use is reported once at 50, 80 and 100%, and again in the next period", async () => {
    const mails = await createTestMails(await open());
    const { id } = await createTestUser(mails.database, mails.clock, "user", { username: "mia" });
    const { startWindow, use, reported } = await followUse(mails, { user_id: id });
    const told = (percent: number, used: string) => [
      `User mia has used ${percent}% of a daily budget: ${used} of $2.00.`,
    ];
    await startWindow();
    await use(499_999);
    assert.deepEqual(await reported(), []);
    await use(500_000);
    assert.deepEqual(await reported(), told(50, "$1.00"));
    await use(799_999);
    assert.deepEqual(await reported(), []);
    await use(1_000_000);
    assert.deepEqual(await reported(), told(100, "$2.00"));
    assert.deepEqual(await reported(), []);
    mails.clock.advanceSeconds(86_400);
    assert.deepEqual(await reported(), [], "the period is over");
    await startWindow();
    await use(800_000);
    assert.deepEqual(await reported(), told(80, "$1.60"));
  });

  test("a budget of a group is reported by its name", async () => {
    const mails = await createTestMails(await open());
    const { startWindow, use, reported } = await followUse(mails, { user_id: null, group_name: "team" });
    await startWindow();
    await use(800_000);
    assert.deepEqual(await reported(), ["Group team has used 80% of a daily budget: $1.60 of $2.00."]);
    assert.deepEqual(await reported(), []);
  });
});
