import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createChannel } from "@one-api/contract/channels/channel";
import { LOG_TYPE } from "@one-api/contract/logs/log";
import { countLogFacet, countOwnLogFacet } from "@one-api/contract/logs/log-totals";
import { DATABASE_KINDS, whyMissing } from "@one-api/database/test-databases";
import { createTestApp, type TestApp, type TestLogin } from "../../testing/create-test-app.ts";

import { logOf, type NewLog } from "./testing/log-rows.ts";

for (const kind of DATABASE_KINDS) {
  describe(`facets of the log on ${kind}`, { skip: whyMissing(kind) ?? false }, () => {
    let testApp: TestApp;
    let admin: TestLogin;
    before(async () => {
      testApp = await createTestApp({ kind });
      admin = await testApp.logInAs("admin", { username: "adam" });
      await addLogs([logOf(await testApp.logInAs("user"), { token_name: "bot" })]);
    });
    after(() => testApp.close());

    const addLogs = (rows: NewLog[]) => testApp.database.db.insertInto("logs").values(rows).execute();
    type Query = Record<string, string | number | readonly (string | number)[]>;

    test("a facet lists matches of the keyword, prefixes first; users see values of their own entries only", async () => {
      const { user, client } = await testApp.logInAs("user", { username: "sue" });
      const login = { user, client };
      await addLogs([
        logOf(login, { model_name: "zeta-2", token_name: "Sue's laptop" }),
        logOf(login, { model_name: "Zeta-1", token_name: "laptop" }),
        logOf(login, { model_name: "not-zeta", token_name: "100%" }),
        logOf(login, { model_name: "zeta-2" }),
      ]);
      const find = async (field: string, keyword: string) =>
        (await admin.client.data(countLogFacet, { query: { field, keyword } })).map(({ value }) => value);
      assert.deepEqual(await find("model_name", "zeta"), ["zeta-2", "Zeta-1", "not-zeta"]);
      assert.deepEqual(await find("username", "su"), ["sue"]);
      assert.deepEqual(await find("token_name", "0%"), ["100%"]);
      assert.deepEqual(await find("model_name", "_eta"), []);
      assert.ok((await find("model_name", "")).length > 3);
      const findOwn = async (keyword: string) =>
        (await client.data(countOwnLogFacet, { query: { field: "token_name", keyword } })).map(({ value }) => value);
      assert.deepEqual(await findOwn("lap"), ["laptop", "Sue's laptop"]);
      assert.deepEqual(await findOwn("bot"), []);
      for (const field of ["username", "channel"])
        assert.equal((await client.send(countOwnLogFacet, { query: { field } })).status, 400);
      assert.equal((await client.send(countLogFacet, { query: { field: "model_name" } })).status, 403);
    });

    test("a facet counts what the other filters leave, whatever its own says; channels have names and are found by them", async () => {
      const { user, client } = await testApp.logInAs("user", { username: "fay" });
      const login = { user, client };
      const { ids } = await admin.client.data(createChannel, {
        body: { type: 1, name: "Faceted", key: "sk-log-test-2", models: "m" },
      });
      const channel = ids[0] ?? 0;
      await addLogs([
        logOf(login, { model_name: "f1", result: "ok", channel_id: channel, alias: "" }),
        logOf(login, { model_name: "f1", result: "ok", channel_id: channel, alias: "" }),
        logOf(login, { model_name: "f1", result: "timeout", channel_id: 98_765, alias: "fast" }),
        logOf(login, { model_name: "f2", result: "ok", channel_id: channel, alias: "fast" }),
        logOf(login, { model_name: "", result: "", type: LOG_TYPE.topUp, alias: "" }),
      ]);
      const count = async (field: string, query: Query = {}) =>
        (await admin.client.data(countLogFacet, { query: { field, username: "fay", ...query } })).map(
          ({ label, entries }) => [label, entries],
        );
      assert.deepEqual(await count("model_name", { model_name: "f2" }), [
        ["f1", 3],
        ["f2", 1],
      ]);
      assert.deepEqual(await count("model_name", { model_name: "f1", result: ["timeout", "cut"] }), [["f1", 1]]);
      assert.deepEqual(await count("result", { model_name: ["f1", "f2"], result: ["errors", "ok"] }), [
        ["ok", 3],
        ["timeout", 1],
      ]);
      assert.deepEqual(await count("model_name", { result: ["errors", "ok"] }), [
        ["f1", 3],
        ["f2", 1],
      ]);
      assert.deepEqual(await count("result", { model_name: "f1", result: "timeout" }), [
        ["ok", 2],
        ["timeout", 1],
      ]);
      assert.deepEqual(await count("type", { type: LOG_TYPE.topUp }), [
        ["2", 4],
        ["1", 1],
      ]);
      assert.deepEqual(await count("channel", { channel: 3 }), [
        ["Faceted", 3],
        ["#98765", 1],
      ]);
      for (const keyword of ["acete", String(channel)])
        assert.deepEqual(await count("channel", { keyword, result: "ok", model_name: "f1" }), [["Faceted", 2]]);
      assert.deepEqual(await count("alias", { model_name: "f2", alias: "other" }), [["fast", 1]]);
      assert.deepEqual(await client.data(countOwnLogFacet, { query: { field: "alias" } }), [
        { value: "fast", label: "fast", entries: 2 },
      ]);
      const ofUser = await client.data(countOwnLogFacet, { query: { field: "result", model_name: "f1" } });
      assert.deepEqual(ofUser[0], { value: "ok", label: "ok", entries: 2 });
    });
  });
}
