import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { listChannels, searchChannels } from "@one-api/contract/channels/channel";
import { foreseeChannelsOff } from "@one-api/contract/channels/channel-effect";
import { listChannelGroups, listChannelTraffic } from "@one-api/contract/usage/channel-traffic";
import { LOG_TYPE } from "@one-api/contract/logs/log";
import { DATABASE_KINDS, whyMissing } from "@one-api/database/test-databases";
import { sampleLog } from "@one-api/database/testing/sample-rows";
import type { TestClient } from "../../../testing/test-client.ts";
import { type ChannelTestApp, createChannelTestApp } from "../testing/create-channel-test-app.ts";

for (const kind of DATABASE_KINDS) {
  describe(`the requests of all channels on ${kind}`, { skip: whyMissing(kind) ?? false }, () => {
    let app: ChannelTestApp;
    let admin: TestClient;
    let main = 0;
    let spare = 0;
    let off = 0;
    let azure = 0;
    before(async () => {
      app = await createChannelTestApp(kind);
      admin = await app.clientAs("admin");
      main = await app.addChannel(admin, { name: "main", models: "gpt-4o, o3", group: "default,vip", tags: "eu,big" });
      spare = await app.addChannel(admin, { name: "spare", models: "gpt-4o", tags: "us" });
      off = await app.addChannel(admin, { name: "off", models: "gpt-4o,o3", tags: "eu" });
      azure = await app.addChannel(admin, { name: "azure", type: 14, models: "claude", group: "vip" });
      const { db } = app.testApp.database;
      await db.updateTable("channels").set({ status: 3 }).where("id", "=", off).execute();
      const rows = [
        ...Array.from({ length: 30 }, (_, index) => ({
          result: index < 3 ? "timeout" : "ok",
          user_id: 1 + (index % 3),
        })),
        { user_id: 9, model_name: "gpt-4o" },
        { channel_id: spare, model_name: "gpt-4o", cost: 3 },
        { channel_id: spare, model_name: "gpt-4o", created_at: now() - 90_000 },
      ];
      for (const [index, row] of rows.entries())
        await db
          .insertInto("logs")
          .values(
            sampleLog({
              type: LOG_TYPE.consumption,
              created_at: now() - 60,
              model_name: "o3",
              channel_id: main,
              result: "ok",
              quota: 10,
              cost: -1,
              is_stream: 1,
              first_byte_ms: 250,
              request_id: `request ${index}`,
              ...row,
            }),
          )
          .execute();
    });
    after(() => app.close());

    const now = () => Math.floor(app.testApp.clock.nowMs() / 1000);
    const names = (rows: readonly { name: string }[]) => rows.map(({ name }) => name);

    test("come in one answer, by the hour", async () => {
      const { to, channels } = await admin.data(listChannelTraffic);
      assert.ok(to > now() && to <= now() + 1_800);
      assert.deepEqual(
        channels.map(({ id, requests, errors, quota, cost, hours }) => [id, requests, errors, quota, cost, hours.length, hours.at(-1)]),
        [
          [main, 31, 3, 310, 310, 24, 31],
          [spare, 1, 0, 10, 3, 24, 1],
        ],
      ); // prettier-ignore
      const user = await app.clientAs("user");
      assert.equal((await user.send(listChannelTraffic)).status, 403);
    });

    test("sort the list, page by page", async () => {
      const list = async (query: Record<string, string | number>) => names(await admin.data(listChannels, { query }));
      assert.deepEqual(await list({ order: "trouble" }), ["off", "main", "azure", "spare"]);
      assert.deepEqual(await list({ order: "trouble", direction: "asc" }), ["azure", "spare", "main", "off"]);
      assert.deepEqual(await list({ order: "requests" }), ["main", "spare", "azure", "off"]);
      const ranked = { order: "trouble", p: 1, size: 10 } as const;
      assert.deepEqual(await list(ranked), []);
    });

    test("are added up by type and tag, and groups stand together", async () => {
      const list = async (query: Record<string, string | number>) => names(await admin.data(listChannels, { query }));
      assert.deepEqual(await list({ grouped_by: "tag", order: "requests" }), ["main", "off", "spare", "azure"]);
      assert.deepEqual(await list({ grouped_by: "type", order: "name" }), ["azure", "main", "off", "spare"]);
      const groups = await admin.data(listChannelGroups, { query: { grouped_by: "tag" } });
      assert.deepEqual(
        groups.toSorted((left, right) => (left.name < right.name ? -1 : 1)),
        [
          { name: "", channels: 1, auto_disabled: 0, requests: 0, errors: 0, quota: 0 },
          { name: "eu", channels: 2, auto_disabled: 1, requests: 31, errors: 3, quota: 310 },
          { name: "us", channels: 1, auto_disabled: 0, requests: 1, errors: 0, quota: 10 },
        ],
      );
      const found = { grouped_by: "type", keyword: "o3", also: "models" } as const;
      assert.deepEqual(
        (await admin.data(listChannelGroups, { query: found })).map(({ name, channels }) => [name, channels]),
        [["1", 2]],
      );
    });

    test("a search finds the beginning of a model's name on demand", async () => {
      const search = async (keyword: string, also: "" | "models" = "models") =>
        names(await admin.data(searchChannels, { query: { keyword, also } }));
      assert.deepEqual(await search("O3"), ["off", "main"]);
      assert.deepEqual(await search("4o"), []);
      assert.deepEqual(await search("o3", ""), []);
      assert.deepEqual(await search("spa"), ["spare"]);
    });

    test("say what would be lost without some channels, and for how many users", async () => {
      const foresee = (ids: number[]) => admin.data(foreseeChannelsOff, { query: { ids: ids.join() } });
      assert.deepEqual(await foresee([main]), {
        lost: 2,
        models: [
          { model: "gpt-4o", groups: ["vip"], is_partly: true },
          { model: "o3", groups: ["default", "vip"], is_partly: false },
        ],
        users: 4,
      });
      assert.deepEqual(await foresee([spare, off]), { lost: 0, models: [], users: 0 });
      assert.deepEqual(await foresee([azure]), {
        lost: 1,
        models: [{ model: "claude", groups: ["vip"], is_partly: false }],
        users: 0,
      });
      const user = await app.clientAs("user");
      assert.equal((await user.send(foreseeChannelsOff, { query: { ids: String(main) } })).status, 403);
    });
  });
}
