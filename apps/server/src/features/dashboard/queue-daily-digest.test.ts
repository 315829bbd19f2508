import assert from "node:assert/strict";
import { test } from "node:test";
import { sampleLog } from "@one-api/database/testing/sample-rows";
import { NO_LOG_STORE } from "@one-api/log-store/no-log-store";
import { createTestApp } from "../../testing/create-test-app.ts";
import { takePendingAlerts } from "../alerts/index.ts";
import { queueDailyDigest } from "./index.ts";

const DAY_SECONDS = 86_400;

test("the digest of the day before is queued once a day, after midnight in UTC", async (t) => {
  const app = await createTestApp();
  t.after(() => app.close());
  const { database, clock, deps } = app;
  const { user } = await app.logInAs("user");
  const at = Math.floor(clock.nowMs() / 1_000);
  const request = { user_id: user.id, created_at: at, model_name: "o3" };
  const logs = [
    sampleLog({ ...request, quota: 1_500_000, result: "ok" }),
    sampleLog({ ...request, quota: 0, result: "timeout" }),
  ];
  await database.db.insertInto("logs").values(logs).execute();
  const queue = async () => {
    await Promise.all([queueDailyDigest(deps, deps.options), queueDailyDigest(deps, deps.options)]);
    return (await takePendingAlerts(database.db)).map(({ alert }) => alert);
  };
  await queue();
  clock.advanceSeconds(DAY_SECONDS - (at % DAY_SECONDS) + 299);
  assert.deepEqual(await queue(), [], "requests of the day may still run");
  clock.advanceSeconds(1);
  assert.equal(await queueDailyDigest({ ...deps, logStore: NO_LOG_STORE }, deps.options), false);
  const day = new Date(at * 1_000).toISOString().slice(0, 10);
  const models = [{ name: "o3", spent: "$3.00" }];
  assert.deepEqual(await queue(), [{ kind: "daily-digest", day, requests: 2, errors: 1, spent: "$3.00", models }]);
  assert.deepEqual(await queue(), []);
});
