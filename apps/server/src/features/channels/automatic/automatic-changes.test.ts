import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { CHANNEL_STATUS } from "@one-api/contract/channels/channel-constants";
import { deleteChannel, getChannel, updateChannel } from "@one-api/contract/channels/channel";
import { testChannels } from "@one-api/contract/channels/channel-tests";
import { LOG_TYPE } from "@one-api/contract/logs/log";
import { DATABASE_KINDS, whyMissing } from "@one-api/database/test-databases";
import { setOptions as setOptionsAsRoot } from "../../../testing/set-options.ts";
import type { TestClient } from "../../../testing/test-client.ts";
import {
  disableChannelAutomatically,
  disableSpentChannels,
  loadChannelsForRelay,
  makeChannelDormant,
} from "../index.ts";
import { type ChannelTestApp, createChannelTestApp } from "../testing/create-channel-test-app.ts";
import { waitUntil } from "@one-api/database/testing/wait-until";
import { enableChannelAutomatically } from "./change-channel-automatically.ts";
import { restockChannels } from "./restock-channels.ts";

const QUOTA_PER_UNIT = 500_000;
const { enabled, disabled, autoDisabled, reserve } = CHANNEL_STATUS;

for (const kind of DATABASE_KINDS) {
  describe(`automatic changes of channels on ${kind}`, { skip: whyMissing(kind) ?? false }, () => {
    let app: ChannelTestApp;
    let admin: TestClient;
    before(async () => {
      app = await createChannelTestApp(kind);
      admin = await app.clientAs("admin");
    });
    after(() => app.close());

    const show = (id: number) => admin.data(getChannel, { params: { id } });
    const statuses = (ids: readonly number[]) => Promise.all(ids.map(async (id) => (await show(id)).status));
    const systemRows = async (id: number) =>
      (
        await app.testApp.database.db
          .selectFrom("logs")
          .select(["content", "type", "user_id", "quota"])
          .where("channel_id", "=", id)
          .where("type", "=", LOG_TYPE.system)
          .execute()
      ).map((row) => row.content);
    const spend = async (id: number, usd: number) => {
      const { db } = app.testApp.database;
      const spent = Math.round(usd * QUOTA_PER_UNIT);
      await db
        .updateTable("channels")
        .set((row) => ({ used_quota: row("used_quota", "+", spent) }))
        .where("id", "=", id)
        .execute();
    };
    const served = async () => {
      const { database, deps } = app.testApp;
      const channels = await loadChannelsForRelay(database.db, deps.secrets, QUOTA_PER_UNIT, deps.log);
      return channels.map(({ id }) => id);
    };

    async function stock(type: number, states: readonly number[]): Promise<number[]> {
      const ids: number[] = [];
      for (const status of states)
        ids.push(await app.addChannel(admin, { type, status, config: '{"region":"us-east-1"}' }));
      return ids;
    }

    test("[CHSTATE-20] [CHSTATE-22] [CHSTATE-23] the oldest reserve channels of a type are enabled up to the threshold, with log and audit entries", async () => {
      const ids = await stock(14, [enabled, reserve, reserve, reserve, disabled]);
      const others = await stock(24, [reserve]);
      const full = await stock(25, [enabled, enabled, enabled, reserve]);
      assert.equal(await restockChannels(app.testApp.deps, 3), 3);
      assert.deepEqual(await statuses(ids), [enabled, enabled, enabled, reserve, disabled]);
      assert.deepEqual(await statuses(others), [enabled]);
      assert.deepEqual(await statuses(full), [enabled, enabled, enabled, reserve]);
      assert.equal(await restockChannels(app.testApp.deps, 3), 0);
      const [first] = await systemRows(ids[1] ?? 0);
      assert.match(first ?? "", /enabled from the reserve: fewer than 3 channels of Anthropic Claude/);
      const audit = await app.testApp.database.db
        .selectFrom("audit")
        .select(["action", "actor_name"])
        .where("object", "=", `channel:${ids[2]}`)
        .orderBy("id", "desc")
        .executeTakeFirst();
      assert.deepEqual([audit?.action, audit?.actor_name], ["channel.restock", ""]);
    });

    test("[CHSTATE-23] concurrent restocking enables no more channels than the threshold", async () => {
      const ids = await stock(33, [reserve, reserve, reserve, reserve, reserve]);
      const enabledHere = await Promise.all(Array.from({ length: 8 }, () => restockChannels(app.testApp.deps, 2)));
      assert.deepEqual(await statuses(ids), [enabled, enabled, reserve, reserve, reserve]);
      assert.ok(enabledHere.reduce((sum, count) => sum + count, 0) >= 2);
    });

    test("[CHSTATE-21] a channel that is disabled, deleted or refused is replaced at once, if the option is on", async () => {
      const ids = await stock(40, [enabled, reserve, reserve, reserve, reserve]);
      const [first = 0, second = 0, third = 0, fourth = 0, fifth = 0] = ids;
      await admin.data(updateChannel, { body: { id: first, status: disabled } });
      await setOptions({ QuotaForAddChannel: "1" });
      assert.deepEqual(await statuses([second]), [reserve]);
      await setOptions({ AutoAddChannelEnabled: "true" });
      await becomes(second, enabled);
      await admin.data(updateChannel, { body: { id: second, status: disabled } });
      await becomes(third, enabled);
      await admin.data(deleteChannel, { params: { id: third } });
      await becomes(fourth, enabled);
      await disableChannelAutomatically(app.testApp.deps, fourth, { code: "key-refused", message: "refused" });
      await becomes(fifth, enabled);
      await setOptions({ AutoAddChannelEnabled: "false" });
    });

    test("[CHSTATE-30] [CHSTATE-31] [CHSTATE-32] a channel at its spending limit is disabled, and root is alerted", async () => {
      const id = await app.addChannel(admin, { name: "Thrifty", soft_limit_usd: 3 });
      const unlimited = await app.addChannel(admin, { soft_limit_usd: 0 });
      await spend(unlimited, 1_000);
      await spend(id, 2.99);
      assert.equal(await disableSpentChannels(app.testApp.deps, QUOTA_PER_UNIT), 0);
      await spend(id, 0.02);
      const found = await Promise.all(
        Array.from({ length: 5 }, () => disableSpentChannels(app.testApp.deps, QUOTA_PER_UNIT)),
      );
      assert.ok(found.reduce((sum, count) => sum + count, 0) <= 1, "one writes the row, or what looks after limits");
      const channel = await show(id);
      assert.deepEqual([channel.status, channel.status_hint?.code], [autoDisabled, "spending-limit"]);
      assert.deepEqual(channel.status_hint?.parts, { used: 3.01, limit: 3 });
      const entry = app.testApp.database.db.selectFrom("logs").select("detail").where("channel_id", "=", id);
      const event = { code: "channel-spent", values: { id, name: "Thrifty", used: 3.01, limit: 3 } };
      assert.deepEqual(JSON.parse((await entry.executeTakeFirstOrThrow()).detail), { event });
      assert.deepEqual(await systemRows(id), [
        `Channel Thrifty (${id}) was disabled. It has spent $3.01 of its limit of $3. Raise the limit or enable the channel to use it again.`,
      ]);
      assert.deepEqual(await statuses([unlimited]), [enabled]);
    });

    const toldOf = async (id: number) => {
      const rows = await app.testApp.database.db.selectFrom("pending_alerts").select(["kind", "facts"]).execute();
      return rows.filter(({ facts }) => facts.includes(`"id":${id},`)).map((row) => row.kind);
    };

    test("[CHSTATE-31] root is alerted once of each spent and each disabled channel", async () => {
      const spent = await app.addChannel(admin, { soft_limit_usd: 1 });
      await spend(spent, 1);
      for (let look = 0; look < 2; look += 1) await disableSpentChannels(app.testApp.deps, QUOTA_PER_UNIT);
      assert.deepEqual(await toldOf(spent), ["channel-spent"]);
      const refused = await app.addChannel(admin, { name: "Refused" });
      const reason = { code: "key-refused", message: "The provider refused the key." } as const;
      await Promise.all(
        Array.from({ length: 4 }, () => disableChannelAutomatically(app.testApp.deps, refused, reason)),
      );
      assert.deepEqual(await toldOf(refused), ["channel-disabled"]);
      assert.deepEqual(await systemRows(refused), [
        `Channel Refused (${refused}) was disabled. The provider refused the key.`,
      ]);
    });

    test("root is alerted of a limited account once a day", async () => {
      const id = await app.addChannel(admin, { name: "Limited" });
      const limit = () =>
        makeChannelDormant(app.testApp.deps, id, Math.floor(app.testApp.clock.nowMs() / 1000) + 60, "limited");
      for (let time = 0; time < 3; time += 1) await limit();
      assert.equal((await systemRows(id)).length, 1);
      await app.testApp.database.db
        .updateTable("alert_states")
        .set((state) => ({ at: state("at", "-", 86_400) }))
        .where("id", "=", id)
        .execute();
      for (let time = 0; time < 3; time += 1) await limit();
      assert.deepEqual(await toldOf(id), ["channel-asleep", "channel-asleep"]);
    });

    test("[CHSTATE-30] neither a test nor an automatic change enables a spent channel", async () => {
      const id = await app.addChannel(admin, { soft_limit_usd: 1 });
      await spend(id, 1);
      assert.ok(!(await served()).includes(id), "not even before it is disabled");
      await disableSpentChannels(app.testApp.deps, QUOTA_PER_UNIT, id);
      assert.equal(await enableChannelAutomatically(app.testApp.deps, id, QUOTA_PER_UNIT), false);
      await setOptions({ AutomaticEnableChannelEnabled: "true" });
      await admin.data(testChannels, { query: { scope: "all" } });
      await waitUntil(async () => (await show(id)).test_time > 0);
      const channel = await show(id);
      assert.deepEqual(
        [channel.status, channel.status_hint?.code, channel.last_test?.failure],
        [autoDisabled, "spending-limit", ""],
      );
    });

    test("[CHSTATE-30] a raised limit enables the channel; enabling it by hand resets its usage", async () => {
      const id = await app.addChannel(admin, { soft_limit_usd: 1 });
      await spend(id, 2.5);
      await disableSpentChannels(app.testApp.deps, QUOTA_PER_UNIT, id);
      await admin.data(updateChannel, { body: { id, soft_limit_usd: 2 } });
      assert.deepEqual(await statuses([id]), [autoDisabled], "still spent");
      const raised = await admin.data(updateChannel, { body: { id, soft_limit_usd: 3 } });
      assert.deepEqual([raised.status, raised.status_hint, raised.status_reason], [enabled, undefined, ""]);
      await spend(id, 0.5);
      await disableSpentChannels(app.testApp.deps, QUOTA_PER_UNIT, id);
      assert.deepEqual(await statuses([id]), [autoDisabled]);
      await admin.data(updateChannel, { body: { id, status: enabled } });
      await spend(id, 2.9);
      assert.equal(await disableSpentChannels(app.testApp.deps, QUOTA_PER_UNIT, id), 0);
      assert.ok((await served()).includes(id));
      await spend(id, 0.1);
      await disableSpentChannels(app.testApp.deps, QUOTA_PER_UNIT, id);
      assert.deepEqual(await statuses([id]), [autoDisabled]);
    });

    test("[CHSTATE-30] a limit that is raised during the disabling keeps the channel enabled", async () => {
      const id = await app.addChannel(admin, { soft_limit_usd: 1 });
      await spend(id, 0.5);
      // Spent only with another QuotaPerUnit, so that the job does not disable it first.
      const smallDollar = QUOTA_PER_UNIT / 4;
      const { deps } = app.testApp;
      let raising: Promise<unknown> | undefined;
      const db = deps.database.db.withPlugin({
        transformQuery: ({ node }) => node,
        transformResult: async ({ result }) => {
          raising ??= deps.database.db
            .updateTable("channels")
            .set({ soft_limit_usd: 9 })
            .where("id", "=", id)
            .execute();
          await raising;
          return result;
        },
      });
      const context = { ...deps, database: { ...deps.database, db } };
      assert.equal(await disableSpentChannels(context, smallDollar, id), 0);
      assert.notEqual(raising, undefined);
      assert.deepEqual(await statuses([id]), [enabled]);
    });

    test("a raised limit enables no channel that was disabled for another cause", async () => {
      // Tests of all channels may still run.
      await setOptions({ AutomaticEnableChannelEnabled: "false" });
      const id = await app.addChannel(admin, { soft_limit_usd: 1 });
      // In this order, as the job may otherwise disable it for its own reason.
      await disableChannelAutomatically(app.testApp.deps, id, { code: "key-refused", message: "refused" });
      await spend(id, 2);
      await admin.data(updateChannel, { body: { id, soft_limit_usd: 9 } });
      assert.deepEqual(await statuses([id]), [autoDisabled]);
    });

    const setOptions = (values: Readonly<Record<string, string>>) => setOptionsAsRoot(app.testApp, values);
    const becomes = (id: number, status: number) => waitUntil(async () => (await show(id)).status === status);
  });
}
