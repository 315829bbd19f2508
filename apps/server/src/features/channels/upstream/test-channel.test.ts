import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import {
  getChannel,
  updateChannel,
  updateChannelBalance,
  updateChannelBalances,
} from "@one-api/contract/channels/channel";
import {
  getChannelTestProgress,
  stopChannelTests,
  testChannel,
  testChannels,
} from "@one-api/contract/channels/channel-tests";
import { LOG_TYPE } from "@one-api/contract/logs/log";
import { testSelectedChannels } from "@one-api/contract/channels/channel-bulk";
import { DATABASE_KINDS, whyMissing } from "@one-api/database/test-databases";
import { z } from "zod";
import type { TestClient } from "../../../testing/test-client.ts";
import { disableChannelAutomatically } from "../index.ts";
import { type ChannelTestApp, createChannelTestApp } from "../testing/create-channel-test-app.ts";
import { waitUntil } from "@one-api/database/testing/wait-until";

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
        .select(["type", "model_name", "content", "elapsed_time", "quota", "result", "status_code"])
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

    test("[CALL-52] [CALL-53] a test returns seconds and model, at the top level too, and stores its duration", async () => {
      app.around.probe = (_channel, model) => ({
        ok: true,
        elapsedMs: 1_234,
        text: `I am ${model}`,
        address: "a.example/v1",
      });
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
      assert.equal(log?.result, "ok");
      assert.match(log?.content ?? "", /one passed: I am first/);
      assert.deepEqual((await actions(`channel:${id}`)).slice(-1), ["channel.test"]);
    });

    test("a refused test returns the provider's message without the key, and stores 0", async () => {
      const id = await app.addChannel(admin, { key: "sk-secret-of-test-1" });
      await admin.data(testChannel, { params: { id } });
      app.around.probe = ({ connection }) => ({
        ok: false,
        elapsedMs: 80,
        message: `Bad key ${connection.key}`,
        failure: "bad-credential",
        status: 401,
        address: "a.example/v1",
      });
      const refused = await admin.send(testChannel, { params: { id } });
      assert.deepEqual(
        [refused.status, refused.envelope?.code, refused.envelope?.message],
        [200, "channel-test-failed", "Bad key ***"],
      );
      const answer = z.object({ success: z.boolean(), time: z.number(), modelName: z.string() });
      assert.deepEqual(answer.parse(JSON.parse(refused.text)), { success: false, time: 0, modelName: "gpt-4o" });
      assert.equal((await show(id)).response_time, 0);
      assert.equal((await show(id)).status, 1);
      const log = await lastLog(id);
      assert.match(log?.content ?? "", /failed: Bad key \*\*\*/);
      assert.deepEqual([log?.result, log?.status_code], ["provider-refused", 401]);
      assert.ok(!(await app.everythingStored()).includes("sk-secret-of-test-1"));
    });

    test("a refused test contains no secret of the config, at any depth", async () => {
      const config = '{"sk":"config-secret-1","extra":{"api_token":"config-secret-2"}}';
      const id = await app.addChannel(admin, { config });
      const message = "Bad credentials config-secret-1 and config-secret-2";
      app.around.probe = () => ({
        ok: false,
        elapsedMs: 80,
        message,
        failure: "bad-credential",
        status: 401,
        address: "a.example/v1/config-secret-1",
      });
      const refused = await admin.send(testChannel, { params: { id } });
      assert.equal(refused.envelope?.message, "Bad credentials *** and ***");
      assert.ok(!(await app.everythingStored()).includes("config-secret"));
    });

    test("a test stores model, address and result", async () => {
      const id = await app.addChannel(admin, { key: "sk-secret-of-trace" });
      assert.equal((await show(id)).last_test, undefined);
      app.around.probe = () => ({ ok: true, elapsedMs: 9, text: "hi", address: "api.example/v1/chat/completions" });
      await admin.data(testChannel, { params: { id } });
      assert.deepEqual((await show(id)).last_test, {
        model: "gpt-4o",
        failure: "",
        status: 200,
        message: "",
        address: "api.example/v1/chat/completions",
      });
      app.testApp.clock.advanceSeconds(60);
      app.around.probe = ({ connection }) => ({
        ok: false,
        elapsedMs: 80,
        message: `No such model for ${connection.key}`,
        failure: "unknown-model",
        status: 404,
        address: `api.example/v1/${connection.key}/chat`,
      });
      const refused = await admin.send(testChannel, { params: { id } });
      const { last_test: lastTest, test_time: testTime, status_hint: hint } = await show(id);
      assert.deepEqual(lastTest, {
        model: "gpt-4o",
        failure: "unknown-model",
        status: 404,
        message: "No such model for ***",
        address: "api.example/v1/***/chat",
      });
      assert.equal(testTime, Math.floor(app.testApp.clock.nowMs() / 1000));
      assert.equal(hint, undefined, "a wrong model says nothing of the key");
      assert.deepEqual(refused.envelope?.values, {
        name: "one",
        model: "gpt-4o",
        failure: "unknown-model",
        status: 404,
        address: "api.example/v1/***/chat",
        message: "No such model for ***",
      });
      assert.ok(!(await app.everythingStored()).includes("sk-secret-of-trace"));
    });

    test("a refused key sets a hint at once, which the next passed test clears", async () => {
      const id = await app.addChannel(admin);
      const refusedWith = (failure: string) => () =>
        ({ ok: false, elapsedMs: 1, message: "No.", failure, status: 401, address: "" }) as const;
      for (const [failure, code] of [
        ["bad-credential", "key-refused"],
        ["out-of-credit", "out-of-credit"],
      ] as const) {
        app.around.probe = refusedWith(failure);
        await admin.send(testChannel, { params: { id } });
        const at = Math.floor(app.testApp.clock.nowMs() / 1000);
        assert.deepEqual((await show(id)).status_hint, { code, message: "No.", at });
      }
      assert.equal((await show(id)).status, 1, "a test by hand disables nothing");
      app.around.probe = refusedWith("timeout");
      await admin.send(testChannel, { params: { id } });
      assert.equal((await show(id)).status_hint?.code, "out-of-credit", "a timeout says nothing of the key");
      app.around.probe = () => ({ ok: true, elapsedMs: 1, text: "", address: "" });
      await admin.data(testChannel, { params: { id } });
      assert.equal((await show(id)).status_hint, undefined);
    });

    test("[CALL-51] a run has a progress, can be stopped at once, and allows the next one", async () => {
      const ids = [await app.addChannel(admin), await app.addChannel(admin)];
      const { length: total } = await app.testApp.database.db.selectFrom("channels").select("id").execute();
      const gate = Promise.withResolvers<void>();
      let asked = 0;
      app.around.probe = async () => {
        asked += 1;
        if (asked === 3) await gate.promise;
        return asked === 2
          ? { ok: false, elapsedMs: 1, message: "", failure: "timeout", status: 0, address: "" }
          : { ok: true, elapsedMs: 1, text: "", address: "" };
      };
      await startWhenFree("all");
      await waitUntil(async () => asked === 3);
      const progress = await admin.data(getChannelTestProgress);
      assert.deepEqual(
        [progress.running, progress.scope, progress.total, progress.done, progress.failed, progress.ended_at],
        [true, "all", total, 2, 1, 0],
      );
      const user = await app.clientAs("user");
      assert.equal((await user.send(stopChannelTests)).status, 403);
      assert.equal((await user.send(getChannelTestProgress)).status, 403);
      const stopped = await admin.data(stopChannelTests);
      assert.deepEqual([stopped.running, stopped.done, stopped.ended_at > 0], [false, 2, true]);
      assert.deepEqual((await actions("channels")).slice(-1), ["channel.test-stop"]);
      assert.deepEqual(await admin.data(stopChannelTests), stopped, "stopping twice changes nothing");
      app.around.probe = () => ({ ok: true, elapsedMs: 3, text: "", address: "" });
      await admin.data(testChannels, { query: { scope: "all" } });
      gate.resolve();
      await waitUntil(async () => !(await admin.data(getChannelTestProgress)).running);
      const { done, failed } = await admin.data(getChannelTestProgress);
      assert.deepEqual([done, failed], [total, 0]);
      assert.ok((await show(ids[1] ?? 0)).test_time > 0);
    });

    test("a run of selected channels tests only those, and lists failures with their messages", async () => {
      await waitUntil(async () => !(await admin.data(getChannelTestProgress)).running);
      const chosen = [await app.addChannel(admin, { name: "first" }), await app.addChannel(admin, { name: "second" })];
      const other = await app.addChannel(admin);
      app.around.probe = ({ name, connection }) =>
        name === "second"
          ? { ok: false, elapsedMs: 1, message: `${connection.key}?`, failure: "timeout", status: 0, address: "" }
          : { ok: true, elapsedMs: 1, text: "", address: "" };
      await admin.data(testSelectedChannels, { body: { ids: chosen } });
      await waitUntil(async () => !(await admin.data(getChannelTestProgress)).running);
      const { scope, total, done, failed, failures } = await admin.data(getChannelTestProgress);
      assert.deepEqual([scope, total, done, failed], ["selected", 2, 2, 1]);
      assert.deepEqual(failures, [{ id: chosen[1], name: "second", failure: "timeout", message: "***?" }]);
      assert.equal((await show(other)).test_time, 0);
      app.around.probe = () => ({ ok: true, elapsedMs: 1, text: "", address: "" });
      await admin.data(testSelectedChannels, { body: { ids: chosen } });
      await waitUntil(async () => !(await admin.data(getChannelTestProgress)).running);
      assert.deepEqual((await admin.data(getChannelTestProgress)).failures, []);
    });

    test("a channel without models cannot be tested, a missing one is not found, others are forbidden", async () => {
      const id = await app.addChannel(admin, { type: 43, models: "", base_url: "https://proxy.example" });
      assert.equal((await admin.send(testChannel, { params: { id } })).envelope?.code, "channel-nothing-to-test");
      assert.equal((await admin.send(testChannel, { params: { id: 999_999 } })).envelope?.code, "channel-not-found");
      const user = await app.clientAs("user");
      for (const call of [testChannel, updateChannelBalance])
        assert.equal((await user.send(call, { params: { id } })).status, 403);
      assert.equal((await user.send(testChannels)).status, 403);
      for (const call of [testChannel, testChannels, updateChannelBalance]) {
        const answer = await admin.send(call, { params: { id }, headers: { "sec-fetch-site": "cross-site" } });
        assert.equal(answer.status, 403, "a GET that changes something is refused from elsewhere");
      }
    });

    test("[CALL-51] [CHLIST-15] a run tests channels one by one; a second run is refused", async () => {
      const slow = await app.addChannel(admin, { name: "slow" });
      const fast = await app.addChannel(admin, { name: "fast" });
      const refused = await app.addChannel(admin, { name: "refused" });
      const back = await app.addChannel(admin, { name: "back" });
      await disableChannelAutomatically(app.testApp.deps, back, { code: "slow", message: "before" });
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
        if (name === "refused")
          return {
            ok: false,
            elapsedMs: 1,
            message: "no such key",
            failure: "bad-credential",
            status: 401,
            address: "",
          };
        return { ok: true, elapsedMs: name === "slow" ? 5_001 : 5_000, text: "", address: "" };
      };
      await admin.data(testChannels, { query: { scope: "all" } });
      const busy = await admin.send(testChannels, { query: { scope: "disabled" } });
      assert.deepEqual([busy.status, busy.envelope?.code], [200, "channel-test-running"]);
      gate.resolve();
      await waitUntil(async () => (await show(byHand)).test_time > 0);
      assert.equal(most, 1);
      const states = await Promise.all([slow, fast, refused, back, byHand].map(async (id) => (await show(id)).status));
      assert.deepEqual(states, [3, 1, 3, 1, 2]);
      assert.match((await show(slow)).status_reason ?? "", /5\.0 s, longer than 5 s/);
      assert.match((await show(refused)).status_reason ?? "", /no such key/);
      assert.ok(app.around.recovered.includes(back));
      assert.ok((await actions(`channel:${back}`)).includes("channel.enable-automatically"));
      assert.deepEqual((await actions("channels")).slice(-1), ["channel.test-many"]);
    });

    test("[CHLIST-16] scope disabled tests statuses 2 and 3 only; an error does not block the next run", async () => {
      const enabled = await app.addChannel(admin, { name: "left alone" });
      const disabled = await app.addChannel(admin, { name: "tested" });
      await admin.data(updateChannel, { body: { id: disabled, status: 2 } });
      let attempts = 0;
      app.around.probe = () => {
        attempts += 1;
        throw new Error("the relay has a bug");
      };
      await startWhenFree();
      await waitUntil(
        async () => attempts > 0 && app.testApp.logLines.some((line) => line.includes("could not be tested")),
      );
      app.around.probe = () => ({ ok: true, elapsedMs: 3, text: "", address: "" });
      await startWhenFree();
      await waitUntil(async () => (await show(disabled)).test_time > 0);
      assert.deepEqual([(await show(enabled)).test_time, (await show(disabled)).status], [0, 2]);
    });

    test("[CALL-54] [CALL-55] a balance is requested from the provider, stored and returned, at the top level too", async () => {
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

    test("balances of all enabled channels are requested in the background, despite failures", async () => {
      app.around.balanceQueries.set(36, async ({ key }) => (key.endsWith("bad") ? Promise.reject(new Error("no")) : 7));
      const add = (more: object) => app.addChannel(admin, { type: 36, ...more });
      const failing = await add({ key: "sk-balance-bad" });
      const silent = await app.addChannel(admin);
      const disabled = await add({ key: "sk-balance-off", status: 2 });
      const fine = await add({ key: "sk-balance-fine" });
      const answer = await admin.send(updateChannelBalances);
      assert.deepEqual(JSON.parse(answer.text), { success: true, message: "", data: null });
      await waitUntil(async () => (await show(fine)).balance === 7);
      for (const id of [failing, silent, disabled]) assert.equal((await show(id)).balance_updated_time, 0);
      assert.ok((await actions("channels")).includes("channel.update-balances"));
    });

    test("root is alerted once when a balance falls below the threshold, and again after it was above", async () => {
      const balances = [2, 0.5, 0.4, 1, 0];
      app.around.balanceQueries.set(36, async () => balances.shift() ?? 0);
      const id = await app.addChannel(admin, { type: 36, name: "Poor", key: "sk-balance-key-3" });
      while (balances.length > 0) await admin.send(updateChannelBalance, { params: { id } });
      const { db } = app.testApp.database;
      const rows = await db.selectFrom("logs").select("content").where("channel_id", "=", id).orderBy("id").execute();
      assert.deepEqual(
        rows.map(({ content }) => content),
        [0.5, 0].map((left) => `Channel Poor (${id}) has a balance of ${left}, below 1. Top up at its provider.`),
      );
    });

    test("a missing balance and a failed request are refused, without the key", async () => {
      const none = await app.addChannel(admin, { type: 14 });
      const refused = await admin.send(updateChannelBalance, { params: { id: none } });
      assert.equal(refused.envelope?.code, "channel-balance-not-offered");
      assert.match(refused.envelope?.message ?? "", /Anthropic Claude/);
      const failing = await app.addChannel(admin, { type: 44, key: "sk-balance-key-2" });
      app.around.balanceQueries.set(44, async (connection) => {
        throw new Error(`GET https://x.example?api_key=${connection.key} failed`);
      });
      const failed = await admin.send(updateChannelBalance, { params: { id: failing } });
      assert.deepEqual(
        [failed.envelope?.code, failed.envelope?.message],
        ["channel-balance-failed", "GET https://x.example?api_key=*** failed"],
      );
      assert.equal((await show(failing)).balance_updated_time, 0);
      assert.equal(
        (await admin.send(updateChannelBalance, { params: { id: 999_999 } })).envelope?.code,
        "channel-not-found",
      );
    });

    async function setOptions(values: Readonly<Record<string, string>>): Promise<void> {
      for (const [key, value] of Object.entries(values)) {
        await app.testApp.database.db.insertInto("options").values({ key, value }).execute();
      }
      app.testApp.deps.changes.announce("options");
      await waitUntil(async () => app.testApp.deps.options.flag("AutomaticEnableChannelEnabled"));
    }

    async function startWhenFree(scope: "all" | "disabled" = "disabled"): Promise<void> {
      await waitUntil(async () => (await admin.send(testChannels, { query: { scope } })).envelope?.success === true);
    }
  });
}
