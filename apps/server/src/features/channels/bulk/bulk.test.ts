import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { CHANNEL_STATUS } from "@one-api/contract/channels/channel-constants";
import { getChannel, listChannels, searchChannels, updateChannel } from "@one-api/contract/channels/channel";
import {
  changeChannels,
  copyChannel,
  deleteChannels,
  listChannelIds,
  listChannelTags,
} from "@one-api/contract/channels/channel-bulk";
import { DATABASE_KINDS, whyMissing } from "@one-api/database/test-databases";
import type { TestClient } from "../../../testing/test-client.ts";
import { disableChannelAutomatically, loadChannelForRelay } from "../index.ts";
import { type ChannelTestApp, createChannelTestApp } from "../testing/create-channel-test-app.ts";

for (const kind of DATABASE_KINDS) {
  describe(`changes of many channels on ${kind}`, { skip: whyMissing(kind) ?? false }, () => {
    let app: ChannelTestApp;
    let admin: TestClient;
    before(async () => {
      app = await createChannelTestApp(kind);
      admin = await app.clientAs("admin");
    });
    after(() => app.close());

    const add = (body: Record<string, unknown> = {}) => app.addChannel(admin, body);
    const get = (id: number) => admin.data(getChannel, { params: { id } });
    const change = (ids: readonly number[], set: Record<string, unknown>) =>
      admin.data(changeChannels, { body: { changes: [{ ids, set }] } });
    const tagsOf = async (id: number) => (await get(id)).tags;

    test("set the given fields, return the previous values, and can be undone", async () => {
      const first = await add({ name: "a", priority: 3, group: "default", tags: "eu" });
      const second = await add({ name: "b", status: CHANNEL_STATUS.reserve });
      const set = { status: CHANNEL_STATUS.disabled, group: "vip,default", priority: 9, weight: 4, tags: "us" };
      const outcomes = await change([second, first], set);
      assert.deepEqual(
        outcomes.map(({ id, name, code, before: was }) => ({ id, name, code, was })),
        [
          {
            id: second,
            name: "b",
            code: "",
            was: { status: 5, group: "default", priority: 0, weight: 0, tags: "" },
          },
          { id: first, name: "a", code: "", was: { status: 1, group: "default", priority: 3, weight: 0, tags: "eu" } },
        ],
      );
      const changed = await get(first);
      assert.deepEqual(
        [changed.status, changed.group, changed.priority, changed.weight, changed.tags],
        [2, "vip,default", 9, 4, "us"],
      );
      const groups = await app.testApp.database.db
        .selectFrom("channel_models")
        .select("group")
        .where("channel_id", "=", first)
        .orderBy("group")
        .execute();
      assert.deepEqual(groups, [{ group: "default" }, { group: "vip" }]);
      const undo = outcomes.map(({ id, before: was }) => ({ ids: [id], set: was ?? {} }));
      await admin.data(changeChannels, { body: { changes: undo } });
      const restored = [await get(first), await get(second)];
      assert.deepEqual(
        restored.map(({ status, group, priority, weight, tags }) => [status, group, priority, weight, tags]),
        [
          [1, "default", 3, 0, "eu"],
          [5, "default", 0, 0, ""],
        ],
      );
    });

    test("set the intervals of scheduled checks, and can be undone", async () => {
      const [own, other] = [await add({ name: "own", test_minutes: 5 }), await add({ name: "as set" })];
      const outcomes = await change([own, other], { test_minutes: 30, balance_minutes: 0 });
      assert.deepEqual(
        outcomes.map(({ before: was }) => was),
        [
          { test_minutes: 5, balance_minutes: -1 },
          { test_minutes: -1, balance_minutes: -1 },
        ],
      );
      const intervalsOf = async (id: number) => {
        const channel = await get(id);
        return [channel.test_minutes, channel.balance_minutes, channel.models_minutes];
      };
      assert.deepEqual(await intervalsOf(other), [30, 0, -1]);
      const undo = outcomes.map(({ id, before: was }) => ({ ids: [id], set: was ?? {} }));
      await admin.data(changeChannels, { body: { changes: undo } });
      assert.deepEqual(
        [await intervalsOf(own), await intervalsOf(other)],
        [
          [5, -1, -1],
          [-1, -1, -1],
        ],
      );
      const wrong = await admin.send(changeChannels, {
        body: { changes: [{ ids: [own], set: { test_minutes: -2 } }] },
      });
      assert.equal(wrong.status, 400);
    });

    test("continue after a refused channel, which has its reason", async () => {
      const fine = await add({ name: "fine" });
      const gone = fine + 1_000;
      const crowded = await add({
        name: "crowded",
        tags: Array.from({ length: 20 }, (_value, index) => `t${index}`).join(","),
      });
      const outcomes = await change([gone, fine, crowded], { status: CHANNEL_STATUS.autoDisabled });
      assert.deepEqual(
        outcomes.map(({ id, name, code }) => [id, name, code]),
        [
          [gone, "", "channel-not-found"],
          [fine, "fine", "channel-status-not-settable"],
          [crowded, "crowded", "channel-status-not-settable"],
        ],
      );
      const tagged = await change([fine, crowded], { add_tags: "one more" });
      assert.deepEqual(
        tagged.map(({ code }) => code),
        ["", "channel-too-many-tags"],
      );
      assert.equal(await tagsOf(fine), "one more");
      assert.equal((await tagsOf(crowded)).split(",").length, 20);
    });

    test("add and remove tags, which the list can be filtered by", async () => {
      const [first, second] = [await add({ tags: "eu,cheap" }), await add({ tags: "test" })];
      await change([first, second], { add_tags: "Batch 7, cheap", remove_tags: "eu,test" });
      assert.deepEqual([await tagsOf(first), await tagsOf(second)], ["cheap,Batch 7", "Batch 7,cheap"]);
      const found = await admin.data(listChannels, { query: { tag: "Batch 7" } });
      assert.deepEqual(
        found.map(({ id }) => id),
        [second, first],
      );
      assert.deepEqual(await admin.data(searchChannels, { query: { keyword: "one", tag: "Batch" } }), []);
      const all = await admin.data(listChannelTags);
      assert.deepEqual(
        all.filter(({ tag }) => tag === "Batch 7"),
        [{ tag: "Batch 7", channels: 2 }],
      );
      assert.equal(all.filter(({ tag }) => tag === "test").length, 0);
    });

    test("find all ids of a filter, including displayed statuses", async () => {
      const ids: number[] = [];
      for (let index = 0; index < 12; index += 1) ids.push(await add({ name: `row ${index}`, tags: "many" }));
      assert.deepEqual(await admin.data(listChannelIds, { query: { tag: "many", keyword: "ROW" } }), ids.toReversed());
      const [asleep = 0] = ids;
      const until = Math.floor(app.testApp.clock.nowMs() / 1000) + 60;
      app.around.cooling.set(asleep, [{ model: "gpt-4o", endsAtSeconds: until }]);
      const query = { tag: "many", status: CHANNEL_STATUS.dormant };
      assert.deepEqual(await admin.data(listChannelIds, { query }), [asleep]);
    });

    test("clear failures on enabling, and restore a channel that the gateway disabled", async () => {
      const id = await add();
      await disableChannelAutomatically(app.testApp.deps, id, { code: "key-refused", message: "no" });
      app.around.forgotten.length = 0;
      const [outcome] = await change([id], { status: CHANNEL_STATUS.enabled });
      assert.deepEqual(app.around.forgotten, [id]);
      assert.deepEqual(outcome?.before, { status: CHANNEL_STATUS.disabled });
    });

    test("delete channels, and report missing ones", async () => {
      const [first, second] = [await add({ name: "first" }), await add({ name: "second" })];
      const body = { ids: [second, 999_999, first] };
      const outcomes = await admin.data(deleteChannels, { body });
      assert.deepEqual(
        outcomes.map(({ id, name, code }) => [id, name, code]),
        [
          [second, "second", ""],
          [999_999, "", "channel-not-found"],
          [first, "first", ""],
        ],
      );
      const again = await admin.send(getChannel, { params: { id: first } });
      assert.equal(again.envelope?.code, "channel-not-found");
    });

    test("change a thousand channels in one call, and refuse duplicate ids", async () => {
      const { db } = app.testApp.database;
      const model = await db.selectFrom("channels").selectAll().limit(1).executeTakeFirstOrThrow();
      const { id: _id, ...columns } = model;
      const rows = Array.from({ length: 1_000 }, () => ({ ...columns, tags: "thousand" }));
      for (let start = 0; start < rows.length; start += 100)
        await db
          .insertInto("channels")
          .values(rows.slice(start, start + 100))
          .execute();
      const ids = await admin.data(listChannelIds, { query: { tag: "thousand" } });
      assert.equal(ids.length, 1_000);
      const outcomes = await change(ids, { weight: 7, status: CHANNEL_STATUS.disabled });
      assert.deepEqual(outcomes.map(({ id }) => id), ids); // prettier-ignore
      assert.ok(outcomes.every(({ code }) => code === ""));
      const { total } = await db
        .selectFrom("channels")
        .select((select) => select.fn.countAll<number>().as("total"))
        .where("weight", "=", 7)
        .where("status", "=", CHANNEL_STATUS.disabled)
        .executeTakeFirstOrThrow();
      assert.equal(total, 1_000);
      const twice = await admin.send(changeChannels, {
        body: { changes: [{ ids: ids.slice(0, 2), set: {} }, { ids: ids.slice(0, 1), set: {} }] }, // prettier-ignore
      });
      assert.equal(twice.status, 400);
      assert.equal((await admin.send(deleteChannels, { body: { ids: [ids[0], ids[0]] } })).status, 400);
    });

    test("copy a channel with its key, disabled, without secrets in the answer", async () => {
      const id = await add({
        name: "Original",
        key: "sk-copied-key-1",
        tags: "eu",
        priority: 4,
        config: '{"region":"us-east-1","sk":"hidden-part-1"}',
      });
      await app.testApp.database.db.updateTable("channels").set({ used_quota: 77 }).where("id", "=", id).execute();
      const answer = await admin.send(copyChannel, { params: { id } });
      assert.ok(!answer.text.includes("sk-copied"));
      const copyId = (await admin.data(listChannels, { query: { size: 10 } }))[0]?.id ?? 0;
      const copied = await get(copyId);
      assert.deepEqual(
        [copied.name, copied.status, copied.tags, copied.priority, copied.used_quota, copied.key, copied.config],
        ["Original (copy)", CHANNEL_STATUS.disabled, "eu", 4, 0, "", '{"region":"us-east-1"}'],
      );
      const { db } = app.testApp.database;
      const loaded = await loadChannelForRelay(db, app.testApp.deps.secrets, copyId);
      assert.equal(loaded?.connection.key, "sk-copied-key-1");
      assert.equal(loaded.connection.config["sk"], "hidden-part-1");
      const moved = { id: copyId, base_url: "https://elsewhere.example" };
      const refusal = await admin.send(updateChannel, { body: moved });
      assert.equal(refusal.envelope?.code, "channel-key-for-new-address");
    });
  });
}
