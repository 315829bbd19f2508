import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { getChannelTimes, TIMED_REQUESTS } from "@one-api/contract/usage/channel-traffic";
import { LOG_TYPE } from "@one-api/contract/logs/log";
import { DATABASE_KINDS, whyMissing } from "@one-api/database/test-databases";
import type { TestClient } from "../../../testing/test-client.ts";
import { type ChannelTestApp, createChannelTestApp } from "../testing/create-channel-test-app.ts";

for (const kind of DATABASE_KINDS) {
  describe(`answer times of a channel's models on ${kind}`, { skip: whyMissing(kind) ?? false }, () => {
    let app: ChannelTestApp;
    let admin: TestClient;
    let request = 0;
    before(async () => {
      app = await createChannelTestApp(kind);
      admin = await app.clientAs("admin");
    });
    after(() => app.close());

    const nowSeconds = () => Math.floor(app.testApp.clock.nowMs() / 1000);
    const entry = (channelId: number, more: object) => ({
      user_id: 1,
      created_at: nowSeconds() - 60,
      type: LOG_TYPE.consumption,
      content: "",
      username: "root",
      token_name: "",
      model_name: "gpt-4o",
      quota: 10,
      prompt_tokens: 3,
      completion_tokens: 4,
      channel_id: channelId,
      request_id: `request ${(request += 1)}`,
      elapsed_time: 900,
      is_stream: 0 as 0 | 1,
      first_byte_ms: 0,
      detail: "",
      result: "ok",
      ...more,
    });
    async function add(rows: readonly ReturnType<typeof entry>[]): Promise<void> {
      for (let from = 0; from < rows.length; from += 200)
        await app.testApp.database.db
          .insertInto("logs")
          .values(rows.slice(from, from + 200))
          .execute();
    }
    const timesOf = async (id: number) => {
      const { requests, models } = await admin.data(getChannelTimes, { params: { id } });
      return { requests, models: models.toSorted((left, right) => left.model.localeCompare(right.model)) };
    };

    test("are medians of the last day's answered requests, the first byte of streams only", async () => {
      const [id, other] = [await app.addChannel(admin), await app.addChannel(admin)];
      const stream = (first_byte_ms: number, elapsed_time: number) =>
        entry(id, { is_stream: 1, first_byte_ms, elapsed_time });
      await add([
        stream(100, 1_000),
        stream(9_000, 20_000),
        stream(300, 2_000),
        entry(id, { model_name: "o3", elapsed_time: 5_000, first_byte_ms: 4_999 }),
        entry(id, { result: "timeout", elapsed_time: 60_000 }),
        entry(id, { created_at: nowSeconds() - 86_401, elapsed_time: 1 }),
        entry(id, { type: LOG_TYPE.test, request_id: "", elapsed_time: 1 }),
        entry(other, { elapsed_time: 1 }),
      ]);
      assert.deepEqual(await timesOf(id), {
        requests: 4,
        models: [
          { model: "gpt-4o", requests: 3, first_byte_p50_ms: 300, duration_p50_ms: 2_000 },
          { model: "o3", requests: 1, first_byte_p50_ms: null, duration_p50_ms: 5_000 },
        ],
      });
    });

    test("consider a limited number of the newest requests", async () => {
      const id = await app.addChannel(admin);
      await add([
        entry(id, { model_name: "older" }),
        ...Array.from({ length: TIMED_REQUESTS }, () => entry(id, { elapsed_time: 7 })),
      ]);
      const models = [{ model: "gpt-4o", requests: TIMED_REQUESTS, first_byte_p50_ms: null, duration_p50_ms: 7 }];
      assert.deepEqual(await timesOf(id), { requests: TIMED_REQUESTS, models });
    });

    test("are for administrators, of existing channels", async () => {
      const id = await app.addChannel(admin);
      assert.deepEqual(await timesOf(id), { requests: 0, models: [] });
      const user = await app.clientAs("user");
      assert.equal((await user.send(getChannelTimes, { params: { id } })).status, 403);
      assert.equal((await app.testApp.client().send(getChannelTimes, { params: { id } })).status, 401);
      const unknown = await admin.send(getChannelTimes, { params: { id: 999_999 } });
      assert.equal(unknown.envelope?.code, "channel-not-found");
    });
  });
}
