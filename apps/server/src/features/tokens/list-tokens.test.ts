import assert from "node:assert/strict";
import { FURTHER_LIMITS, LIMIT_FIELDS } from "@one-api/contract/limits/limit-constants";
import { after, before, describe, test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { updateUser } from "@one-api/contract/accounts/user-management";
import { TOTAL_COUNT_HEADER } from "@one-api/contract/constants";
import {
  createToken,
  deleteToken,
  listTokens,
  searchTokens,
  sendTokenAlert,
  updateToken,
} from "@one-api/contract/token";
import { DATABASE_KINDS, whyMissing } from "@one-api/database/test-databases";
import { createTestApp, type TestApp } from "../../testing/create-test-app.ts";
import { setPool } from "../../testing/ledger/set-pool.ts";
import { prepareFindTokensForRelay } from "./index.ts";
import { z } from "zod";

for (const kind of DATABASE_KINDS) {
  describe(`listing tokens on ${kind}`, { skip: whyMissing(kind) ?? false }, () => {
    let testApp: TestApp;
    before(async () => {
      testApp = await createTestApp({ kind });
    });
    after(() => testApp.close());

    test("[CALL-08] [CALL-09] [CONST-08] [CONST-09] pages of ten, newest first, with the total in a header", async () => {
      const { client } = await testApp.logInAs("user");
      await client.data(createToken, { body: { name: "n", batch_number: 23 } });
      const pages = await Promise.all([0, 1, 2, 3].map((p) => client.send(listTokens, { query: { p } })));
      assert.deepEqual(
        pages.map(({ headers }) => headers[TOTAL_COUNT_HEADER]),
        ["23", "23", "23", "23"],
      );
      const names = await Promise.all(
        [0, 1, 2, 3, -1].map(async (p) => (await client.data(listTokens, { query: { p } })).map(({ name }) => name)),
      );
      assert.deepEqual(
        names.map(({ length }) => length),
        [10, 10, 3, 0, 10],
      );
      assert.deepEqual([names[0]?.[0], names[2]?.[2]], ["n-23", "n-1"]);
      assert.deepEqual(names[4], names[0]);
    });

    test("[CALL-58] [TLIST-04] [TLIST-05] orders by remaining quota, unlimited first, and by usage", async () => {
      const { client } = await testApp.logInAs("user");
      const make = (body: object) => client.data(createToken, { body });
      await make({ name: "little", remain_quota: 10 });
      await make({ name: "much", remain_quota: 1_000 });
      const free = await make({ name: "free", remain_quota: 0, unlimited_quota: true });
      await setPool(testApp.database, "token", free.id, { used: 5 });
      const order = async (wanted: string) =>
        (await client.data(listTokens, { query: { order: wanted } })).map(({ name }) => name);
      assert.deepEqual(await order("remain_quota"), ["free", "much", "little"]);
      assert.deepEqual(await order("used_quota"), ["free", "much", "little"]);
      assert.deepEqual(await order("default"), ["free", "much", "little"]);
      assert.deepEqual(await order(""), ["free", "much", "little"]);
      await make({ name: "last", remain_quota: 500 });
      assert.deepEqual(await order("remain_quota"), ["free", "much", "last", "little"]);
      assert.deepEqual(await order("used_quota"), ["free", "last", "much", "little"]);
      assert.equal((await client.send(listTokens, { query: { order: "id; drop table tokens" } })).status, 400);
    });

    test("[TLIST-01] [CALL-59] searches the beginning of names without case; wildcards are plain characters", async () => {
      const { client } = await testApp.logInAs("user");
      for (const name of ["50% off", "50 cents", "a_b", "axb", "Zoë", "back\\slash"])
        await client.data(createToken, { body: { name } });
      const search = async (keyword: string) => {
        const answer = await client.send(searchTokens, { query: { keyword } });
        const names = (await client.data(searchTokens, { query: { keyword } })).map(({ name }) => name);
        assert.equal(answer.headers[TOTAL_COUNT_HEADER], String(names.length));
        return names;
      };
      assert.deepEqual(await search("50%"), ["50% off"]);
      assert.deepEqual(await search("a_"), ["a_b"]);
      assert.deepEqual(await search("zoë"), ["Zoë"]);
      assert.deepEqual(await search("BACK\\"), ["back\\slash"]);
      assert.deepEqual(await search("%"), []);
      assert.deepEqual(await search("cents"), []);
      assert.equal((await search("")).length, 6);
    });

    test("[CALL-08] a page has the given size and the total; other sizes are refused by name", async () => {
      const { client } = await testApp.logInAs("user");
      await client.data(createToken, { body: { name: "s", batch_number: 23 } });
      const pageOf = async (query: Record<string, string | number>) => {
        const answer = await client.send(listTokens, { query });
        const names = (await client.data(listTokens, { query })).map(({ name }) => name);
        return { names, total: answer.headers[TOTAL_COUNT_HEADER] };
      };
      const second = await pageOf({ p: 1, size: 20 });
      assert.deepEqual(second, { names: ["s-3", "s-2", "s-1"], total: "23" });
      assert.equal((await pageOf({ size: 100 })).names.length, 23);
      for (const size of [0, 11, 1000, -10, "many", ""]) {
        const refused = await client.send(listTokens, { query: { size } });
        assert.deepEqual([refused.status, refused.envelope?.field], [400, "size"], String(size));
      }
      const found = await client.send(searchTokens, { query: { keyword: "S-1", size: 10, p: 1 } });
      assert.equal(found.headers[TOTAL_COUNT_HEADER], "11");
      const rows = await client.data(searchTokens, { query: { keyword: "S-1", size: 10, p: 1 } });
      assert.deepEqual(
        rows.map(({ name }) => name),
        ["s-1"],
      );
      assert.equal((await client.data(searchTokens, { query: { keyword: "s-" } })).length, 23);
    });

    test("[TLIST-04] every column orders both ways as displayed; equal rows are newest first", async () => {
      const { client } = await testApp.logInAs("user");
      const now = Math.floor(testApp.clock.nowMs() / 1000);
      const make = (body: object) => client.data(createToken, { body });
      await make({ name: "b", remain_quota: 0, expired_time: now + 50 });
      await make({ name: "A", remain_quota: 9, expired_time: now + 5 });
      const off = await make({ name: "c", remain_quota: 3 });
      await client.data(updateToken, { query: { status_only: "true" }, body: { id: off.id, status: 2 } });
      await make({ name: "a", remain_quota: 9, expired_time: now - 1 });
      await setPool(testApp.database, "token", off.id, { last_used_at: 7 });
      const order = async (wanted: string, direction?: string) => {
        const query = { order: wanted, ...(direction === undefined ? {} : { direction }) };
        return (await client.data(listTokens, { query })).map(({ name }) => name).join("");
      };
      assert.deepEqual([await order("name"), await order("name", "desc")], ["aAbc", "cbaA"]);
      assert.deepEqual([await order("status"), await order("status", "asc")], ["bacA", "Acab"]);
      assert.deepEqual([await order("remain_quota"), await order("remain_quota", "asc")], ["aAcb", "bcaA"]);
      assert.deepEqual([await order("expired_time"), await order("expired_time", "asc")], ["cbAa", "aAbc"]);
      assert.deepEqual([await order("accessed_time"), await order("accessed_time", "asc")], ["caAb", "aAbc"]);
      assert.deepEqual([await order("default"), await order("default", "asc")], ["acAb", "bAca"]);
      assert.deepEqual([await order("created_time"), await order("used_quota")], ["acAb", "acAb"]);
      const statuses = await Promise.all(
        [0, 1, 2, 3, 4].map((status) => client.data(searchTokens, { query: { status } })),
      );
      assert.deepEqual(
        statuses.map((rows) => rows.map(({ name }) => name).join("")),
        ["acAb", "A", "c", "a", "b"],
      );
      assert.equal((await client.send(listTokens, { query: { direction: "up" } })).status, 400);
    });

    test("tokens of other users are not listed", async () => {
      const { client } = await testApp.logInAs("user");
      await client.data(createToken, { body: { name: "theirs" } });
      const { client: root } = await testApp.logInAs("root");
      const answer = await root.send(searchTokens, { query: { keyword: "theirs" } });
      assert.deepEqual(answer.envelope?.data, []);
    });

    test("[CALL-61] a deleted token is removed for its owner and the relay, and stays in the audit trail", async () => {
      const { client, user } = await testApp.logInAs("user");
      const { id, key } = await client.data(createToken, { body: { name: "short-lived" } });
      const lookup = testApp.deps.secrets.lookup(key);
      assert.equal((await prepareFindTokensForRelay(testApp.database)([lookup]))[0]?.id, id);
      await client.data(deleteToken, { params: { id } });
      assert.deepEqual(await client.data(listTokens), []);
      assert.equal((await prepareFindTokensForRelay(testApp.database)([lookup])).length, 0);
      assert.equal((await client.send(deleteToken, { params: { id } })).envelope?.code, "token-not-found");
      const audit = await testApp.database.db
        .selectFrom("audit")
        .select(["action", "object"])
        .where("actor_id", "=", user.id)
        .orderBy("id", "desc")
        .executeTakeFirst();
      assert.deepEqual(audit, { action: "token.delete", object: `token:${id}` });
    });

    test("the relay finds a token and its owner by the key's lookup value", async () => {
      const { client, user } = await testApp.logInAs("user", { group: "vip", quota: 700_000 });
      const token = await client.data(createToken, { body: { name: "found", models: "gpt-4o", tpm_limit: 7 } });
      const lookup = testApp.deps.secrets.lookup(token.key);
      const [found] = await prepareFindTokensForRelay(testApp.database)([lookup]);
      assert.deepEqual(found && { ...found }, {
        key_hmac: lookup,
        old_key_hmac: "",
        old_key_ends_at: 0,
        id: token.id,
        name: "found",
        status: 1,
        expired_time: -1,
        unlimited_quota: 0,
        models: "gpt-4o",
        group: "",
        subnet: "",
        rpm_limit: 600,
        dpm_limit: 60,
        tpm_limit: 7,
        ...Object.fromEntries(FURTHER_LIMITS.map((field) => [field, 0])),
        ...Object.fromEntries(LIMIT_FIELDS.map((field) => [`user_${field}`, 0])),
        custom_contact: "",
        moderations_enable: 0,
        keep_bodies: 0,
        user_id: user.id,
        username: user.username,
        user_role: 1,
        user_status: 1,
        user_group: "vip",
        budgets: "[]",
      });
    });

    test("the relay loads budgets of the token and its owner only", async () => {
      const { client, user } = await testApp.logInAs("user");
      const root = await testApp.logInAs("root");
      const budget = { quota: 70, period: "daily" };
      const token = await client.data(createToken, { body: { name: "one", budget } });
      await client.data(createToken, { body: { name: "other", budget } });
      await root.client.data(updateUser, { body: { id: user.id, budget: { quota: 90, period: "monthly" } } });
      const [found] = await prepareFindTokensForRelay(testApp.database)([testApp.deps.secrets.lookup(token.key)]);
      const stored = await testApp.database.db
        .selectFrom("budgets")
        .select(["id", "token_id"])
        .where("user_id", "=", user.id)
        .where("token_id", "in", [0, token.id])
        .orderBy("token_id")
        .execute();
      const ids = stored.map(({ id }) => id);
      const budgets = z.array(z.unknown()).parse(JSON.parse(found?.budgets ?? ""));
      assert.equal(budgets.length, 2);
      const isFound = (wanted: object) =>
        assert.ok(
          budgets.some((one) => isDeepStrictEqual(one, wanted)),
          found?.budgets,
        );
      isFound({ id: ids[0], of: "user", group: "", period: "monthly", amount: 90 });
      isFound({ id: ids[1], of: "token", group: "", period: "daily", amount: 70 });
    });

    test("[CALL-62] [CALL-63] an alert names missing mail options; tokens of others are not found", async () => {
      const { client } = await testApp.logInAs("user");
      const { id } = await client.data(createToken, { body: { name: "watched" } });
      const own = await client.send(sendTokenAlert, { query: { alertType: "balance", id } });
      assert.equal(own.envelope?.code, "mail-not-set-up");
      assert.match(own.envelope?.message ?? "", /SMTPServer/);
      const { client: other } = await testApp.logInAs("admin");
      assert.equal(
        (await other.send(sendTokenAlert, { query: { alertType: "expired", id } })).envelope?.code,
        "token-not-found",
      );
      assert.equal((await client.send(sendTokenAlert, { query: { alertType: "other", id } })).status, 400);
    });
  });
}
