import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { deleteChannel, getChannel, updateChannel } from "@one-api/contract/channels/channel";
import { testChannel } from "@one-api/contract/channels/channel-tests";
import { CHANNEL_STATUS } from "@one-api/contract/channels/channel-constants";
import { DATABASE_KINDS, whyMissing } from "@one-api/database/test-databases";
import { contextOfGateway } from "../../../core/call-context.ts";
import { setOptions } from "../../../testing/set-options.ts";
import type { TestClient } from "../../../testing/test-client.ts";
import { disableChannelAutomatically, runChecks } from "../index.ts";
import { type ChannelTestApp, createChannelTestApp } from "../testing/create-channel-test-app.ts";

const { enabled, disabled, autoDisabled } = CHANNEL_STATUS;
const MINUTE = 60;

for (const kind of DATABASE_KINDS) {
  describe(`scheduled checks of channels on ${kind}`, { skip: whyMissing(kind) ?? false }, () => {
    let app: ChannelTestApp;
    let admin: TestClient;
    let probed: string[];
    let isHealthy: boolean;
    const added: number[] = [];
    before(async () => {
      app = await createChannelTestApp(kind);
      admin = await app.clientAs("admin");
    });
    after(() => app.close());
    beforeEach(async () => {
      for (const id of added.splice(0)) await admin.send(deleteChannel, { params: { id } });
      probed = [];
      isHealthy = false;
      app.around.probe = ({ name }, model) => {
        probed.push(`${name} ${model}`);
        return isHealthy
          ? { ok: true, elapsedMs: 5, text: "", address: "", usage: { promptTokens: 9, completionTokens: 2, cost: 7 } }
          : { ok: false, elapsedMs: 5, message: "no", failure: "bad-credential", status: 401, address: "" };
      };
      await setOptions(app.testApp, {
        AutomaticEnableChannelEnabled: "true",
        ChannelTestMinutes: "0",
        ChannelBalanceMinutes: "0",
        ChannelModelsMinutes: "0",
      });
    });

    const add = async (body: Record<string, unknown>) => {
      const id = await app.addChannel(admin, body);
      added.push(id);
      return id;
    };
    const disable = (id: number) =>
      disableChannelAutomatically(app.testApp.deps, id, { code: "key-refused", message: "refused" });
    const show = (id: number) => admin.data(getChannel, { params: { id } });
    const check = (isStopping?: () => boolean) =>
      runChecks(contextOfGateway(app.testApp.deps), app.dependencies, isStopping);
    /** Lets minutes pass, with the job's run in each. */
    const pass = async (minutes: number) => {
      for (let minute = 0; minute < minutes; minute += 1) {
        app.testApp.clock.advanceSeconds(MINUTE);
        await check();
      }
    };

    test("a channel that fails for ten minutes loses two probes and is enabled again by the third", async () => {
      const id = await add({ name: "ill", models: "gpt-4o,gpt-4o-mini" });
      await disable(id);
      await check();
      assert.deepEqual(probed, [], "not in the minute in which it was disabled");
      await pass(10);
      assert.deepEqual(probed, ["ill gpt-4o-mini", "ill gpt-4o-mini"], "by its cheapest model");
      const failing = await show(id);
      assert.deepEqual([failing.status, failing.failed_probes], [autoDisabled, 2]);
      assert.ok(failing.probe_time > app.testApp.clock.nowMs() / 1_000);
      isHealthy = true;
      await pass(3);
      assert.deepEqual([(await show(id)).status, probed.length], [enabled, 3]);
      assert.ok(app.around.recovered.includes(id), "it begins with a small share");
    });

    test("the next disabling begins with short pauses again", async () => {
      const id = await add({ name: "again" });
      await disable(id);
      await pass(10);
      isHealthy = true;
      await pass(3);
      await disable(id);
      isHealthy = false;
      await pass(1);
      assert.equal((await show(id)).failed_probes, 1);
    });

    test("one of several servers probes", async () => {
      await disable(await add({ name: "shared" }));
      app.testApp.clock.advanceSeconds(MINUTE);
      await Promise.all([check(), check(), check()]);
      assert.equal(probed.length, 1);
    });

    test("one of several servers tests, also one that read the channels earlier", async () => {
      isHealthy = true;
      await setOptions(app.testApp, { ChannelTestMinutes: "30" });
      await add({ name: "first" });
      await add({ name: "second" });
      await Promise.all([check(), check()]);
      app.testApp.clock.advanceSeconds(MINUTE);
      await Promise.all([check(), check()]);
      assert.deepEqual(probed.toSorted(), ["first gpt-4o", "second gpt-4o"]);
    });

    test("a test by hand does not put off the scheduled one", async () => {
      isHealthy = true;
      await setOptions(app.testApp, { ChannelTestMinutes: "30" });
      const id = await add({ name: "by hand" });
      await pass(1);
      app.testApp.clock.advanceSeconds(20 * MINUTE);
      await admin.data(testChannel, { params: { id } });
      await pass(10);
      assert.equal(probed.length, 3);
    });

    test("a stopping server starts no further check", async () => {
      for (let number = 0; number < 6; number += 1) await disable(await add({ name: `c${number}` }));
      app.testApp.clock.advanceSeconds(MINUTE);
      await check(() => probed.length > 0);
      assert.ok(probed.length > 0 && probed.length <= 4, `${probed.length} of 6`);
    });

    test("no probe of a channel that was disabled by hand, has spent its limit, or opted out, or without the option", async () => {
      const byHand = await add({ name: "by hand" });
      await admin.data(updateChannel, { body: { id: byHand, status: disabled } });
      const spent = await add({ name: "spent" });
      await disableChannelAutomatically(app.testApp.deps, spent, { code: "spending-limit", message: "spent" });
      const out = await add({ name: "out", scheduled_checks: false });
      await disable(out);
      await pass(5);
      await setOptions(app.testApp, { AutomaticEnableChannelEnabled: "false" });
      await disable(await add({ name: "unwanted" }));
      await pass(5);
      assert.deepEqual(probed, []);
    });

    test("no test and no probe of a paused channel before its time", async () => {
      await setOptions(app.testApp, { ChannelTestMinutes: "1" });
      const paused_until = Math.floor(app.testApp.clock.nowMs() / 1_000) + 5 * MINUTE;
      await add({ name: "paused", paused_until });
      await disable(await add({ name: "paused and disabled", paused_until }));
      await pass(4);
      assert.deepEqual(probed, []);
      await pass(2);
      assert.deepEqual(new Set(probed), new Set(["paused and disabled gpt-4o", "paused gpt-4o"]));
    });

    test("enabled channels are tested as often as the option says, with their test model; the log has the cost", async () => {
      isHealthy = true;
      await setOptions(app.testApp, { ChannelTestMinutes: "30" });
      const id = await add({ name: "well", models: "gpt-4o,gpt-4o-mini", test_model: "gpt-4o" });
      await pass(61);
      assert.deepEqual(probed, ["well gpt-4o", "well gpt-4o", "well gpt-4o"]);
      const entries = await app.testApp.database.db
        .selectFrom("logs")
        .select(["user_id", "prompt_tokens", "completion_tokens", "cost", "quota"])
        .where("channel_id", "=", id)
        .execute();
      assert.deepEqual(entries[0], { user_id: 0, prompt_tokens: 9, completion_tokens: 2, cost: 7, quota: 0 });
    });

    test("a channel's own intervals come before those of the options; 0 switches a check off", async () => {
      isHealthy = true;
      let asked = 0;
      app.around.balanceQueries.set(36, async () => (asked += 1));
      await setOptions(app.testApp, { ChannelTestMinutes: "30", ChannelBalanceMinutes: "10" });
      await add({ name: "often", test_minutes: 10 });
      await add({ name: "never", test_minutes: 0 });
      await add({ name: "as set" });
      await add({ name: "balance off", type: 36, models: "deepseek-chat", test_minutes: 0, balance_minutes: 0 });
      await add({ name: "out", scheduled_checks: false, test_minutes: 1, balance_minutes: 1 });
      await pass(31);
      const times = (name: string) => probed.filter((line) => line.startsWith(name)).length;
      assert.deepEqual([times("often"), times("never"), times("as set"), times("out"), asked], [4, 0, 2, 0, 0]);
      await setOptions(app.testApp, { ChannelTestMinutes: "0", ChannelBalanceMinutes: "0" });
      await pass(20);
      assert.deepEqual([times("often"), times("as set")], [6, 2], "also where the options run none");
    });

    test("balances and lists of models are fetched on schedule; a failure waits as long as a success", async () => {
      let asked = 0;
      app.around.balanceQueries.set(36, async () => {
        asked += 1;
        if (asked === 1) throw new Error("away");
        return 7;
      });
      app.around.modelLists.set(36, async () => ["deepseek-chat", "deepseek-reasoner"]);
      await setOptions(app.testApp, { ChannelBalanceMinutes: "10", ChannelModelsMinutes: "10" });
      const id = await add({ type: 36, name: "deep", models: "deepseek-chat" });
      await pass(9);
      assert.equal(asked, 1);
      await pass(2);
      const channel = await show(id);
      assert.deepEqual([asked, channel.balance], [2, 7]);
      assert.deepEqual(channel.provider_models, ["deepseek-chat", "deepseek-reasoner"]);
    });
  });
}
