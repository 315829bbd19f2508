import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import {
  getChannel,
  listChannels,
  updateChannel,
  updateChannelBalance,
  updateChannelBalances,
} from "@one-api/contract/channels/channel";
import {
  addChannelKeys,
  deleteChannelKey,
  listChannelKeys,
  updateChannelKey,
  updateChannelKeyBalance,
} from "@one-api/contract/channels/channel-keys";
import { getTroubles } from "@one-api/contract/usage/dashboard";
import { DATABASE_KINDS, whyMissing } from "@one-api/database/test-databases";
import { waitUntil } from "@one-api/database/testing/wait-until";
import { parseJson, recordOf } from "@one-api/providers/shared/json-fields";
import { contextOfGateway } from "../../../core/call-context.ts";
import { createSecrets } from "../../../core/secrets.ts";
import { setOptions } from "../../../testing/set-options.ts";
import type { TestClient } from "../../../testing/test-client.ts";
import { alertText, takePendingAlerts } from "../../alerts/index.ts";
import { listTroubledChannels, runChecks } from "../index.ts";
import { type ChannelTestApp, createChannelTestApp } from "../testing/create-channel-test-app.ts";

const DEEPSEEK = 36;
const [FIRST, SECOND, THIRD] = ["sk-first-key-0001", "sk-second-key-0002", "sk-third-key-0003"];
const MINUTE = 60;

