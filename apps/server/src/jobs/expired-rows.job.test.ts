import assert from "node:assert/strict";
import { test } from "node:test";
import { eachDatabase } from "@one-api/database/test-databases";
import { sampleUser } from "@one-api/database/testing/sample-rows";
import { createLog } from "../platform/logging/create-log.ts";
import { createTestClock } from "../testing/test-clock.ts";
import { JobRuns } from "../platform/work/job-runs.ts";
import { startExpiredRowsJob } from "./expired-rows.job.ts";

/** More than one step removes. */
const ROWS = 1_100;

eachDatabase((open) => {
  test("rows are removed once they are over, in steps, and others stay", async () => {
    const database = await open();
    const { db } = database;
    const clock = createTestClock();
    const now = Math.floor(clock.nowMs() / 1_000);
    const user = await db.insertInto("users").values(sampleUser()).returning("id").executeTakeFirstOrThrow();
    const counts = Array.from({ length: ROWS }, (_, index) => ({ subject: `over ${index}`, made: 1, ends_at: now }));
    await db.insertInto("request_counts").values(counts).execute();
    for (const [name, at] of [
      ["over", now],
      ["open", now + 1],
    ] as const) {
      await db.insertInto("request_counts").values({ subject: name, made: 1, ends_at: at }).execute();
      const session = { user_id: user.id, created_at: 1, last_seen_at: now, address: "", user_agent: "" };
      await db
        .insertInto("sessions")
        .values({ ...session, id_hash: name, expires_at: at })
        .execute();
      const step = { purpose: "", user_id: 0, challenge: "", tries_left: 1 };
      await db
        .insertInto("login_steps")
        .values({ ...step, id_hash: name, expires_at: at })
        .execute();
      await db
        .insertInto("oauth_states")
        .values({ state_hash: name, browser_hash: "", user_id: 0, expires_at: at })
        .execute();
      const code = { purpose: "", requester: "", code_hash: "", tries_left: 1, others_tries_left: 1 };
      await db
        .insertInto("email_codes")
        .values({ ...code, email: name, expires_at: at })
        .execute();
      const answer = { user_id: user.id, request_hmac: "", answer_cipher: "" };
      await db
        .insertInto("idempotent_answers")
        .values({ ...answer, key_hash: name, expires_at: at })
        .execute();
    }
    for (const id of [user.id, user.id + 1])
      await db.insertInto("alert_states").values({ kind: "user-quota", id, level: 1, at: 1 }).execute();
    await db.insertInto("alert_states").values({ kind: "channel-asleep", id: 7, level: 1, at: 1 }).execute();
    await db.insertInto("alert_states").values({ kind: "root-message", id: 0, level: 1, at: 1 }).execute();

    const receiver = { name: "", kind: "slack", address_cipher: "", secret_cipher: "", alerts: "[]", language: "en" };
    const quiet = { quiet_start: "", quiet_end: "", time_zone: "", enabled: 1, created_at: 1 } as const;
    const { id: receiver_id } = await db
      .insertInto("alert_receivers")
      .values({ ...receiver, ...quiet })
      .returning("id")
      .executeTakeFirstOrThrow();
    const monthAgo = now - 30 * 86_400;
    const delivery = { receiver_id, alerts: "[]", count: 0, next_at: now };
    for (const [status, created_at] of [
      ["delivered", monthAgo],
      ["waiting", monthAgo],
      ["given-up", monthAgo + 1],
    ] as const)
      await db
        .insertInto("alert_deliveries")
        .values({ ...delivery, status, created_at })
        .execute();

    const job = startExpiredRowsJob({ database, clock }, new JobRuns(clock, createLog("silent")));
    await job.runSoon();
    await job.stop();
    const left = await Promise.all([
      db.selectFrom("request_counts").select("subject as name").execute(),
      db.selectFrom("sessions").select("id_hash as name").execute(),
      db.selectFrom("login_steps").select("id_hash as name").execute(),
      db.selectFrom("oauth_states").select("state_hash as name").execute(),
      db.selectFrom("email_codes").select("email as name").execute(),
      db.selectFrom("idempotent_answers").select("key_hash as name").execute(),
    ]);
    for (const rows of left) assert.deepEqual(rows, [{ name: "open" }]);
    const alerts = await db.selectFrom("alert_states").select(["kind", "id"]).orderBy("kind").execute();
    assert.deepEqual(alerts, [
      { kind: "root-message", id: 0 },
      { kind: "user-quota", id: user.id },
    ]);
    const deliveries = await db.selectFrom("alert_deliveries").select("status").orderBy("id").execute();
    assert.deepEqual(deliveries, [{ status: "waiting" }, { status: "given-up" }]);
  });
});
