import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import {
  compareAlias,
  getDashboard,
  getDashboardMarks,
  getHoursOfWeek,
  getOwnDashboard,
  getOwnHoursOfWeek,
  getTroubles,
  listUsageOfDays,
} from "@one-api/contract/usage/dashboard";
import { listUserSpend } from "@one-api/contract/usage/user-spend";
import { DATABASE_KINDS, whyMissing } from "@one-api/database/test-databases";
import { nowSeconds } from "../../platform/clock.ts";
import { createTestApp, type TestApp, type TestLogin } from "../../testing/create-test-app.ts";
import { setOptions } from "../../testing/set-options.ts";

const HOUR = 3_600;

for (const kind of DATABASE_KINDS) {
  describe(`the dashboard on ${kind}`, { skip: whyMissing(kind) ?? false }, () => {
    let app: TestApp;
    let admin: TestLogin;
    let mia: TestLogin;
    let ben: TestLogin;
    let now = 0;
    before(async () => {
      app = await createTestApp({ kind });
      admin = await app.logInAs("admin");
      mia = await app.logInAs("user", { quota: 900 });
      ben = await app.logInAs("user", { quota: 50_000_000 });
      now = Math.floor(nowSeconds(app.clock) / HOUR) * HOUR;
      await addChannel(1, "good", {});
      await addChannel(2, "flaky", {});
      await addChannel(3, "gone wrong", { status: 3, status_reason: "The key was refused." });
      await addChannel(4, "poor", { balance: 0.4, balance_updated_time: now });
      await addChannel(5, "asleep", { awake_time: now + 2 * HOUR });
      await log(mia, { hours: 1, model: "dear", quota: 900, cost: 400, times: 3 });
      await log(mia, { hours: 1, model: "homemade", quota: 50, cost: -1 });
      await log(ben, { hours: 30, model: "cheap", quota: 10, cost: 20, first: 400 });
      await log(ben, { hours: 2, model: "cheap", quota: 0, cost: 0, result: "timeout", channel: 2, times: 6 });
      await log(ben, { hours: 2, model: "no such model", quota: 0, cost: 0, result: "refused", channel: 0 });
    });
    after(() => app.close());

    async function addChannel(id: number, name: string, more: object) {
      const texts = {
        base_url: "",
        other: "",
        models: "dear,cheap",
        group: "default",
        model_mapping: "",
        system_prompt: "",
      };
      const rest = { organization: "", soft_limit_usd: 0, calc_prompt: 1 as const, config: "", config_cipher: "" };
      const numbers = { type: 1, status: 1, priority: 0, weight: 0, created_time: now };
      await app.database.db
        .insertInto("channels")
        .values({ id, name, key_cipher: "x", ...texts, ...rest, ...numbers, ...more })
        .execute();
    }

    interface Use {
      hours: number;
      model: string;
      quota: number;
      cost: number;
      result?: string;
      channel?: number;
      first?: number;
      times?: number;
      alias?: string;
      firstModel?: string;
    }

    async function log({ user }: TestLogin, use: Use) {
      const {
        hours,
        model,
        quota,
        cost,
        result = "ok",
        channel = 1,
        first = 200,
        times = 1,
        alias = "",
        firstModel = "",
      } = use;
      const row = {
        user_id: user.id,
        created_at: now - hours * HOUR + 60,
        type: 2,
        content: "",
        username: user.username,
        token_name: "main",
        model_name: model,
        quota,
        prompt_tokens: 10,
        completion_tokens: 5,
        channel_id: channel,
        elapsed_time: 900,
        is_stream: 1 as const,
        detail: "",
        result,
        status_code: 200,
        cost,
        first_byte_ms: first,
        alias,
        first_model: firstModel,
      };
      const rows = Array.from({ length: times }, (_, index) => ({
        ...row,
        request_id: `${model}-${hours}-${channel}-${index}`,
      }));
      await app.database.db.insertInto("logs").values(rows).execute();
    }

    const edges = () => [now - 48 * HOUR, now - 24 * HOUR, now + HOUR].join(",");

    test("returns the caller's usage by day and model to older clients", async () => {
      const answer = await ben.client.data(listUsageOfDays);
      const dayOf = (hours: number) => new Date((now - hours * HOUR) * 1000).toISOString().slice(0, 10);
      const tokens = { PromptTokens: answer[0]?.PromptTokens, CompletionTokens: answer[0]?.CompletionTokens };
      assert.deepEqual(answer[0], { Day: dayOf(30), ModelName: "cheap", RequestCount: 1, Quota: 10, ...tokens });
      assert.ok(answer.some((row) => row.Day === dayOf(2) && row.ModelName === "cheap" && row.RequestCount === 6));
      assert.ok(
        answer.every(({ ModelName }) => ModelName !== "dear"),
        "nothing of others",
      );
    });

    test("administrators see everybody's spending and the remaining quota", async () => {
      const answer = await admin.client.data(getDashboard, { query: { edges: edges(), by: "model" } });
      assert.deepEqual(
        answer.rows.map(({ key, name, quota, cost, unknown_cost_requests: unknown }) => [
          key,
          name,
          quota,
          cost,
          unknown,
        ]),
        [
          ["dear", "dear", 2_700, 1_200, 0],
          ["homemade", "homemade", 50, 0, 1],
          ["cheap", "cheap", 10, 20, 0],
          ["no such model", "no such model", 0, 0, 0],
        ],
      );
      assert.deepEqual(
        answer.parts.map(({ requests, errors, refused, quota }) => [requests, errors, refused, quota]),
        [
          [1, 0, 0, 10],
          [10, 6, 1, 2_750],
        ],
      );
      const { total } = answer;
      assert.deepEqual(
        [total.quota, total.cost, total.unknown_cost_quota, total.prompt_tokens],
        [2_760, 1_220, 50, 120],
      );
      assert.deepEqual([answer.rest, answer.is_complete], [null, true]);
      const { parts } = await admin.client.data(getDashboard, { query: { edges: edges(), metric: "first_byte" } });
      // A percentile differs by at most 6 % from the exact one.
      assert.ok(Math.abs((parts[0]?.first_byte_p50_ms ?? 0) - 400) <= 24);
    });

    test("the earlier period counts the same fraction of its last half hour", async () => {
      const sumBefore = async (client: TestLogin, start: number, end: number) => {
        const query = { edges: edges(), before: `${start},${end}` };
        const call = client === admin ? getDashboard : getOwnDashboard;
        return (await client.client.data(call, { query })).before;
      };
      const at = now - 1 * HOUR;
      assert.equal((await sumBefore(admin, at, at + HOUR))?.quota, 2_750);
      assert.deepEqual([(await sumBefore(admin, at, at + 600))?.quota, (await sumBefore(admin, at - HOUR, at + 600))?.requests], [917, 7]); // prettier-ignore
      assert.equal((await sumBefore(admin, at - HOUR, at))?.requests, 6);
      const own = await sumBefore(mia, at - HOUR, at + HOUR);
      assert.deepEqual([own?.requests, own && "cost" in own], [4, false]);
      assert.equal((await sumBefore(ben, at, at + HOUR))?.requests, 0);
      assert.equal((await admin.client.data(getDashboard, { query: { edges: edges() } })).before, null);
      for (const wrong of ["5", "9,5", "1,2,3", "a,b"]) {
        const { status, text } = await admin.client.send(getDashboard, { query: { edges: edges(), before: wrong } });
        assert.deepEqual([status, /before must be/.test(text)], [400, true], wrong);
      }
    });

    test("rows are sorted by the metric, with names of channels, users and tokens", async () => {
      const first = async (by: string, metric: string) => {
        const { rows } = await admin.client.data(getDashboard, { query: { edges: edges(), by, metric } });
        const { key = "", name = "", owner = "" } = rows[0] ?? {};
        return [key, name, owner];
      };
      assert.deepEqual(await first("channel", "errors"), ["2", "flaky", ""]);
      assert.deepEqual(await first("user", "margin"), [String(mia.user.id), mia.user.username, ""]);
      assert.deepEqual(await first("user", "first_byte"), [String(ben.user.id), ben.user.username, ""]);
      assert.deepEqual(await first("token", "spend"), [`${mia.user.id}/main`, "main", mia.user.username]);
      assert.deepEqual(await first("model", "requests"), ["cheap", "cheap", ""]);
    });

    test("the given number of largest rows have intervals", async () => {
      const series = async (query: Record<string, string | number>) => {
        const { rows } = await admin.client.data(getDashboard, { query: { edges: edges(), ...query } });
        return rows.map(({ name, parts }) => [name, parts?.map(({ requests }) => requests)]);
      };
      assert.deepEqual(await series({ by: "model", metric: "requests", series: 2 }), [["cheap", [1, 6]], ["dear", [0, 3]], ["homemade", undefined], ["no such model", undefined]]); // prettier-ignore
      assert.deepEqual((await series({ by: "channel", series: 1 }))[0], ["good", [1, 4]]);
      assert.deepEqual(await series({ by: "token", user: mia.user.id, series: 6 }), [["main", [0, 4]]]);
      const whole = await admin.client.data(getDashboard, { query: { edges: edges(), series: 6 } });
      assert.deepEqual(whole.parts, (await admin.client.data(getDashboard, { query: { edges: edges() } })).parts);
      const own = await mia.client.data(getOwnDashboard, { query: { edges: edges(), series: 1 } });
      assert.equal(JSON.stringify(own.rows[0]?.parts).includes("cost"), false);
      const many = await admin.client.send(getDashboard, { query: { edges: edges(), series: 7 } });
      assert.equal(many.status, 400);
    });

    test("intervals have earlier ones beside them, with times where these are the metric", async () => {
      const at = now - HOUR;
      const query = { edges: edges(), before_edges: [at - HOUR, at, at + HOUR].join(",") };
      const { before_parts: parts } = await admin.client.data(getDashboard, { query });
      assert.deepEqual(
        parts?.map(({ requests, errors, quota, first_byte_p50_ms }) => [requests, errors, quota, first_byte_p50_ms]),
        [[6, 6, 0, null], [4, 0, 2_750, null]], // prettier-ignore
      );
      const own = await mia.client.data(getOwnDashboard, { query: { ...query, metric: "first_byte" } });
      assert.deepEqual(
        own.before_parts?.map(({ requests, first_byte_p50_ms: ms }) => [requests, ms !== null && ms > 150 && ms < 250]),
        [[0, false], [4, true]], // prettier-ignore
      );
      assert.equal((await admin.client.data(getDashboard, { query: { edges: edges() } })).before_parts, null);
      const refused = await admin.client.send(getDashboard, { query: { ...query, before_edges: "9,5" } });
      assert.deepEqual([refused.status, /before_edges/.test(refused.text)], [400, true]);
    });

    test("without rows the intervals and the total are the same", async () => {
      const query = { edges: edges(), metric: "first_byte" };
      const { rest: _rest, rows, ...whole } = await admin.client.data(getDashboard, { query });
      const lean = await admin.client.data(getDashboard, { query: { ...query, rows: 0 } });
      assert.ok(rows.length > 0);
      assert.deepEqual(lean, { ...whole, rows: [], rest: null });
    });

    test("times to the first byte are told by hour of the week, in the viewer's zone", async () => {
      const period = { start: now - 40 * HOUR, end: now + HOUR };
      const hourOf = (time: number) => {
        const date = new Date(time * 1_000);
        return ((date.getUTCDay() + 6) % 7) * 24 + date.getUTCHours();
      };
      const own = await ben.client.data(getOwnHoursOfWeek, {
        query: { ...period, utc_offset: 90, model_name: "cheap" },
      });
      const found = own.map(({ hour, streams, first_byte_p50_ms: ms }) => [hour, streams, ms > 180 && ms < 430]);
      const hours = [30, 2].map((ago) => hourOf(now + 60 - ago * HOUR + 90 * 60));
      assert.deepEqual(
        found,
        [[hours[0], 1, true], [hours[1], 6, true]].toSorted(([left = 0], [right = 0]) => Number(left) - Number(right)), // prettier-ignore
      );
      const ofMia = await admin.client.data(getHoursOfWeek, { query: { ...period, user: mia.user.id } });
      assert.deepEqual(
        ofMia.map(({ hour, streams }) => [hour, streams]),
        [[hourOf(now - HOUR + 60), 4]],
      );
      assert.equal((await mia.client.send(getHoursOfWeek, { query: period })).status, 403);
    });

    test("requests for an alias are filtered and counted by it, and compared for administrators alone", async () => {
      await log(mia, { hours: 190, model: "dear", quota: 7, cost: 1, times: 2, alias: "fast", firstModel: "cheap" });
      await log(ben, { hours: 190, model: "cheap", quota: 3, cost: 1, alias: "fast" });
      await log(ben, { hours: 190, model: "cheap", quota: 5, cost: 1, channel: 2 });
      const query = { edges: [now - 191 * HOUR, now - 189 * HOUR].join(",") };
      const rowsOf = async (more: object) =>
        (await admin.client.data(getDashboard, { query: { ...query, ...more } })).rows.map(({ key, quota }) => [
          key,
          quota,
        ]);
      assert.deepEqual(await rowsOf({ by: "alias" }), [["fast", 17], ["", 5]]); // prettier-ignore
      assert.deepEqual(await rowsOf({ by: "model", alias: "fast" }), [["dear", 14], ["cheap", 3]]); // prettier-ignore
      assert.deepEqual(await rowsOf({ by: "model", alias: "slow" }), []);
      const own = await ben.client.data(getOwnDashboard, { query: { ...query, alias: "fast" } });
      assert.equal(own.total.quota, 3);
      const period = { alias: "fast", start: now - 191 * HOUR, end: now - 189 * HOUR };
      const compare = async (more: object) =>
        (await admin.client.data(compareAlias, { query: { ...period, ...more } })).models
          .map(({ model, usage, failed_over }) => [model, usage.requests, failed_over])
          .toSorted(([left = ""], [right = ""]) => (left < right ? -1 : 1));
      assert.deepEqual(await compare({}), [["cheap", 1, 2], ["dear", 2, 0]]); // prettier-ignore
      assert.deepEqual(await compare({ user: ben.user.id }), [["cheap", 1, 0]]);
      const untilThen = await compare({ end: now - 190 * HOUR + 1 });
      assert.deepEqual(untilThen, await compare({}), "a period that ends within the half hour has its requests");
      assert.equal((await mia.client.send(compareAlias, { query: period })).status, 403);
      assert.equal((await admin.client.send(compareAlias, { query: { ...period, alias: " " } })).status, 400);
    });

    test("price changes and automatic decisions of a period are listed for administrators", async () => {
      const decision = { channel_id: 3, kind: "disabled", model: "", code: "key-refused", message: "No.", parts: "" };
      const times = { last_at: now, until: 0, times: 1 };
      for (const first_at of [now - 3 * HOUR, now - 600])
        await app.database.db
          .insertInto("channel_decisions")
          .values({ ...decision, ...times, first_at })
          .execute();
      await setOptions(app, { ModelRatio: '{"dear":2}' });
      const at = nowSeconds(app.clock);
      const period = { start: now - HOUR, end: at + HOUR };
      const marks = await admin.client.data(getDashboardMarks, { query: period });
      assert.deepEqual(
        marks.decisions.map(({ at: time, kind: of, channel_id: id, channel_name: name }) => [time, of, id, name]),
        [[now - 600, "disabled", 3, "gone wrong"]],
      );
      assert.ok(marks.price_changes.length >= 1);
      assert.ok(marks.price_changes.every((time) => time >= period.start && time <= at + 1));
      const later = await admin.client.data(getDashboardMarks, { query: { start: at + 60, end: at + HOUR } });
      assert.deepEqual(later, { price_changes: [], decisions: [] });
      assert.equal((await mia.client.send(getDashboardMarks, { query: period })).status, 403);
    });

    test("a token's usage is compared with its earlier usage", async () => {
      const requestsBefore = async (token_name: string) => {
        const query = { edges: edges(), before: `${now - HOUR},${now}`, user: mia.user.id, token_name };
        return (await admin.client.data(getDashboard, { query })).before?.requests;
      };
      assert.deepEqual([await requestsBefore("main"), await requestsBefore("another")], [4, 0]);
    });

    test("a user sees their own usage, without others and costs", async () => {
      const asked = { edges: edges(), by: "token" };
      const own = await mia.client.data(getOwnDashboard, { query: asked });
      assert.deepEqual(
        own.rows.map(({ key, name, quota, requests }) => [key, name, quota, requests]),
        [["main", "main", 2_750, 4]],
      );
      assert.equal(JSON.stringify(own).includes("cost"), false);
      const seen = await admin.client.data(getDashboard, { query: { ...asked, user: mia.user.id } });
      assert.deepEqual([seen.total.quota, seen.total.cost], [2_750, 1_200]);
      assert.equal((await mia.client.send(getDashboard, { query: asked })).status, 403);
      assert.equal((await mia.client.send(getTroubles)).status, 403);
      for (const by of ["channel", "user"])
        assert.equal((await mia.client.send(getOwnDashboard, { query: { ...asked, by } })).status, 400, by);
    });

    test("usage is filtered by username, model and token", async () => {
      const asked = { edges: edges(), by: "token" };
      const counts = async (query: Record<string, string>) => {
        const { total, rows } = await admin.client.data(getDashboard, { query: { ...asked, ...query } });
        return [total.requests, rows.map(({ key }) => key)];
      };
      const { username } = mia.user;
      assert.deepEqual(await counts({ username }), [4, [`${mia.user.id}/main`]]);
      assert.deepEqual(await counts({ username, model_name: "dear" }), [3, [`${mia.user.id}/main`]]);
      assert.deepEqual(await counts({ username, model_name: "dear", token_name: "main" }), [
        3,
        [`${mia.user.id}/main`],
      ]);
      assert.deepEqual(await counts({ username, token_name: "other" }), [0, []]);
      assert.deepEqual(await counts({ username: "nobody at all" }), [0, []]);
      const own = await mia.client.data(getOwnDashboard, {
        query: { ...asked, model_name: "dear", token_name: "main" },
      });
      assert.equal(own.total.requests, 3);
      assert.deepEqual(await counts({ model_name: "dear" }), [3, [`${mia.user.id}/main`]], "of everybody too");
    });

    test("rows beyond 20 are summed, and an invalid period is refused by name", async () => {
      const more = Array.from({ length: 30 }, (_, index) => index);
      for (const index of more) await log(ben, { hours: 200, model: `m${index}`, quota: 100 - index, cost: 0 });
      const query = { edges: [now - 201 * HOUR, now - 199 * HOUR].join(",") };
      const { rows, rest } = await admin.client.data(getDashboard, { query });
      assert.deepEqual([rows.length, rows[0]?.key, rest?.count, rest?.quota], [20, "m0", 10, 755]);
      for (const wrong of ["", "5", "9,5", "a,b", "1,2,", Array.from({ length: 102 }, (_, at) => at).join(",")]) {
        const answer = await admin.client.send(getDashboard, { query: { edges: wrong } });
        assert.equal(answer.status, 400, wrong);
        assert.match(answer.text, /edges/);
      }
    });

    test("lists disabled and failing channels, cooldowns, and low balances", async () => {
      await setOptions(app, { QuotaRemindThreshold: "1000", ChannelBalanceRemindThreshold: "1" });
      const troubles = await admin.client.data(getTroubles);
      assert.deepEqual(
        troubles.channels.map(({ name, trouble, reason, errors }) => [name, trouble, reason, errors]),
        [
          ["gone wrong", "disabled", "The key was refused.", 0],
          ["flaky", "errors", "", 6],
        ],
      );
      assert.deepEqual(
        troubles.sleeping.map(({ name, awake_time }) => [name, awake_time - now]),
        [["asleep", 2 * HOUR]],
      );
      assert.deepEqual(troubles.channel_balances, [{ id: 4, name: "poor", type: 1, balance: 0.4 }]);
      assert.equal(troubles.has_channels, true);
      assert.deepEqual(troubles.user_balances, [{ id: mia.user.id, username: mia.user.username, remaining: 900 }]);
    });

    test("returns the spend of named users by interval, and refuses wrong ids and edges by name", async () => {
      const ids = [mia.user.id, ben.user.id, 999_999];
      const spend = await admin.client.data(listUserSpend, { query: { ids: ids.join(), edges: edges() } });
      assert.deepEqual(spend, [
        { id: mia.user.id, quota: 2_750, parts: [0, 2_750] },
        { id: ben.user.id, quota: 10, parts: [10, 0] },
      ]);
      const [alone] = await admin.client.data(listUserSpend, { query: { ids: String(ben.user.id), edges: edges() } });
      assert.deepEqual(alone, spend[1]);
      for (const wrong of ["", "0", "1,,2", "x", Array.from({ length: 101 }, (_, at) => at + 1).join()]) {
        const answer = await admin.client.send(listUserSpend, { query: { ids: wrong, edges: edges() } });
        assert.equal(answer.status, 400, wrong);
        assert.match(answer.text, /ids/);
      }
      const unordered = await admin.client.send(listUserSpend, { query: { ids: "1", edges: "9,3" } });
      assert.equal(unordered.status, 400);
      assert.match(unordered.text, /edges/);
      assert.equal((await mia.client.send(listUserSpend, { query: { ids: "1", edges: edges() } })).status, 403);
    });

    test("intervals of one row equal that row's usage", async () => {
      const counts = async (by: string, key: string) => {
        const { parts, total } = await admin.client.data(getDashboard, { query: { edges: edges(), by, key } });
        return [...parts, total].map(({ requests, errors }) => [requests, errors]);
      };
      assert.deepEqual(await counts("model", "cheap"), [[1, 0], [6, 6], [7, 6]]); // prettier-ignore
      assert.deepEqual(await counts("channel", "1"), [[1, 0], [4, 0], [5, 0]]); // prettier-ignore
      assert.deepEqual(await counts("model", "nobody knows"), [[0, 0], [0, 0], [0, 0]]); // prettier-ignore
      const query = { edges: edges(), by: "model", key: "dear" };
      const own = await mia.client.data(getOwnDashboard, { query });
      assert.deepEqual([own.total.requests, own.rows.length], [3, 2]);
      assert.equal((await ben.client.data(getOwnDashboard, { query })).total.requests, 0);
      await log(mia, { hours: 0, model: "dear", quota: 1, cost: 1, times: 2 });
      assert.deepEqual((await counts("model", "dear"))[1], [5, 0]);
    });

    test("rows are sorted by the displayed values, such as the error rate, unknown ones last", async () => {
      await log(ben, { hours: 0, model: "rare", quota: 1, cost: 1, result: "timeout", first: 300 });
      await log(ben, {
        hours: 0,
        model: "busy",
        quota: 1,
        cost: 1,
        result: "timeout",
        channel: 2,
        times: 9,
        first: 250,
      });
      await log(ben, { hours: 0, model: "busy", quota: 1, cost: 1, channel: 1, times: 21, first: 250 });
      const names = async (metric: string) =>
        (await admin.client.data(getDashboard, { query: { edges: edges(), by: "model", metric } })).rows.map(
          ({ name }) => name,
        );
      const byRate = await names("errors");
      assert.deepEqual(
        [byRate.slice(0, 3), byRate.at(-1)],
        [["rare", "cheap", "busy"], "no such model"],
        "1 of 1, 6 of 7, 9 of 30, no request",
      );
      assert.deepEqual((await names("margin")).at(-1), "homemade", "its cost is unknown");
      assert.deepEqual((await names("first_byte")).slice(0, 2), ["rare", "busy"]);
    });

    test("tells a gateway without channels from a healthy one", async () => {
      await app.database.db.deleteFrom("channels").execute();
      assert.equal((await admin.client.data(getTroubles)).has_channels, false);
    });
  });
}
