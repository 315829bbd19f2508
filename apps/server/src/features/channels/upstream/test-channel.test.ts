import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { getChannel, testChannel, testChannels, updateChannel, updateChannelBalance } from "@one-api/contract/channel";
import { LOG_TYPE } from "@one-api/contract/log";
import { DATABASE_KINDS, whyMissing } from "@one-api/database/test-databases";
import type { TestClient } from "../../../testing/test-client.ts";
import { disableChannelAutomatically } from "../index.ts";
import { type ChannelTestApp, createChannelTestApp } from "../testing/create-channel-test-app.ts";

for (const kind of DATABASE_KINDS) {
  describe(`testing channels on ${kind}`, { skip: whyMissing(kind) ?? false }, () => {
    let app: ChannelTestApp;
    let admin: TestClient;
    before(async () => {
      app = await createChannelTestApp(kind);
      admin = await app.clientAs("admin");
    });
    after(() => app.close());

    const show = (id: number) => admin.data(getChannel, { params: { id } });
    const lastLog = (id: number) =>
      app.testApp.database.db
        .selectFrom("logs")
        .select(["type", "model_name", "content", "elapsed_time", "quota"])
        .where("channel_id", "=", id)
        .orderBy("id", "desc")
        .executeTakeFirst();
    const actions = async (object: string) =>
      (
        await app.testApp.database.db
          .selectFrom("audit")
          .select("action")
          .where("object", "=", object)
          .orderBy("id")
          .execute()
      ).map(({ action }) => action);

    test("[CALL-52] [CALL-53] a test answers seconds and model, at the top level too, and stores how long it took", async () => {
      app.around.probe = (_channel, model) => ({ ok: true, elapsedMs: 1_234, text: `I am ${model}` });
      const id = await app.addChannel(admin, { models: "first,second" });
      const answer = await admin.send(testChannel, { params: { id }, query: { model: "second" } });
      assert.deepEqual(JSON.parse(answer.text), {
        success: true,
        message: "",
        time: 1.234,
        modelName: "second",
        data: { time: 1.234, modelName: "second" },
      });
      assert.equal((await admin.data(testChannel, { params: { id }, query: { model: "unknown" } })).modelName, "first");
      assert.equal((await admin.data(testChannel, { params: { id } })).modelName, "first");
      const channel = await show(id);
      assert.deepEqual(
        [channel.response_time, channel.test_time],
        [1_234, Math.floor(app.testApp.clock.nowMs() / 1000)],
      );
      const log = await lastLog(id);
      assert.deepEqual([log?.type, log?.model_name, log?.elapsed_time, log?.quota], [LOG_TYPE.test, "first", 1_234, 0]);
      assert.match(log?.content ?? "", /one passed: I am first/);
      assert.deepEqual((await actions(`channel:${id}`)).slice(-1), ["channel.test"]);
    });

    test("a refused test tells what the provider said, without the key, and stores 0", async () => {
      const id = await app.addChannel(admin, { key: "sk-secret-of-test-1" });
      await admin.data(testChannel, { params: { id } });
      app.around.probe = ({ connection }) => ({
        ok: false,
        elapsedMs: 80,
        message: `Bad key ${connection.key}`,
        credentialRefused: true,
      });
      const refused = await admin.send(testChannel, { params: { id } });
      assert.deepEqual(
        [refused.status, refused.envelope?.code, refused.envelope?.message],
        [200, "upstream-failed", "Bad key ***"],
      );
      assert.equal((await show(id)).response_time, 0);
      assert.equal((await show(id)).status, 1);
      assert.match((await lastLog(id))?.content ?? "", /failed: Bad key \*\*\*/);
      assert.ok(!(await app.everythingStored()).includes("sk-secret-of-test-1"));
    });

    test("a refused test repeats no secret of the config either, however deep it lies", async () => {
      const config = '{"sk":"config-secret-1","extra":{"api_token":"config-secret-2"}}';
      const id = await app.addChannel(admin, { config });
      const message = "Bad credentials config-secret-1 and config-secret-2";
      app.around.probe = () => ({ ok: false, elapsedMs: 80, message, credentialRefused: true });
      const refused = await admin.send(testChannel, { params: { id } });
      assert.equal(refused.envelope?.message, "Bad credentials *** and ***");
      assert.ok(!(await app.everythingStored()).includes("config-secret"));
    });

    test("a channel without models cannot be tested; a missing one is not found; others may not", async () => {
      const id = await app.addChannel(admin, { type: 43, models: "", base_url: "https://proxy.example" });
      assert.equal((await admin.send(testChannel, { params: { id } })).envelope?.code, "not-supported");
      assert.equal((await admin.send(testChannel, { params: { id: 999_999 } })).envelope?.code, "not-found");
      const user = await app.clientAs("user");
      for (const call of [testChannel, updateChannelBalance])
        assert.equal((await user.send(call, { params: { id } })).status, 403);
      assert.equal((await user.send(testChannels)).status, 403);
      for (const call of [testChannel, testChannels, updateChannelBalance]) {
        const answer = await admin.send(call, { params: { id }, headers: { "sec-fetch-site": "cross-site" } });
        assert.equal(answer.status, 403, "a GET that changes something is refused from elsewhere");
      }
    });

    test("[CALL-51] [CHLIST-15] a run tests one channel after the other; a second run waits for its end", async () => {
      const slow = await app.addChannel(admin, { name: "slow" });
      const fast = await app.addChannel(admin, { name: "fast" });
      const refused = await app.addChannel(admin, { name: "refused" });
      const back = await app.addChannel(admin, { name: "back" });
      await disableChannelAutomatically(app.testApp.deps, back, "before");
      const byHand = await app.addChannel(admin, { name: "by hand" });
      await admin.data(updateChannel, { body: { id: byHand, status: 2 } });
      await setOptions({
        AutomaticDisableChannelEnabled: "true",
        AutomaticEnableChannelEnabled: "true",
        ChannelDisableThreshold: "5",
      });

      let together = 0;
      let most = 0;
      const gate = Promise.withResolvers<void>();
      app.around.probe = async ({ name }) => {
        together += 1;
        most = Math.max(most, together);
        await gate.promise;
        together -= 1;
        if (name === "refused") return { ok: false, elapsedMs: 1, message: "no such key", credentialRefused: true };
        return { ok: true, elapsedMs: name === "slow" ? 5_001 : 5_000, text: "" };
      };
      await admin.data(testChannels, { query: { scope: "all" } });
      const busy = await admin.send(testChannels, { query: { scope: "disabled" } });
      assert.deepEqual([busy.status, busy.envelope?.code], [200, "busy"]);
      gate.resolve();
      await waitFor(async () => (await show(byHand)).test_time > 0);
      assert.equal(most, 1);
      const states = await Promise.all([slow, fast, refused, back, byHand].map(async (id) => (await show(id)).status));
      assert.deepEqual(states, [3, 1, 3, 1, 2]);
      assert.match((await show(slow)).status_reason ?? "", /5\.0 s, longer than 5 s/);
      assert.match((await show(refused)).status_reason ?? "", /no such key/);
      assert.ok(app.around.forgotten.includes(back));
      assert.ok((await actions(`channel:${back}`)).includes("channel.enable-automatically"));
      assert.deepEqual((await actions("channels")).slice(-1), ["channel.test-many"]);
    });

    test("[CHLIST-16] scope disabled tests status 2 and 3 only; a run that met an error leaves the next one free", async () => {
      const enabled = await app.addChannel(admin, { name: "left alone" });
      const disabled = await app.addChannel(admin, { name: "tested" });
      await admin.data(updateChannel, { body: { id: disabled, status: 2 } });
      let attempts = 0;
      app.around.probe = () => {
        attempts += 1;
        throw new Error("the relay has a bug");
      };
      await startWhenFree();
      await waitFor(
        async () => attempts === 1 && app.testApp.logLines.some((line) => line.includes("stopped before its end")),
      );
      app.around.probe = () => ({ ok: true, elapsedMs: 3, text: "" });
      await startWhenFree();
      await waitFor(async () => (await show(disabled)).test_time > 0);
      assert.deepEqual([(await show(enabled)).test_time, (await show(disabled)).status], [0, 2]);
    });

    test("[CALL-54] [CALL-55] a balance is asked of the provider, stored and answered at the top level too", async () => {
      app.around.balanceQueries.set(36, async (connection, getJson) => {
        assert.equal(connection.key, "sk-balance-key-1");
        return Number(Object.values((await getJson("https://x.example", {})) ?? {})[0]);
      });
      const id = await app.addChannel(admin, { type: 36, key: "sk-balance-key-1" });
      const answer = await admin.send(updateChannelBalance, { params: { id } });
      assert.deepEqual(JSON.parse(answer.text), { success: true, message: "", balance: 12.5, data: { balance: 12.5 } });
      const channel = await show(id);
      assert.deepEqual(
        [channel.balance, channel.balance_updated_time],
        [12.5, Math.floor(app.testApp.clock.nowMs() / 1000)],
      );
      assert.deepEqual((await actions(`channel:${id}`)).slice(-1), ["channel.update-balance"]);
    });

    test("a balance that no provider tells is refused, and so is a failed question, without the key", async () => {
      const none = await app.addChannel(admin, { type: 14 });
      const refused = await admin.send(updateChannelBalance, { params: { id: none } });
      assert.equal(refused.envelope?.code, "not-supported");
      assert.match(refused.envelope?.message ?? "", /Anthropic Claude/);
      const failing = await app.addChannel(admin, { type: 44, key: "sk-balance-key-2" });
      app.around.balanceQueries.set(44, async (connection) => {
        throw new Error(`GET https://x.example?api_key=${connection.key} failed`);
      });
      const failed = await admin.send(updateChannelBalance, { params: { id: failing } });
      assert.deepEqual(
        [failed.envelope?.code, failed.envelope?.message],
        ["upstream-failed", "GET https://x.example?api_key=*** failed"],
      );
      assert.equal((await show(failing)).balance_updated_time, 0);
      assert.equal((await admin.send(updateChannelBalance, { params: { id: 999_999 } })).envelope?.code, "not-found");
    });

    async function setOptions(values: Readonly<Record<string, string>>): Promise<void> {
      for (const [key, value] of Object.entries(values)) {
        await app.testApp.database.db.insertInto("options").values({ key, value }).execute();
      }
      app.testApp.deps.changes.announce("options");
      await waitFor(async () => app.testApp.deps.options.flag("AutomaticEnableChannelEnabled"));
    }

    async function startWhenFree(): Promise<void> {
      await waitFor(
        async () => (await admin.send(testChannels, { query: { scope: "disabled" } })).envelope?.success === true,
      );
    }
  });
}

/** Waits until the condition holds; fails when it does not for long. */
async function waitFor(condition: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 500; attempt += 1) {
    if (await condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  assert.fail("what was waited for did not come about");
}