for (const kind of DATABASE_KINDS) {
  describe(`the balances of a channel's keys on ${kind}`, { skip: whyMissing(kind) ?? false }, () => {
    let app: ChannelTestApp;
    let admin: TestClient;
    /** What the provider reports for a key; an error is its refusal. */
    const reports = new Map<string, number | Error>();
    let asked: string[];
    /** Runs before the provider's answer. */
    let meanwhile: (key: string) => Promise<void>;
    before(async () => {
      app = await createChannelTestApp(kind);
      admin = await app.clientAs("admin");
      app.around.balanceQueries.set(DEEPSEEK, async ({ key }) => {
        asked.push(key);
        await meanwhile(key);
        const report = reports.get(key) ?? 1;
        if (report instanceof Error) throw report;
        return report;
      });
    });
    after(() => app.close());
    beforeEach(async () => {
      reports.clear();
      asked = [];
      meanwhile = async () => undefined;
      await app.testApp.database.db.deleteFrom("pending_alerts").execute();
    });

    const add = (keys: readonly (string | undefined)[] = [FIRST, SECOND], more: object = {}) =>
      app.addChannel(admin, { type: DEEPSEEK, models: "m", key: keys[0], more_keys: keys.slice(1), ...more });
    const list = (id: number) => admin.data(listChannelKeys, { params: { id } });
    const show = (id: number) => admin.data(getChannel, { params: { id } });
    const update = (id: number) => admin.send(updateChannelBalance, { params: { id } });
    const placeOf = async (id: number, index: number) => ({ id, key: (await list(id))[index]?.id ?? 0 });
    const updateKey = async (id: number, index: number) =>
      admin.send(updateChannelKeyBalance, { params: await placeOf(id, index) });
    const setKey = async (id: number, index: number, status: 1 | 2) =>
      admin.data(updateChannelKey, { params: await placeOf(id, index), body: { status } });
    const balancesOf = async (id: number) => (await list(id)).map(({ balance }) => balance);
    const errorsOf = async (id: number) => (await list(id)).map(({ balance_error: error }) => error);
    const summary = async (id: number) => {
      const { balance, balance_updated_time: at, keys } = await show(id);
      return [balance, at > 0, keys?.known_balances, keys?.unknown_balances, keys?.known_balance];
    };
    const audits = async (id: number) => {
      const rows = app.testApp.database.db.selectFrom("audit").select(["action", "detail"]);
      const ofChannel = await rows.where("object", "=", `channel:${id}`).orderBy("id").execute();
      return ofChannel
        .filter(({ action }) => action.includes("balance"))
        .map(({ action, detail }) => [action, parseJson(detail)]);
    };
    const alerts = async () =>
      (await takePendingAlerts(app.testApp.database.db)).map(({ alert }) => alertText(alert, "en"));
    const now = () => Math.floor(app.testApp.clock.nowMs() / 1_000);
    const check = () => runChecks(contextOfGateway(app.testApp.deps), app.dependencies);

    test("[CALL-54] each key is asked for, and the channel has the sum of all", async () => {
      const id = await add();
      assert.deepEqual(await summary(id), [0, false, 0, 2, 0], "before the first check");
      reports.set(FIRST ?? "", 0.1).set(SECOND ?? "", 0.2);
      const { envelope, text } = await update(id);
      assert.deepEqual([envelope?.success, recordOf(parseJson(text)).balance], [true, 0.3]);
      assert.deepEqual(new Set(asked), new Set([FIRST, SECOND]));
      assert.deepEqual(await balancesOf(id), [0.1, 0.2]);
      assert.deepEqual(await summary(id), [0.3, true, 2, 0, 0.3]);
      assert.deepEqual(await audits(id), [["channel.update-balance", { balance: 0.3 }]]);
    });

    test("a key without an answer stores why, and the others' sum is not the channel's balance", async () => {
      const id = await add([FIRST, SECOND, THIRD], { name: "partly" });
      await update(id);
      app.testApp.clock.advanceSeconds(MINUTE);
      reports.set(SECOND ?? "", new Error(`GET https://x.example?api_key=${SECOND} answered 401`));
      const { envelope } = await update(id);
      assert.equal(envelope?.code, "channel-balance-incomplete");
      assert.equal(
        envelope?.message,
        "The balance of partly is incomplete: it is unknown for 1 of 3 keys. …0002: GET https://x.example?api_key=*** answered 401",
      );
      assert.deepEqual(await summary(id), [0, false, 2, 1, 2]);
      const columns = app.testApp.database.db.selectFrom("channels").select(["balance", "balance_updated_time"]);
      const seenByLastRelease = await columns.where("id", "=", id).executeTakeFirst();
      assert.deepEqual({ ...seenByLastRelease }, { balance: 0, balance_updated_time: 0 });
      const [first, second] = await list(id);
      assert.deepEqual([first?.balance_updated_time, first?.balance_error], [now(), ""]);
      assert.deepEqual(
        [second?.balance, second?.balance_updated_time, second?.balance_error, second?.balance_error_time],
        [1, now() - MINUTE, "GET https://x.example?api_key=*** answered 401", now()],
        "with the last report",
      );
      const [row] = (await admin.data(listChannels, { query: { size: 100 } })).filter((channel) => channel.id === id);
      assert.deepEqual([row?.balance, row?.balance_updated_time, row?.keys?.unknown_balances], [0, 0, 1]);
      assert.deepEqual((await audits(id)).at(-1), ["channel.update-balance", { balance: 2, known: 2, unknown: 1 }]);
      const edited = await admin.data(updateChannel, { body: { id, weight: 7 } });
      assert.deepEqual([edited.balance, edited.balance_updated_time, edited.keys?.unknown_balances], [0, 0, 1]);
      assert.ok(!(await app.everythingStored()).includes(SECOND ?? ""));
      reports.delete(SECOND ?? "");
      assert.equal((await update(id)).envelope?.success, true);
      assert.deepEqual(
        [await errorsOf(id), await summary(id)],
        [
          ["", "", ""],
          [3, true, 3, 0, 3],
        ],
      );
    });

    test("if no key is answered the check has failed, as that of a single key, and nothing is audited", async () => {
      const id = await add();
      for (const key of [FIRST, SECOND]) reports.set(key ?? "", new Error("away"));
      const { envelope } = await update(id);
      assert.deepEqual([envelope?.code, envelope?.message], ["channel-balance-failed", "…0001: away"]);
      assert.deepEqual([await errorsOf(id), await audits(id)], [["away", "away"], []]);
    });

    test("one key is refreshed alone; another channel's is out of reach, and users refresh none", async () => {
      const id = await add();
      await update(id);
      reports.set(SECOND ?? "", 5);
      asked = [];
      assert.equal((await updateKey(id, 1)).envelope?.success, true);
      assert.deepEqual([asked, await balancesOf(id), (await show(id)).balance], [[SECOND], [1, 5], 6]);
      assert.deepEqual((await audits(id)).at(-1), ["channel.update-key-balance", { key_end: "0002", balance: 5 }]);
      reports.set(SECOND ?? "", new Error("no"));
      const failed = (await updateKey(id, 1)).envelope;
      assert.deepEqual([failed?.code, failed?.message], ["channel-balance-failed", "…0002: no"]);
      assert.deepEqual([await errorsOf(id), (await audits(id)).length], [["", "no"], 2]);
      const { key } = await placeOf(await add(), 0);
      const elsewhere = await admin.send(updateChannelKeyBalance, { params: { id, key } });
      assert.equal(elsewhere.envelope?.code, "channel-key-not-found");
      const user = await app.clientAs("user");
      const refused = await user.send(updateChannelKeyBalance, { params: await placeOf(id, 0) });
      assert.equal(refused.status, 403);
      const silent = await app.addChannel(admin, { key: FIRST, more_keys: [SECOND] });
      assert.equal((await update(silent)).envelope?.code, "channel-balance-not-offered");
      assert.equal((await updateKey(silent, 0)).envelope?.code, "channel-balance-not-offered");
      assert.deepEqual(await errorsOf(silent), ["", ""]);
    });

    test("keys in use count: the enabled ones, else those that the gateway disabled", async () => {
      const id = await add([FIRST, SECOND, THIRD]);
      reports
        .set(FIRST ?? "", 1)
        .set(SECOND ?? "", 10)
        .set(THIRD ?? "", 100);
      await update(id);
      await setKey(id, 1, 2);
      assert.deepEqual(await summary(id), [101, true, 2, 0, 101], "without another check");
      asked = [];
      await update(id);
      assert.deepEqual(new Set(asked), new Set([FIRST, THIRD]));
      await setKey(id, 0, 2);
      await setKey(id, 2, 2);
      assert.equal((await show(id)).balance, 111);
      const { db } = app.testApp.database;
      await db.updateTable("channel_keys").set({ status: 3 }).where("key_end", "=", "0003").where("channel_id", "=", id).execute(); // prettier-ignore
      assert.equal((await show(id)).balance, 100);
      await setKey(id, 1, 1);
      assert.equal((await show(id)).balance, 10);
    });

    test("the first key of a channel that gets more has its balance; a new key of the channel has none", async () => {
      const id = await app.addChannel(admin, { type: DEEPSEEK, key: FIRST, models: "m" });
      reports.set(FIRST ?? "", 4);
      await update(id);
      await admin.data(addChannelKeys, { params: { id }, body: { keys: [SECOND ?? ""] } });
      assert.deepEqual(
        [await balancesOf(id), await summary(id)],
        [
          [4, 0],
          [0, false, 1, 1, 4],
        ],
      );
      await admin.data(deleteChannelKey, { params: await placeOf(id, 1) });
      assert.deepEqual(await summary(id), [4, true, 1, 0, 4]);
      const replaced = await admin.data(updateChannel, { body: { id, key: THIRD } });
      assert.deepEqual([replaced.balance, replaced.balance_updated_time, replaced.keys], [0, 0, undefined]);
    });

    test("root is alerted once for each key whose balance falls below the threshold, by its last four characters", async () => {
      const id = await add([FIRST, SECOND], { name: "Poor" });
      reports.set(FIRST ?? "", 20).set(SECOND ?? "", 0.4);
      await update(id);
      await update(id);
      assert.deepEqual(await alerts(), [
        `A key (…0002) of channel Poor (${id}) has a balance of 0.4, below 1. Top up at its provider.`,
      ]);
      reports.set(SECOND ?? "", new Error("away"));
      await update(id);
      reports.set(SECOND ?? "", 0.3);
      await update(id);
      assert.deepEqual(await alerts(), [], "a failed check does not end the alert");
      reports.set(SECOND ?? "", 2);
      await update(id);
      reports.set(SECOND ?? "", 0);
      await update(id);
      assert.equal((await alerts()).length, 1);
      const entry = await app.testApp.database.db
        .selectFrom("logs")
        .select("detail")
        .where("channel_id", "=", id)
        .orderBy("id")
        .executeTakeFirst();
      assert.deepEqual(parseJson(entry?.detail ?? ""), {
        event: {
          code: "channel-key-balance-low",
          values: { id, name: "Poor", balance: 0.4, threshold: 1, ending: "0002" },
        },
      });
      await setKey(id, 0, 2);
      reports.set(FIRST ?? "", 0);
      await updateKey(id, 0);
      assert.deepEqual(await alerts(), [], "a key that an administrator disabled has no alert");
    });

    test("accounts below the threshold are listed by key", async () => {
      const id = await add([FIRST, SECOND, THIRD], { name: "Listed" });
      reports
        .set(FIRST ?? "", 20)
        .set(SECOND ?? "", 0.4)
        .set(THIRD ?? "", -1);
      await update(id);
      const { cooldowns } = app.dependencies;
      const marks = { now: now(), balanceBelow: 1, most: 100 };
      const { balances } = await listTroubledChannels(app.testApp.database.db, cooldowns, marks);
      assert.deepEqual(
        balances.filter((account) => account.id === id).map(({ balance, key }) => [balance, key?.end]),
        [[-1, "0003"], [0.4, "0002"]], // prettier-ignore
      );
      assert.ok(getTroubles.data.shape.channel_balances.safeParse(balances).success);
    });

    test("an empty key stays enabled, as a channel of one key does: its provider's refusals decide", async () => {
      const id = await add();
      for (const key of [FIRST, SECOND]) reports.set(key ?? "", 0);
      await update(id);
      assert.deepEqual([(await list(id)).map(({ status }) => status), (await show(id)).status], [[1, 1], 1]);
      const one = await app.addChannel(admin, { type: DEEPSEEK, key: FIRST, models: "m" });
      await update(one);
      assert.deepEqual([(await show(one)).balance, (await show(one)).status], [0, 1]);
    });

    test("numbers that are no balance are failures; a debt is stored, and is not paid by the others", async () => {
      const id = await add([FIRST, SECOND]);
      reports.set(FIRST ?? "", 5);
      for (const wrong of [Number.NaN, Infinity, -Infinity, 1e300, -1e300, Number.MAX_VALUE]) {
        reports.set(SECOND ?? "", wrong);
        assert.equal((await update(id)).envelope?.code, "channel-balance-incomplete");
        assert.deepEqual(await errorsOf(id), ["", "The provider's answer holds no balance."]);
        assert.deepEqual(await summary(id), [0, false, 1, 1, 5]);
      }
      reports.set(SECOND ?? "", -3);
      await update(id);
      assert.deepEqual(
        [await balancesOf(id), await summary(id)],
        [
          [5, -3],
          [5, true, 2, 0, 5],
        ],
      );
      for (const key of [FIRST, SECOND]) reports.set(key ?? "", Number.MAX_SAFE_INTEGER);
      await update(id);
      assert.ok(Number.isFinite((await show(id)).balance));
      const one = await app.addChannel(admin, { type: DEEPSEEK, key: FIRST, models: "m" });
      reports.set(FIRST ?? "", 1e300);
      assert.equal((await update(one)).envelope?.code, "channel-balance-missing");
    });

    test("a failure with characters that a database refuses is stored, cut to a readable length", async () => {
      const id = await add();
      reports.set(SECOND ?? "", new Error(`bad \u0000 text \ud800 ${"x".repeat(5_000)}`));
      assert.equal((await update(id)).envelope?.code, "channel-balance-incomplete");
      const [, error = ""] = await errorsOf(id);
      assert.match(error, /^bad .* text .* x+$/);
      assert.ok(error.length <= 1_000, `${error.length}`);
    });

    test("a key of another master key is refused by name, and the others stay", async () => {
      const id = await add();
      await setKey(id, 1, 2);
      const { db } = app.testApp.database;
      const key_cipher = createSecrets("another master key").seal("channel-key", SECOND ?? "");
      await db.updateTable("channel_keys").set({ key_cipher }).where("key_end", "=", "0002").where("channel_id", "=", id).execute(); // prettier-ignore
      assert.equal((await updateKey(id, 1)).envelope?.code, "channel-unreadable");
      assert.equal((await admin.data(updateChannelBalance, { params: { id } })).balance, 1);
    });

    test("fifty keys are asked four at once by hand, and one after the other on schedule", async () => {
      const keys = Array.from({ length: 50 }, (_, index) => `sk-one-of-fifty-${1_000 + index}`);
      let together = 0;
      let most = 0;
      meanwhile = async () => {
        together += 1;
        most = Math.max(most, together);
        await new Promise((resolve) => setImmediate(resolve));
        together -= 1;
      };
      for (const [index, key] of keys.entries()) reports.set(key, index);
      reports.set(keys[7] ?? "", new Error("refused"));
      const id = await add(keys);
      assert.equal((await update(id)).envelope?.code, "channel-balance-incomplete");
      assert.deepEqual([asked.length, new Set(asked).size, most], [50, 50, 4]);
      assert.deepEqual(await summary(id), [0, false, 49, 1, 1_225 - 7]);
      reports.set(keys[7] ?? "", 7);
      [asked, most] = [[], 0];
      await setOptions(app.testApp, { ChannelBalanceMinutes: "10" });
      app.testApp.clock.advanceSeconds(10 * MINUTE);
      const others = await app.testApp.database.db.selectFrom("channels").select("id").where("id", "<>", id).execute();
      for (const { id: other } of others) await admin.data(updateChannel, { body: { id: other, balance_minutes: 0 } });
      await check();
      assert.deepEqual([asked.length, most], [50, 1]);
      assert.deepEqual(await summary(id), [1_225, true, 50, 0, 1_225]);
      assert.equal((await audits(id)).length, 1, "a scheduled check is not audited");
    });

    test("one of several servers asks for the keys on schedule, and a stopping one asks for no further key", async () => {
      await setOptions(app.testApp, { ChannelBalanceMinutes: "10" });
      const id = await add([FIRST, SECOND, THIRD]);
      await Promise.all([check(), check(), check()]);
      const ofChannel = () => asked.filter((key) => key.startsWith("sk-first") || key.startsWith("sk-third"));
      assert.deepEqual([ofChannel().length, (await show(id)).balance], [2, 3]);
      app.testApp.clock.advanceSeconds(10 * MINUTE);
      asked = [];
      await runChecks(contextOfGateway(app.testApp.deps), app.dependencies, () => asked.includes(FIRST ?? ""));
      assert.ok(!asked.includes(THIRD ?? ""));
      await setOptions(app.testApp, { ChannelBalanceMinutes: "0" });
    });

    test("a run by hand beside the job leaves the sum of both", async () => {
      const id = await add();
      const started = Promise.withResolvers<void>();
      meanwhile = async (key) => (key === FIRST ? started.promise : undefined);
      const both = [update(id), update(id)];
      reports.set(SECOND ?? "", 8);
      await waitUntil(async () => asked.length === 4);
      started.resolve();
      for (const { envelope } of await Promise.all(both)) assert.equal(envelope?.success, true);
      assert.deepEqual(await summary(id), [9, true, 2, 0, 9]);
    });

    test("a key that is deleted during the check stores nothing; the sum is that of the others", async () => {
      const id = await add([FIRST, SECOND, THIRD]);
      reports.set(SECOND ?? "", 0);
      const place = await placeOf(id, 1);
      meanwhile = async (key) => {
        if (key === SECOND) await admin.data(deleteChannelKey, { params: place });
      };
      const { envelope } = await update(id);
      assert.deepEqual([envelope?.success, await balancesOf(id), (await show(id)).balance], [true, [1, 1], 2]);
      assert.deepEqual(await alerts(), []);
      const last = await placeOf(id, 1);
      meanwhile = async () => void (await admin.data(deleteChannelKey, { params: last }));
      const gone = await admin.send(updateChannelKeyBalance, { params: last });
      assert.equal(gone.envelope?.code, "channel-key-not-found");
    });

    test("one key that replaces all during the check is asked for itself; a deleted channel is not found", async () => {
      const id = await add();
      reports.set(THIRD ?? "", 9);
      let isReplaced = false;
      meanwhile = async () => {
        if (isReplaced) return;
        isReplaced = true;
        await admin.data(updateChannel, { body: { id, key: THIRD } });
      };
      assert.equal((await admin.data(updateChannelBalance, { params: { id } })).balance, 9);
      assert.deepEqual([(await show(id)).balance, asked.at(-1)], [9, THIRD]);
      const { db } = app.testApp.database;
      const deleted = await add();
      meanwhile = async () => void (await db.deleteFrom("channels").where("id", "=", deleted).execute());
      assert.equal((await update(deleted)).envelope?.code, "channel-not-found");
    });

    test("the balance of the first key that the last release stores for the channel is not shown as the whole", async () => {
      const id = await add();
      const { db } = app.testApp.database;
      await db.updateTable("channels").set({ balance: 77, balance_updated_time: now() }).where("id", "=", id).execute();
      assert.deepEqual(await summary(id), [0, false, 0, 2, 0]);
      await update(id);
      assert.equal((await show(id)).balance, 2);
    });

    test("[CHLIST-08] the list is sorted by the sums, and the sweep of all channels asks for all keys", async () => {
      const rich = await add([FIRST, SECOND], { name: "sorted-rich" });
      const poor = await app.addChannel(admin, { type: DEEPSEEK, key: THIRD, models: "m", name: "sorted-poor" });
      reports
        .set(FIRST ?? "", 300_000)
        .set(SECOND ?? "", 300_000)
        .set(THIRD ?? "", 500_000);
      await admin.data(updateChannelBalances);
      await waitUntil(async () => (await show(poor)).balance === 500_000);
      const first = async () => {
        const rows = await admin.data(listChannels, { query: { size: 100, order: "balance" } });
        return rows.filter(({ name }) => name.startsWith("sorted-")).map(({ id }) => id);
      };
      assert.deepEqual(await first(), [rich, poor]);
      await setKey(rich, 0, 2);
      assert.deepEqual(await first(), [poor, rich], "also before the next check");
    });
  });
}
