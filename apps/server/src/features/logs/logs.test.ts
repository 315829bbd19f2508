import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { TOTAL_COUNT_HEADER } from "@one-api/contract/constants";
import { createChannel } from "@one-api/contract/channels/channel";
import {
  getOwnRequest,
  getRequest,
  type Log,
  LOG_TYPE,
  listLogs,
  listOwnLogs,
  tailLogs,
  tailOwnLogs,
} from "@one-api/contract/logs/log";
import { getLogStat, getOwnLogStat } from "@one-api/contract/logs/log-totals";
import { DATABASE_KINDS, whyMissing } from "@one-api/database/test-databases";
import { createTestApp, type TestApp, type TestLogin } from "../../testing/create-test-app.ts";
import type { TestClient } from "../../testing/test-client.ts";

import { DETAIL, logOf, type NewLog, storedDetail } from "./testing/log-rows.ts";

for (const kind of DATABASE_KINDS) {
  describe(`the log on ${kind}`, { skip: whyMissing(kind) ?? false }, () => {
    let testApp: TestApp;
    let admin: TestLogin;
    let mia: TestLogin;
    let tom: TestLogin;
    before(async () => {
      testApp = await createTestApp({ kind });
      admin = await testApp.logInAs("admin", { username: "adam" });
      mia = await testApp.logInAs("user", { username: "mia" });
      tom = await testApp.logInAs("user", { username: "tom" });
      await addLogs([
        logOf(mia, { content: "m1", created_at: 100, type: LOG_TYPE.topUp, quota: 999, channel_id: 0 }),
        logOf(mia, { content: "m2", created_at: 200, model_name: "gpt-4o", quota: 30, channel_id: 71 }),
        logOf(tom, { content: "t1", created_at: 250, model_name: "gpt-4o", quota: 500, channel_id: 71 }),
        logOf(mia, { content: "m3", created_at: 300, model_name: "gpt-4o-mini", token_name: "bot", quota: 4 }),
        logOf(tom, { content: "t2", created_at: 300, type: LOG_TYPE.system, model_name: "", quota: 0 }),
        logOf(mia, {
          content: "m4",
          created_at: 400,
          detail: storedDetail(DETAIL),
          first_byte_ms: 12,
          channel_id: 72,
          quota: 1,
          request_id: "request",
        }),
      ]);
    });
    after(() => testApp.close());

    const addLogs = (rows: NewLog[]) => testApp.database.db.insertInto("logs").values(rows).execute();
    const contents = (logs: readonly Log[]) => logs.map(({ content }) => content);
    type Query = Record<string, string | number | readonly (string | number)[]>;
    const all = async (query: Query, client: TestClient = admin.client) =>
      contents(await client.data(listLogs, { query }));
    const own = async (query: Query, client: TestClient = mia.client) =>
      contents(await client.data(listOwnLogs, { query }));

    test("[CALL-74] administrators see everybody's entries, newest first", async () => {
      assert.deepEqual(await all({}), ["m4", "t2", "m3", "t1", "m2", "m1"]);
      const answer = await admin.client.send(listLogs);
      assert.equal(answer.headers[TOTAL_COUNT_HEADER], "6");
    });

    test("[LOG-23] [ENT-082..092] an entry has all its fields", async () => {
      const entry = (await admin.client.data(listLogs))[0];
      const { id, ...rest } = entry ?? { id: 0 };
      assert.ok(id > 0);
      assert.deepEqual(rest, {
        user_id: mia.user.id,
        created_at: 400,
        type: 2,
        content: "m4",
        username: "mia",
        token_id: 0,
        token_name: "main",
        model_name: "o3",
        quota: 1,
        prompt_tokens: 10,
        completion_tokens: 1,
        channel: 72,
        request_id: "request",
        elapsed_time: 1_500,
        is_stream: true,
        result: "",
        status_code: 0,
        channel_name: "",
        detail: DETAIL,
      });
    });

    const filters: readonly [what: string, query: Query, left: readonly string[]][] = [
      ["type", { type: 2 }, ["m4", "m3", "t1", "m2"]],
      ["[LOG-12] type 0, which is all", { type: 0 }, ["m4", "t2", "m3", "t1", "m2", "m1"]],
      ["token", { token_name: "bot" }, ["m3"]],
      ["the whole model name", { model_name: "gpt-4o" }, ["t1", "m2"]],
      ["no pattern in a model name", { model_name: "gpt%" }, []],
      ["the times, the bounds included", { start_timestamp: 250, end_timestamp: 300 }, ["t2", "m3", "t1"]],
      ["no bound at 0", { start_timestamp: 0, end_timestamp: 0, type: 1 }, ["m1"]],
      ["[CALL-75] username", { username: "tom" }, ["t2", "t1"]],
      ["[CALL-75] channel", { channel: 71 }, ["t1", "m2"]],
      ["no channel when it is empty", { channel: "", type: 4 }, ["t2"]],
      ["several at once", { username: "mia", type: 2, model_name: "gpt-4o", channel: 71, end_timestamp: 200 }, ["m2"]],
      ["several that nothing meets", { username: "tom", token_name: "bot" }, []],
      ["one of several models", { model_name: ["gpt-4o", "gpt-4o-mini", "none"] }, ["m3", "t1", "m2"]],
      ["one of several channels and types", { channel: [71, 72], type: [2, 4] }, ["m4", "t1", "m2"]],
      ["one of several users and tokens", { username: ["mia", "tom"], token_name: ["bot", "other"] }, ["m3"]],
      ["no value that is empty", { model_name: ["", "gpt-4o-mini"], channel: ["", 0] }, ["m3"]],
    ];
    for (const [what, query, left] of filters) {
      test(`filters by ${what}`, async () => {
        const answer = await admin.client.send(listLogs, { query });
        assert.deepEqual(await all(query), left);
        assert.equal(answer.headers[TOTAL_COUNT_HEADER], String(left.length));
      });
    }

    test("[CALL-76] [LOG-22] users see their own entries only, with any filter", async () => {
      assert.deepEqual(await own({}), ["m4", "m3", "m2", "m1"]);
      assert.deepEqual(await own({ username: "" }), ["m4", "m3", "m2", "m1"]);
      for (const query of [{ username: "tom" }, { user_id: tom.user.id }, { channel: 71 }])
        assert.equal((await mia.client.send(listOwnLogs, { query })).status, 400);
      assert.deepEqual(await own({ model_name: "gpt-4o", start_timestamp: 150, end_timestamp: 250 }), ["m2"]);
      assert.deepEqual(await own({ type: 1 }), ["m1"]);
      assert.deepEqual(await own({}, admin.client), []);
    });

    test("[LOG-17] users never see channels", async () => {
      const entries = await mia.client.data(listOwnLogs);
      assert.deepEqual(
        entries.map(({ channel }) => channel),
        [0, 0, 0, 0],
      );
      assert.deepEqual(
        entries[0]?.detail?.attempts.map(({ channel, failure }) => [channel, failure]),
        [
          [0, "overloaded"],
          [0, ""],
        ],
      );
      assert.doesNotMatch((await mia.client.send(listOwnLogs)).text, /"channel":7/);
    });

    test("[CALL-77] [CALL-78] totals include consumption only, whatever the type", async () => {
      const total = { quota: 535, token: 44 };
      assert.deepEqual(await admin.client.data(getLogStat), total);
      assert.deepEqual(await admin.client.data(getLogStat, { query: { type: 1 } }), total);
      assert.deepEqual(await admin.client.data(getLogStat, { query: { username: "tom" } }), { quota: 500, token: 11 });
      assert.deepEqual(await admin.client.data(getLogStat, { query: { channel: 71, end_timestamp: 200 } }), {
        quota: 30,
        token: 11,
      });
      assert.deepEqual(await mia.client.data(getOwnLogStat), { quota: 35, token: 33 });
      assert.deepEqual(await mia.client.data(getOwnLogStat, { query: { token_name: "bot" } }), {
        quota: 4,
        token: 11,
      });
      assert.deepEqual(await admin.client.data(getOwnLogStat), { quota: 0, token: 0 });
    });

    test("all entries and totals are for administrators, own ones for logged-in users", async () => {
      for (const call of [listLogs, getLogStat]) {
        assert.equal((await mia.client.send(call)).status, 403);
        assert.equal((await testApp.client().send(call)).status, 401);
      }
      for (const call of [listOwnLogs, getOwnLogStat]) assert.equal((await testApp.client().send(call)).status, 401);
    });

    test("the tail returns entries after an id, filtered by permission, and the id to continue from", async () => {
      const tail = (from: number, query: Query = {}) =>
        admin.client.data(tailLogs, { query: { after: from, ...query } });
      const start = await tail(0);
      assert.deepEqual([start.entries, start.is_cut], [[], false]);
      assert.deepEqual(await tail(start.newest), start, "nothing came");
      const late = { created_at: 900_000, hidden: 0 as const };
      await addLogs([
        logOf(mia, { ...late, content: "new", model_name: "n1" }),
        logOf(tom, { ...late, content: "newer", model_name: "n2" }),
        logOf(mia, { ...late, content: "cleared", hidden: 1 }),
      ]);
      const next = await tail(start.newest);
      assert.deepEqual(contents(next.entries), ["newer", "new"]);
      assert.equal(next.newest, start.newest + 3);
      assert.deepEqual(contents((await tail(start.newest, { model_name: "n1" })).entries), ["new"]);
      const toms = await tom.client.data(tailOwnLogs, { query: { after: start.newest } });
      assert.deepEqual([contents(toms.entries), toms.newest], [["newer"], next.newest]);
      assert.equal((await tom.client.send(tailLogs, { query: {} })).status, 403);

      await addLogs(Array.from({ length: 130 }, (_, index) => logOf(mia, { ...late, content: `${index}` })));
      const many = await tail(next.newest);
      assert.deepEqual([many.entries.length, many.is_cut, many.entries[0]?.content], [100, true, "129"]);
      await testApp.database.db.deleteFrom("logs").where("id", ">", start.newest).execute();
    });

    test("the entry of a request is found by its user only, without routing", async () => {
      const find = (client: TestClient, request_id: string) => client.data(getOwnRequest, { params: { request_id } });
      const found = await find(mia.client, "request");
      assert.deepEqual([found?.content, found?.quota, found?.detail?.first_byte_ms], ["m4", 1, 12]);
      assert.deepEqual([found?.channel, found?.detail?.attempts[0]?.channel], [0, 0]);
      for (const { client } of [tom, admin]) assert.equal(await find(client, "request"), null);
      assert.equal(await find(mia.client, "another"), null);
      const ofAny = await admin.client.data(getRequest, { params: { request_id: "request" } });
      assert.deepEqual([ofAny?.content, ofAny?.channel, ofAny?.detail?.attempts[0]?.channel], ["m4", 72, 71]);
      assert.equal(await admin.client.data(getRequest, { params: { request_id: "another" } }), null);
      assert.equal((await mia.client.send(getRequest, { params: { request_id: "request" } })).status, 403);
    });

    test("an invalid filter is refused, and a negative page is the first", async () => {
      for (const query of [{ p: "x" }, { p: 1e9 }, { type: "two" }, { start_timestamp: -1 }, { channel: "x" }]) {
        assert.equal((await admin.client.send(listLogs, { query })).status, 400, JSON.stringify(query));
      }
      const tooMany = Array.from({ length: 51 }, (_, index) => `model-${index}`);
      for (const [field, value] of [
        ["model_name", tooMany],
        ["channel", [1, "x"]],
        ["result", ["ok", "fine"]],
        ["type", "two"],
      ] as const) {
        const { status, text } = await admin.client.send(listLogs, { query: { [field]: value } });
        assert.deepEqual([status, text.includes(`"field":"${field}`)], [400, true], text);
      }
      assert.deepEqual(await all({ p: -1 }), await all({ p: 0 }));
    });

    test("an entry with an invalid detail is shown without it", async () => {
      const { user, client } = await testApp.logInAs("user");
      const details = ["", "{", "[]", '{"end":"complete"}', JSON.stringify({ ...DETAIL, form: 2, later: 1 })];
      await addLogs(details.map((detail) => logOf({ user, client }, { detail })));
      const entries = await client.data(listOwnLogs);
      assert.deepEqual(
        entries.map(({ detail }) => detail?.end),
        ["complete", undefined, undefined, undefined, undefined],
      );
    });

    test("entries have a result, which filters, and a channel name for administrators only", async () => {
      const { user, client } = await testApp.logInAs("user", { username: "rita" });
      const { ids } = await admin.client.data(createChannel, {
        body: { type: 1, name: "OpenAI main", key: "sk-log-test-1", models: "m" },
      });
      const channel = ids[0] ?? 0;
      const login = { user, client };
      await addLogs([
        logOf(login, { content: "r1", result: "ok", status_code: 200, channel_id: channel }),
        logOf(login, { content: "r2", result: "refused", status_code: 403, quota: 0 }),
        logOf(login, { content: "r3", result: "provider-limited", status_code: 429, channel_id: channel }),
        logOf(login, { content: "r4", result: "written-by-a-newer-version", status_code: 0, channel_id: 999 }),
      ]);
      const query = { username: "rita" };
      const entries = await admin.client.data(listLogs, { query });
      assert.deepEqual(
        entries.map((entry) => [entry.result, entry.status_code, entry.channel_name]),
        [
          ["", 0, ""],
          ["provider-limited", 429, "OpenAI main"],
          ["refused", 403, ""],
          ["ok", 200, "OpenAI main"],
        ],
      );
      for (const [result, left] of [
        ["ok", ["r1"]],
        ["refused", ["r2"]],
        ["provider-limited", ["r3"]],
        ["timeout", []],
        ["", ["r4", "r3", "r2", "r1"]],
      ] as const) {
        assert.deepEqual(await all({ ...query, result }), left);
        assert.deepEqual(await own({ result }, client), left);
      }
      assert.equal((await admin.client.data(getLogStat, { query: { ...query, result: "refused" } })).token, 11);
      assert.equal((await admin.client.send(listLogs, { query: { result: "lost" } })).status, 400);
      assert.doesNotMatch((await client.send(listOwnLogs)).text, /OpenAI main/);
    });

    test("[LOG-20] a page has the given size", async () => {
      assert.equal((await own({ size: 20 })).length, 4);
      assert.equal((await admin.client.data(listLogs, { query: { size: 100 } })).length > 10, true);
      assert.equal((await admin.client.send(listLogs, { query: { size: 15 } })).status, 400);
    });

    test("[LOG-20] pages up to an id stay stable while entries are added", async () => {
      const { user, client } = await testApp.logInAs("user");
      const row = (content: string) => logOf({ user, client }, { content });
      await addLogs(Array.from({ length: 25 }, (_, index) => row(String(index))));
      const first = await client.data(listOwnLogs);
      const query = { p: 1, up_to: first[0]?.id ?? 0 };
      const second = await own(query, client);
      assert.deepEqual(second, ["14", "13", "12", "11", "10", "9", "8", "7", "6", "5"]);
      await addLogs([row("new"), row("newer")]);
      const answer = await client.send(listOwnLogs, { query });
      assert.deepEqual(await own(query, client), second);
      assert.equal(answer.headers[TOTAL_COUNT_HEADER], "25");
      assert.deepEqual((await own({}, client)).slice(0, 2), ["newer", "new"]);
      assert.equal((await client.send(listOwnLogs, { query: { up_to: -1 } })).status, 400);
    });

    test("[LOG-20] pages of ten, and the total of all pages", async () => {
      const { user, client } = await testApp.logInAs("user");
      const row = (index: number) => logOf({ user, client }, { content: String(index), created_at: index });
      for (let start = 0; start < 10_005; start += 1_000) {
        await addLogs(Array.from({ length: Math.min(1_000, 10_005 - start) }, (_, index) => row(start + index)));
      }
      assert.deepEqual((await own({ p: 0 }, client)).slice(0, 2), ["10004", "10003"]);
      assert.deepEqual(await own({ p: 1_000 }, client), ["4", "3", "2", "1", "0"]);
      assert.deepEqual(await own({ p: 1_001 }, client), []);
      const total = async (query: Query) => (await client.send(listOwnLogs, { query })).headers[TOTAL_COUNT_HEADER];
      assert.equal(await total({}), "10005");
      assert.equal(await total({ end_timestamp: 9_999 }), "10000");
      assert.equal(await total({ start_timestamp: 6 }), "9999");
    });
  });
}
