import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { CHANNEL_STATUS } from "@one-api/contract/channels/channel-constants";
import { getChannel, updateChannel } from "@one-api/contract/channels/channel";
import { listChannelDecisions, undoChannelDecision, wakeChannel } from "@one-api/contract/channels/channel-decision";
import { TOTAL_COUNT_HEADER } from "@one-api/contract/constants";
import { DATABASE_KINDS, whyMissing } from "@one-api/database/test-databases";
import type { TestClient } from "../../../testing/test-client.ts";
import { enableChannelAutomatically } from "../automatic/change-channel-automatically.ts";
import { restockChannels } from "../automatic/restock-channels.ts";
import { disableChannelAutomatically, disableSpentChannels, recordDecision, makeChannelDormant } from "../index.ts";
import { type ChannelTestApp, createChannelTestApp } from "../testing/create-channel-test-app.ts";

for (const kind of DATABASE_KINDS) {
  describe(`decisions of the gateway on ${kind}`, { skip: whyMissing(kind) ?? false }, () => {
    let app: ChannelTestApp;
    let admin: TestClient;
    before(async () => {
      app = await createChannelTestApp(kind);
      admin = await app.clientAs("admin");
    });
    after(() => app.close());

    const now = () => Math.floor(app.testApp.clock.nowMs() / 1000);
    const list = (id: number) => admin.data(listChannelDecisions, { params: { id }, query: { size: 100 } });
    const brief = async (id: number) => (await list(id)).map(({ kind: what, code, undo }) => `${what} ${code} ${undo}`);
    const undoNewest = async (id: number) => {
      const [newest] = await list(id);
      return admin.send(undoChannelDecision, { params: { id, decision: newest?.id ?? 0 } });
    };
    const statusOf = async (id: number) => (await admin.data(getChannel, { params: { id } })).status;

    test("list the cause of an automatic disabling, which can be undone once", async () => {
      const id = await app.addChannel(admin);
      await disableChannelAutomatically(app.testApp.deps, id, { code: "key-refused", message: "No such key." });
      const [decision] = await list(id);
      assert.deepEqual(decision, {
        id: decision?.id,
        kind: "disabled",
        model: "",
        code: "key-refused",
        message: "No such key.",
        first_at: now(),
        last_at: now(),
        times: 1,
        until: 0,
        undone_at: 0,
        undo: "enable",
      });
      app.around.forgotten.length = 0;
      assert.equal((await undoNewest(id)).envelope?.success, true);
      assert.equal(await statusOf(id), CHANNEL_STATUS.enabled);
      assert.deepEqual(app.around.forgotten, [id]);
      assert.deepEqual(await brief(id), ["disabled key-refused "]);
      assert.equal((await undoNewest(id)).envelope?.code, "channel-decision-over");
    });

    test("cannot be undone after a change by an administrator", async () => {
      const id = await app.addChannel(admin);
      await disableChannelAutomatically(app.testApp.deps, id, { code: "slow", message: "Slow." });
      await admin.data(updateChannel, { body: { id, status: CHANNEL_STATUS.disabled } });
      assert.deepEqual(await brief(id), ["disabled slow "]);
      assert.equal((await undoNewest(id)).envelope?.code, "channel-decision-over");
      assert.equal(await statusOf(id), CHANNEL_STATUS.disabled);
    });

    test("are undone on their own channel only", async () => {
      const [id, other] = [await app.addChannel(admin), await app.addChannel(admin)];
      await disableChannelAutomatically(app.testApp.deps, id, { code: "slow", message: "Slow." });
      const [decision] = await list(id);
      const params = { id: other, decision: decision?.id ?? 0 };
      assert.equal((await admin.send(undoChannelDecision, { params })).envelope?.code, "channel-decision-over");
      assert.equal(await statusOf(id), CHANNEL_STATUS.autoDisabled);
    });

    test("record a passed test, a restocking and a raised limit", async () => {
      const revived = await app.addChannel(admin, { type: 8, base_url: "https://a.example" });
      await disableChannelAutomatically(app.testApp.deps, revived, { code: "slow", message: "Slow." });
      await enableChannelAutomatically(app.testApp.deps, revived, 500_000);
      assert.deepEqual(await brief(revived), ["enabled test-passed disable", "disabled slow "]);
      await undoNewest(revived);
      assert.equal(await statusOf(revived), CHANNEL_STATUS.disabled);

      const waiting = await app.addChannel(admin, { type: 14, status: CHANNEL_STATUS.reserve });
      await restockChannels(app.testApp.deps, 1);
      assert.deepEqual(await brief(waiting), ["restocked stock-low reserve"]);
      await undoNewest(waiting);
      assert.equal(await statusOf(waiting), CHANNEL_STATUS.reserve);

      const spent = await app.addChannel(admin, { soft_limit_usd: 1 });
      const { db } = app.testApp.database;
      await db.updateTable("channels").set({ used_quota: 600_000 }).where("id", "=", spent).execute();
      await disableSpentChannels(app.testApp.deps, 500_000, spent);
      await admin.data(updateChannel, { body: { id: spent, soft_limit_usd: 2 } });
      assert.deepEqual(await brief(spent), ["enabled limit-raised disable", "disabled spending-limit "]);
      assert.deepEqual((await list(spent))[1]?.parts, { used: 1.2, limit: 1 });
    });

    test("count a cooldown that recurs within an hour, until it ends or an administrator ends it", async () => {
      const id = await app.addChannel(admin);
      await makeChannelDormant(app.testApp.deps, id, now() + 60, "Slow down.");
      await makeChannelDormant(app.testApp.deps, id, now() + 120, "Slow down!");
      const [asleep, ...others] = await list(id);
      assert.deepEqual([asleep?.times, asleep?.until, asleep?.message, asleep?.undo, others.length], [2, now() + 120, "Slow down!", "wake", 0]); // prettier-ignore
      assert.equal(await statusOf(id), CHANNEL_STATUS.dormant);
      assert.equal((await undoNewest(id)).envelope?.success, true);
      assert.equal(await statusOf(id), CHANNEL_STATUS.enabled);
      await makeChannelDormant(app.testApp.deps, id, now() + 60, "Again.");
      assert.deepEqual(await brief(id), ["slept rate-limited wake", "slept rate-limited "]);
      app.testApp.clock.advanceSeconds(61);
      assert.equal((await undoNewest(id)).envelope?.code, "channel-decision-over");
      app.testApp.clock.advanceSeconds(3_600);
      await makeChannelDormant(app.testApp.deps, id, now() + 60, "Later.");
      assert.equal((await list(id)).length, 3);
      await admin.data(wakeChannel, { params: { id } });
      assert.equal(await statusOf(id), CHANNEL_STATUS.enabled);
      assert.deepEqual((await brief(id))[0], "slept rate-limited ");
    });

    test("end the cooldown of a model; the newest 200 are stored", async () => {
      const id = await app.addChannel(admin);
      const decision = { channelId: id, kind: "model-slept", code: "rate-limited", message: "", times: 1 } as const;
      for (let index = 0; index < 205; index += 1) {
        const model = index === 204 ? "gpt-4o" : `model ${index}`;
        await recordDecision(app.testApp.database.db, { ...decision, model, until: now() + 60 }, now());
      }
      const answer = await admin.send(listChannelDecisions, { params: { id } });
      assert.equal(answer.headers[TOTAL_COUNT_HEADER], "200");
      assert.deepEqual((await list(id))[0]?.undo, "");
      app.around.cooling.set(id, [{ model: "gpt-4o", endsAtSeconds: now() + 60 }]);
      assert.deepEqual((await list(id)).map(({ undo }) => undo).slice(0, 2), ["wake", ""]); // prettier-ignore
      app.around.forgotten.length = 0;
      await undoNewest(id);
      assert.deepEqual(app.around.forgotten, [id]);
    });
  });
}
