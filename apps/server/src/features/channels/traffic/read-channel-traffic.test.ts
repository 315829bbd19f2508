import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { getChannelTraffic } from "@one-api/contract/usage/channel-traffic";
import { LOG_TYPE } from "@one-api/contract/logs/log";
import { DATABASE_KINDS, whyMissing } from "@one-api/database/test-databases";
import type { TestClient } from "../../../testing/test-client.ts";
import { type ChannelTestApp, createChannelTestApp } from "../testing/create-channel-test-app.ts";

for (const kind of DATABASE_KINDS) {
  describe(`a channel's requests of the last day on ${kind}`, { skip: whyMissing(kind) ?? false }, () => {
    let app: ChannelTestApp;
    let admin: TestClient;
    before(async () => {
      app = await createChannelTestApp(kind);
      admin = await app.clientAs("admin");
    });
    after(() => app.close());

    test("are counted by result and model, with the models in cooldown", async () => {
      const body = { models: "gpt-4o,alias", model_mapping: '{"alias":"real"}', soft_limit_usd: 5 };
      const [id, other] = [await app.addChannel(admin, body), await app.addChannel(admin)];
      const { db } = app.testApp.database;
      await db
        .updateTable("channels")
        .set({ used_quota: 900, soft_limit_base_quota: 400 })
        .where("id", "=", id)
        .execute();
      const now = Math.floor(app.testApp.clock.nowMs() / 1000);
      let request = 0;
      const entry = (more: object) => ({
        user_id: 1,
        created_at: now - 60,
        type: LOG_TYPE.consumption,
        content: "",
        username: "root",
        token_name: "",
        model_name: "gpt-4o",
        quota: 10,
        prompt_tokens: 3,
        completion_tokens: 4,
        channel_id: id,
        request_id: `request ${(request += 1)}`,
        elapsed_time: 5,
        is_stream: 0 as const,
        first_byte_ms: 0,
        detail: "",
        result: "ok",
        ...more,
      });
      await db
        .insertInto("logs")
        .values([
          entry({}),
          entry({ model_name: "alias", is_stream: 1, first_byte_ms: 250 }),
          entry({ result: "timeout", quota: 0 }),
          entry({ result: "caller-gone" }),
          entry({ model_name: "gone", result: "provider-failed", quota: 0 }),
          entry({ channel_id: other }),
          entry({ created_at: now - 86_401 }),
          entry({ type: LOG_TYPE.test, request_id: "" }),
          entry({ type: LOG_TYPE.refund, result: "gateway-failed", quota: 4, prompt_tokens: 0, completion_tokens: 0 }),
        ])
        .execute();
      const until = now + 60;
      app.around.states.set(`${id} real`, { rest: "rate-limited", untilSeconds: until, latencyMs: 119.6 });
      const { from, to, results, models, ...day } = await admin.data(getChannelTraffic, { params: { id } });
      assert.deepEqual([from, to], [now - 86_400, now]);
      const firstByte = { first_byte_p50_ms: 249, first_byte_p95_ms: 255, first_byte_p99_ms: 256 };
      assert.deepEqual(day, { requests: 5, errors: 2, quota: 26, tokens: 35, ...firstByte, spent_quota: 500 });
      assert.deepEqual(results[0], { result: "ok", requests: 2 });
      assert.deepEqual(results.slice(1).toSorted((left, right) => left.result.localeCompare(right.result)), [
        { result: "caller-gone", requests: 1 },
        { result: "provider-failed", requests: 1 },
        { result: "timeout", requests: 1 },
      ]); // prettier-ignore
      assert.deepEqual(
        models.map(({ model, served, rest, until: at, latency_ms: latency, requests, errors, quota }) => [model, served, rest, at, latency, requests, errors, quota]),
        [
          ["gpt-4o", true, "", 0, null, 3, 1, 16],
          ["alias", true, "rate-limited", until, 120, 1, 0, 10],
          ["gone", false, "", 0, null, 1, 1, 0],
        ],
      ); // prettier-ignore
      const week = await admin.data(getChannelTraffic, { params: { id }, query: { days: 7 } });
      assert.deepEqual([week.from, week.requests], [now - 7 * 86_400, 6]);
      const tooLong = await admin.send(getChannelTraffic, { params: { id }, query: { days: 31 } });
      assert.equal(tooLong.envelope?.success, false);
      const unknown = await admin.send(getChannelTraffic, { params: { id: 999_999 } });
      assert.equal(unknown.envelope?.code, "channel-not-found");
    });
  });
}
