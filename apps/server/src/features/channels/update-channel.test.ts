import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { getChannel, searchChannels, updateChannel } from "@one-api/contract/channels/channel";
import { wakeChannel } from "@one-api/contract/channels/channel-decision";
import { DATABASE_KINDS, whyMissing } from "@one-api/database/test-databases";
import type { TestClient } from "../../testing/test-client.ts";
import { disableChannelAutomatically, loadChannelForRelay } from "./index.ts";
import { type ChannelTestApp, createChannelTestApp } from "./testing/create-channel-test-app.ts";

for (const kind of DATABASE_KINDS) {
  describe(`changing channels on ${kind}`, { skip: whyMissing(kind) ?? false }, () => {
    let app: ChannelTestApp;
    let admin: TestClient;
    before(async () => {
      app = await createChannelTestApp(kind);
      admin = await app.clientAs("admin");
    });
    after(() => app.close());

    const update = (body: object) => admin.data(updateChannel, { body });
    const refusal = async (body: object) => (await admin.send(updateChannel, { body })).envelope;
    const show = (id: number) => admin.data(getChannel, { params: { id } });
    const load = (id: number) => loadChannelForRelay(app.testApp.database.db, app.testApp.deps.secrets, id);
    const lastAudit = (id: number) =>
      app.testApp.database.db
        .selectFrom("audit")
        .select(["action", "detail"])
        .where("object", "=", `channel:${id}`)
        .orderBy("id", "desc")
        .executeTakeFirst();

    test("[CALL-47] changes the given fields only and writes an audit row", async () => {
      const id = await app.addChannel(admin, { priority: 1, weight: 2, system_prompt: "Be kind." });
      const shown = await show(id);
      const changed = await update({ id, priority: 9, calc_prompt: false });
      assert.deepEqual(changed, { ...shown, priority: 9, calc_prompt: false });
      assert.deepEqual(await show(id), changed);
      const audit = await lastAudit(id);
      assert.deepEqual(
        [audit?.action, JSON.parse(audit?.detail ?? "")],
        ["channel.update", { priority: { from: 1, to: 9 }, calc_prompt: { from: 1, to: 0 } }],
      );
      assert.equal((await load(id))?.connection.key, "sk-default-key-1");
    });

    test("[CHLIST-27] [CHFORM-31] an empty priority is ignored, a negative weight becomes 0", async () => {
      const id = await app.addChannel(admin, { priority: 4, weight: 3 });
      const changed = await update({ id, priority: null, weight: -1, name: "named" });
      assert.deepEqual([changed.priority, changed.weight, changed.name], [4, 0, "named"]);
    });

    test("the unchanged form changes nothing and leaves the key", async () => {
      const id = await app.addChannel(admin, { config: '{"region":"eu","sk":"stored-secret"}' });
      const shown = await show(id);
      assert.deepEqual(await update(shown), shown);
      const loaded = await load(id);
      assert.deepEqual(
        [loaded?.connection.key, loaded?.connection.config],
        ["sk-default-key-1", { region: "eu", sk: "stored-secret" }],
      );
    });

    test("changed models and groups update the model index", async () => {
      const id = await app.addChannel(admin);
      await update({ id, models: "a,b", group: "vip" });
      const rows = await app.testApp.database.db
        .selectFrom("channel_models")
        .select(["group", "model"])
        .where("channel_id", "=", id)
        .orderBy("model")
        .execute();
      assert.deepEqual(
        rows.map(({ group, model }) => `${group}/${model}`),
        ["vip/a", "vip/b"],
      );
      assert.equal((await update({ id, group: "" })).group, "default");
      assert.equal((await refusal({ id, models: "" }))?.field, "models");
    });

    test("[CHFORM-08] a stored key is never sent to a new address or another type", async () => {
      const id = await app.addChannel(admin);
      for (const body of [
        { base_url: "https://evil.example" },
        { base_url: "http://api.openai.com" },
        { type: 25 },
        { type: 8, base_url: "https://evil.example" },
      ]) {
        for (const key of [undefined, "", "  \n"]) {
          const refused = await refusal({ id, ...body, key });
          const code = body.type === undefined ? "channel-key-for-new-address" : "channel-key-for-new-type";
          assert.deepEqual([refused?.code, refused?.field], [code, "key"], JSON.stringify(body));
        }
      }
      assert.equal((await load(id))?.connection.baseUrl, "");
      assert.equal((await update({ id, base_url: "https://api.openai.com/" })).base_url, "https://api.openai.com");
      const moved = await update({ id, base_url: "https://other.example", key: "sk-typed-anew-1" });
      assert.equal(moved.base_url, "https://other.example");
      assert.equal((await load(id))?.connection.key, "sk-typed-anew-1");
    });

    test("a null address stays unchanged, as scripts of One API send it; an empty one is the type's default", async () => {
      const id = await app.addChannel(admin, { base_url: "https://mine.example" });
      assert.equal((await update({ id, base_url: null, name: "renamed" })).base_url, "https://mine.example");
      assert.equal((await update({ id, base_url: "", key: "sk-typed-anew-1" })).base_url, "");
    });

    test("[CHFORM-08] secrets of the config are not sent to a new address either", async () => {
      const id = await app.addChannel(admin, { config: '{"user_id":"u1","sk":"stored-secret"}' });
      await update({ id, base_url: "https://new.example", key: "sk-typed-anew-2" });
      assert.deepEqual((await load(id))?.connection.config, { user_id: "u1" });
      await update({ id, config: '{"user_id":"u2","sk":"typed-secret"}' });
      await update({ id, config: '{"user_id":"u3","sk":""}' });
      assert.deepEqual((await load(id))?.connection.config, { user_id: "u3", sk: "typed-secret" });
    });

    test("[CHFORM-36] a new assembled key replaces its parts in the config", async () => {
      const id = await app.addChannel(admin, {
        type: 33,
        key: "AKOLD|old-secret|us-east-1",
        config: '{"note":"kept"}',
      });
      await update({ id, key: "AKNEW|new-secret|eu-west-1" });
      const loaded = await load(id);
      assert.deepEqual(loaded?.connection.config, { note: "kept", ak: "AKNEW", sk: "new-secret", region: "eu-west-1" });
      await update({ id, config: '{"ak":"AKNEW","region":"eu-west-1"}' });
      assert.equal((await load(id))?.connection.config.sk, "new-secret");
      assert.equal((await refusal({ id, key: "a|b|evil.example/" }))?.field, "config");
    });

    test("[CHFORM-10] [CHFORM-16] rules for new channels apply to edits", async () => {
      const id = await app.addChannel(admin);
      assert.equal((await refusal({ id, base_url: "http://169.254.169.254", key: "sk-new-key" }))?.field, "base_url");
      assert.equal((await refusal({ id, type: 3, key: "sk-new-key" }))?.field, "base_url");
      assert.equal((await refusal({ id, type: 15, key: "api|" }))?.field, "key");
      assert.equal((await refusal({ id, key: "sk-one\nsk-two" }))?.field, "key");
      assert.equal((await refusal({ id, type: 99, key: "sk-new-key" }))?.field, "type");
      assert.equal(
        (await update({ id, type: 3, key: "sk-new-key", base_url: "https://x.openai.azure.com" })).other,
        "2024-03-01-preview",
      );
    });

    test("[CHSTATE-08] [CHSTATE-09] enable sets 1 and clears the cause, disable sets 2, reserve 5", async () => {
      const id = await app.addChannel(admin);
      await disableChannelAutomatically(app.testApp.deps, id, { code: "out-of-credit", message: "out of credit" });
      await app.testApp.database.db.updateTable("channels").set({ awake_time: 99 }).where("id", "=", id).execute();
      assert.deepEqual([(await show(id)).status, (await show(id)).status_reason], [3, "out of credit"]);
      assert.equal((await update({ id, status: 3, name: "same" })).status, 3);
      const enabled = await update({ id, status: 1 });
      assert.deepEqual([enabled.status, enabled.status_reason, enabled.awake_time], [1, "", 0]);
      assert.ok(app.around.forgotten.includes(id));
      assert.equal((await update({ id, status: 2 })).status, 2);
      assert.equal((await update({ id, status: 5 })).status, 5);
      for (const status of [3, 4]) assert.equal((await refusal({ id, status }))?.field, "status");
    });

    test("[CHSTATE-17] [CHSTATE-19] a channel is dormant when all its models are in cooldown, else it lists those models", async () => {
      const id = await app.addChannel(admin, { models: "a,b", model_mapping: '{"b":"b-2024"}' });
      app.around.cooling.set(id, [{ model: "b-2024", endsAtSeconds: 500 }]);
      const partly = await show(id);
      assert.deepEqual(
        [partly.status, partly.awake_time, partly.sleeping_models],
        [1, 0, [{ model: "b", awake_time: 500 }]],
      );
      app.around.cooling.set(id, [
        { model: "b-2024", endsAtSeconds: 500 },
        { model: "a", endsAtSeconds: 400 },
      ]);
      const wholly = await show(id);
      assert.deepEqual([wholly.status, wholly.awake_time], [4, 400]);
      assert.equal((await update({ ...wholly, name: "still asleep" })).status, 4);
      assert.equal((await update({ id, status: 2 })).status, 2);
    });

    test("a paused channel is dormant until its time; enabling, resuming or a past time ends the pause", async () => {
      const id = await app.addChannel(admin);
      const now = Math.floor(app.testApp.clock.nowMs() / 1_000);
      const paused = await update({ id, paused_until: now + 60 });
      assert.deepEqual([paused.status, paused.awake_time, paused.paused_until], [4, now + 60, now + 60]);
      assert.equal((await load(id))?.dormantUntil, now + 60);
      assert.deepEqual(JSON.parse((await lastAudit(id))?.detail ?? ""), { paused_until: { from: 0, to: now + 60 } });
      const found = await admin.data(searchChannels, { query: { keyword: String(id), status: 4 } });
      assert.deepEqual(
        found.map((channel) => channel.id),
        [id],
      );
      const enabled = await update({ id, status: 1 });
      assert.deepEqual([enabled.status, enabled.paused_until], [1, 0]);
      await update({ id, status: 2 });
      const later = await update({ id, status: 1, paused_until: now + 90 });
      assert.deepEqual([later.status, later.paused_until], [4, now + 90], "one edit may enable and pause");
      await admin.data(wakeChannel, { params: { id } });
      assert.deepEqual([(await show(id)).status, (await lastAudit(id))?.action], [1, "channel.wake"]);
      assert.equal((await update({ id, paused_until: now - 1 })).status, 1);
      for (const paused_until of [-1, 0.5, 1e15])
        assert.equal((await refusal({ id, paused_until }))?.field, "paused_until");
    });

    test("a new key or status clears known failures, other changes do not", async () => {
      const id = await app.addChannel(admin);
      app.around.forgotten.length = 0;
      await update({ id, name: "other" });
      assert.deepEqual(app.around.forgotten, []);
      await update({ id, key: "sk-another-key" });
      assert.deepEqual(app.around.forgotten, [id]);
      const audit = await lastAudit(id);
      assert.deepEqual(JSON.parse(audit?.detail ?? ""), { key_secret: { from: "(secret)", to: "(secret)" } });
    });

    test("[ENT-071] a new key is stored encrypted only", async () => {
      const id = await app.addChannel(admin);
      const answer = await admin.send(updateChannel, {
        body: { id, key: "sk-canary-typed-77", config: '{"sk":"canary-config-88"}' },
      });
      const texts = [answer.text, await app.everythingStored()];
      for (const secret of ["sk-canary-typed-77", "canary-config-88"])
        for (const text of texts) assert.ok(!text.includes(secret));
    });

    test("a missing channel is not found, and only administrators change channels", async () => {
      const id = await app.addChannel(admin);
      assert.equal((await refusal({ id: 999_999, name: "x" }))?.code, "channel-not-found");
      assert.equal((await (await app.clientAs("user")).send(updateChannel, { body: { id, status: 2 } })).status, 403);
      assert.equal((await app.testApp.client().send(updateChannel, { body: { id, status: 2 } })).status, 401);
      assert.equal((await show(id)).status, 1);
    });

    test("a stored change is announced, a refused one is not", async () => {
      const id = await app.addChannel(admin);
      let announced = 0;
      const stop = app.testApp.deps.changes.subscribe("channels", () => (announced += 1));
      await update({ id, weight: 7 });
      await refusal({ id, type: 99 });
      stop();
      assert.equal(announced, 1);
    });
  });
}
