import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import {
  deleteChannel,
  deleteDisabledChannels,
  getChannel,
  listChannels,
  searchChannels,
  updateAbilities,
  updateChannel,
} from "@one-api/contract/channels/channel";
import { listChannelShares } from "@one-api/contract/channels/channel-share";
import { TOTAL_COUNT_HEADER } from "@one-api/contract/constants";
import { DATABASE_KINDS, whyMissing } from "@one-api/database/test-databases";
import type { TestClient } from "../../testing/test-client.ts";
import { disableChannelAutomatically, loadChannelForRelay, loadChannelsForRelay } from "./index.ts";
import { type ChannelTestApp, createChannelTestApp } from "./testing/create-channel-test-app.ts";

for (const kind of DATABASE_KINDS) {
  describe(`listing and deleting channels on ${kind}`, { skip: whyMissing(kind) ?? false }, () => {
    let app: ChannelTestApp;
    let admin: TestClient;
    before(async () => {
      app = await createChannelTestApp(kind);
      admin = await app.clientAs("admin");
    });
    after(() => app.close());

    const indexed = async (id: number) =>
      (
        await app.testApp.database.db
          .selectFrom("channel_models")
          .select("model")
          .where("channel_id", "=", id)
          .execute()
      ).length;
    const audits = (object: string) =>
      app.testApp.database.db
        .selectFrom("audit")
        .select(["action", "detail"])
        .where("object", "=", object)
        .orderBy("id", "desc")
        .execute();
    const load = () =>
      loadChannelsForRelay(app.testApp.database.db, app.testApp.deps.secrets, 500_000, app.testApp.deps.log);

    test("[CALL-45] [CALL-09] pages of ten, newest first, with the total", async () => {
      for (let index = 1; index <= 12; index += 1) await app.addChannel(admin, { name: `page ${index}` });
      const first = await admin.send(listChannels, { query: { p: 0 } });
      assert.equal(first.headers[TOTAL_COUNT_HEADER], "12");
      const names = async (p: number) => (await admin.data(listChannels, { query: { p } })).map(({ name }) => name);
      assert.deepEqual([(await names(0)).length, (await names(0))[0]], [10, "page 12"]);
      assert.deepEqual(await names(1), ["page 2", "page 1"]);
      assert.deepEqual(await names(2), []);
    });

    test("[CALL-46] [CHLIST-01] searches by id or by the beginning of the name; wildcards are plain characters", async () => {
      const id = await app.addChannel(admin, { name: "100% Azure" });
      await app.addChannel(admin, { name: `${id} in its name` });
      const search = async (keyword: string) =>
        (await admin.data(searchChannels, { query: { keyword } })).map(({ name }) => name);
      assert.deepEqual(await search("100% a"), ["100% Azure"]);
      assert.deepEqual(await search(String(id)), [`${id} in its name`, "100% Azure"]);
      assert.deepEqual(await search("100_"), []);
      assert.deepEqual(await search("azure"), []);
      const answer = await admin.send(searchChannels, { query: { keyword: "page" } });
      assert.equal(answer.headers[TOTAL_COUNT_HEADER], "12");
      assert.equal((await search("")).length, 14);
    });

    test("[CALL-45] a page has the given size and the total; other sizes are refused by name", async () => {
      const query = { size: 20, type: 1 };
      const answer = await admin.send(listChannels, { query });
      assert.equal((await admin.data(listChannels, { query })).length, 14);
      assert.equal(answer.headers[TOTAL_COUNT_HEADER], "14");
      const found = { keyword: "page", size: 10, p: 1 };
      assert.deepEqual(
        (await admin.data(searchChannels, { query: found })).map(({ name }) => name),
        ["page 2", "page 1"],
      );
      for (const wrong of [{ size: 11 }, { order: "key_cipher" }, { direction: "up" }, { status: 9 }]) {
        const refused = await admin.send(listChannels, { query: wrong });
        assert.deepEqual([refused.status, refused.envelope?.field], [400, Object.keys(wrong)[0]]);
      }
    });

    test("[CHLIST-02] [CHLIST-09] every column orders both ways as displayed, equal rows newest first; filters combine", async () => {
      const type = 24;
      const add = (body: object) => app.addChannel(admin, { type, ...body });
      const a = await add({ name: "b", group: "vip,default", priority: 5 });
      const b = await add({ name: "A", group: "vipper", priority: -1, status: 5 });
      const c = await add({ name: "c", group: "Default" });
      const d = await add({ name: "a", group: "vip", models: "x,y", model_mapping: '{"x":"x-up"}' });
      const { db } = app.testApp.database;
      await db.updateTable("channels").set({ response_time: 900, balance: 2.5 }).where("id", "=", a).execute();
      await db.updateTable("channels").set({ response_time: 40, balance: 12 }).where("id", "=", c).execute();
      const now = Math.floor(app.testApp.clock.nowMs() / 1000);
      await db
        .updateTable("channels")
        .set({ awake_time: now + 30 })
        .where("id", "=", c)
        .execute();
      app.around.cooling.set(d, [
        { model: "x-up", endsAtSeconds: now + 9 },
        { model: "y", endsAtSeconds: now + 5 },
      ]);
      app.around.cooling.set(a, [{ model: "another", endsAtSeconds: now + 9 }]);
      const letters = new Map([a, b, c, d].map((id, index) => [id, "abcd"[index]]));
      const list = async (query: Record<string, string | number>) =>
        (await admin.data(listChannels, { query: { type, ...query } })).map(({ id }) => letters.get(id)).join("");
      assert.deepEqual([await list({}), await list({ order: "id", direction: "asc" })], ["dcba", "abcd"]);
      assert.deepEqual(
        [await list({ order: "name" }), await list({ order: "name", direction: "desc" })],
        ["dbac", "cadb"],
      );
      assert.equal(await list({ order: "group" }), "cdab");
      assert.deepEqual([await list({ order: "response_time" }), await list({ order: "balance" })], ["acdb", "cadb"]);
      assert.deepEqual(
        [await list({ order: "priority" }), await list({ order: "priority", direction: "asc" })],
        ["adcb", "bdca"],
      );
      assert.equal(await list({ order: "status" }), "bdca", "reserve, the two dormant ones, the enabled one");
      assert.equal(await list({ order: "type" }), "dcba");
      const byStatus = await Promise.all([1, 2, 3, 4, 5].map((status) => list({ status })));
      assert.deepEqual(byStatus, ["a", "", "", "dc", "b"]);
      assert.deepEqual([await list({ group: "vip" }), await list({ group: "vip", status: 4 })], ["da", "d"]);
      assert.deepEqual([await list({ group: "vi%" }), await list({ group: "default" })], ["", "a"]);
      const shown = await admin.data(listChannels, { query: { type, status: 4 } });
      assert.deepEqual(
        shown.map(({ status, awake_time: dormantUntil }) => [status, dormantUntil - now]),
        [
          [4, 5],
          [4, 30],
        ],
      );
      const total = (await admin.send(listChannels, { query: { type, status: 4 } })).headers[TOTAL_COUNT_HEADER];
      assert.equal(total, "2");
      app.testApp.clock.advanceSeconds(30);
      assert.equal(await list({ status: 1, group: "Default" }), "c", "it woke by itself");
      app.testApp.clock.advanceSeconds(-30);
    });

    test("[CALL-49] [CALL-56] a deleted channel is removed from the model index and recorded in the audit trail", async () => {
      const id = await app.addChannel(admin);
      assert.equal(await indexed(id), 1);
      assert.equal((await (await app.clientAs("user")).send(deleteChannel, { params: { id } })).status, 403);
      await admin.data(deleteChannel, { params: { id } });
      assert.equal((await admin.send(getChannel, { params: { id } })).envelope?.code, "channel-not-found");
      assert.equal((await admin.send(deleteChannel, { params: { id } })).envelope?.code, "channel-not-found");
      assert.equal(await indexed(id), 0);
      assert.equal((await audits(`channel:${id}`))[0]?.action, "channel.delete");
    });

    test("[CALL-50] delete disabled removes statuses 2 and 3 and returns their number", async () => {
      const [enabled, byHand, byItself, reserve] = [
        await app.addChannel(admin),
        await app.addChannel(admin),
        await app.addChannel(admin),
        await app.addChannel(admin, { status: 5 }),
      ];
      await admin.data(updateChannel, { body: { id: byHand, status: 2 } });
      await disableChannelAutomatically(app.testApp.deps, byItself, { code: "slow", message: "It is slow." });
      assert.equal((await (await app.clientAs("user")).send(deleteDisabledChannels)).status, 403);
      assert.equal(await admin.data(deleteDisabledChannels), 2);
      assert.equal(await admin.data(deleteDisabledChannels), 0);
      for (const id of [byHand, byItself]) {
        assert.equal(await indexed(id), 0);
        const [entry] = await audits(`channel:${id}`);
        assert.equal(entry?.action, "channel.delete-disabled");
        assert.match(entry.detail, /^\{"name":".+"\}$/);
      }
      for (const id of [enabled, reserve]) assert.equal((await admin.data(getChannel, { params: { id } })).id, id);
    });

    test("[CALL-43] update_abilities rebuilds the model index", async () => {
      const id = await app.addChannel(admin, { models: "x,y", group: "default,vip" });
      await app.testApp.database.db.deleteFrom("channel_models").where("channel_id", "=", id).execute();
      await app.testApp.database.db
        .insertInto("channel_models")
        .values({ channel_id: id, group: "stale", model: "stale" })
        .execute();
      assert.equal((await (await app.clientAs("user")).send(updateAbilities)).status, 403);
      await admin.data(updateAbilities);
      assert.equal(await indexed(id), 4);
      assert.equal((await audits("channels"))[0]?.action, "channel.update-abilities");
    });

    test("serve and are listed without what a later release stored", async () => {
      const id = await app.addChannel(admin, { name: "later" });
      const later = {
        dialect_urls: '{"anthropic":"https://api.example.com/anthropic","morse":"https://api.example.com/morse"}',
        costs: '{"a":{"factor":0.5},"b":{"per_night":3}}',
        status_hint: '{"code":"of-a-later-release","message":"?","at":1}',
      };
      await app.testApp.database.db.updateTable("channels").set(later).where("id", "=", id).execute();
      const channel = (await load()).find((loaded) => loaded.id === id);
      assert.deepEqual(channel?.dialectUrls, { anthropic: "https://api.example.com/anthropic" });
      assert.deepEqual(channel?.costs, { a: { factor: 0.5 } });
      assert.equal((await admin.data(getChannel, { params: { id } })).status_hint, undefined);
    });

    test("the relay loads enabled channels, and skips one that cannot be read", async () => {
      const id = await app.addChannel(admin, {
        type: 3,
        name: "for the relay",
        key: "sk-relay-key-1",
        base_url: "https://x.openai.azure.com",
        models: "a,b",
        group: "vip,default",
        model_mapping: '{"a":"a-2024"}',
        organization: "org",
        soft_limit_usd: 5,
        priority: 3,
        weight: 4,
        calc_prompt: false,
        system_prompt: "Be brief.",
      });
      const off = await app.addChannel(admin, { name: "off" });
      await admin.data(updateChannel, { body: { id: off, status: 2 } });
      const broken = await app.addChannel(admin, { name: "broken" });
      await app.testApp.database.db
        .updateTable("channels")
        .set({ key_cipher: "v1.AAAA" })
        .where("id", "=", broken)
        .execute();
      const channels = await load();
      assert.ok(!channels.some((channel) => channel.id === off || channel.id === broken));
      assert.deepEqual(
        channels.find((channel) => channel.id === id),
        {
          id,
          type: 3,
          name: "for the relay",
          status: 1,
          connection: {
            baseUrl: "https://x.openai.azure.com",
            key: "sk-relay-key-1",
            organization: "org",
            other: "2024-03-01-preview",
            config: {},
          },
          proxy: "",
          models: new Set(["a", "b"]),
          groups: ["vip", "default"],
          modelMapping: new Map([["a", "a-2024"]]),
          systemPrompt: "Be brief.",
          overrides: undefined,
          deadlines: undefined,
          dialectUrls: undefined,
          keys: undefined,
          keyInUse: undefined,
          priority: 3,
          weight: 4,
          softLimitUsd: 5,
          usedQuota: 0,
          dormantUntil: 0,
          hinted: false,
          calcPrompt: false,
          testModel: "",
          costs: {},
        },
      );
      const one = (wanted: number) => loadChannelForRelay(app.testApp.database.db, app.testApp.deps.secrets, wanted);
      assert.equal((await one(off))?.status, 2);
      assert.equal(await one(999_999), undefined);
      await assert.rejects(one(broken), { code: "channel-unreadable", message: /type its key again/ });
      assert.ok(app.testApp.logLines.some((line) => line.includes(`"channelId":${broken}`)));
    });

    test("[CHLIST-41] shares come from the relay, for administrators only", async () => {
      const shares = await admin.data(listChannelShares, { query: { model: "gpt-4o" } });
      assert.equal(shares[0]?.name, "gpt-4o for default");
      assert.equal(
        (await (await app.clientAs("user")).send(listChannelShares, { query: { model: "gpt-4o" } })).status,
        403,
      );
    });

    test("[CHSTATE-03] automatic disabling changes enabled channels only and records the cause", async () => {
      const id = await app.addChannel(admin);
      assert.equal(
        await disableChannelAutomatically(app.testApp.deps, id, {
          code: "key-refused",
          message: "The provider refused the key.",
        }),
        true,
      );
      assert.equal(
        await disableChannelAutomatically(app.testApp.deps, id, { code: "key-refused", message: "Again." }),
        false,
      );
      const audit = (await audits(`channel:${id}`))[0];
      assert.deepEqual(
        [audit?.action, JSON.parse(audit?.detail ?? "")],
        [
          "channel.disable-automatically",
          { cause: "key-refused", name: "one", reason: "The provider refused the key." },
        ],
      );
      await admin.data(updateChannel, { body: { id, status: 2 } });
      assert.equal(
        await disableChannelAutomatically(app.testApp.deps, id, { code: "key-refused", message: "Still." }),
        false,
      );
      assert.equal((await admin.data(getChannel, { params: { id } })).status, 2);
    });
  });
}
