import assert from "node:assert/strict";
import { afterEach, describe, it } from "node:test";
import { listAudit } from "@one-api/contract/audit";
import { periodEnd } from "@one-api/contract/budget";
import { listLogs } from "@one-api/contract/logs/log";
import { listGroupBudgets, setGroupBudget } from "@one-api/contract/limits/group-budget";
import { createToken, deleteToken, getToken, listTokens, updateToken } from "@one-api/contract/token";
import { getSelf } from "@one-api/contract/accounts/user";
import { getUser, listTokensOfUser, updateUser } from "@one-api/contract/accounts/user-management";
import { eachDatabase } from "@one-api/database/test-databases";
import { setOptions } from "../../../testing/set-options.ts";
import { CHAT, chatBody, errorOf, type RelayTest, startRelayTest } from "../../../testing/start-relay-test.ts";

eachDatabase((_open, kind) => {
  let test: RelayTest | undefined;
  afterEach(() => test?.close());

  async function start() {
    const gateway = await startRelayTest({ kind });
    test = gateway;
    await gateway.addChannel(await gateway.upstream());
    const owner = await gateway.testApp.logInAs("user");
    const add = async (more: Record<string, unknown> = {}) => {
      const body = { name: "one", unlimited_quota: true, rpm_limit: 0, tpm_limit: 0, ...more };
      const { id, key } = await owner.client.data(createToken, { body });
      const call = async (fields: Record<string, unknown> = { max_tokens: 50 }) => {
        const answer = await gateway.post(CHAT, `sk-${key}`, chatBody("hello", fields));
        const { status, headers } = answer;
        if (status !== 200) return { status, headers, error: await errorOf(answer) };
        await answer.text();
        return { status, headers, error: { message: "", code: "", type: "" } };
      };
      return { id, call };
    };
    return { gateway, owner, add };
  }

  describe("a budget", () => {
    it("of a token lets no more through than it covers, however many call at once, and names itself in the refusal", async () => {
      const { gateway, owner, add } = await start();
      const { id, call } = await add({ budget: { quota: 100, period: "daily" } });
      const answers = await Promise.all(Array.from({ length: 100 }, () => call()));
      const served = answers.filter(({ status }) => status === 200).length;
      const refused = answers.find(({ status }) => status !== 200);
      assert.ok(served > 0 && served < 100 && refused !== undefined);
      assert.equal(refused.status, 429);
      const { message, code, type } = refused.error;
      assert.deepEqual([code, type], ["budget_exceeded", "insufficient_quota"]);
      assert.match(
        message,
        /^The daily budget of this token is 100 quota, and \d+ of it is left; .* renews at \d{4}-\d\d-\d\dT00:00:00Z\./,
      );
      const waitSeconds = Number(refused.headers.get("retry-after"));
      assert.ok(waitSeconds > 0 && waitSeconds <= 24 * 3600);
      const { charged, differences, open } = await gateway.books();
      assert.ok(charged <= 100, `${charged} was charged`);
      assert.deepEqual([differences, open], [0, 0]);
      const token = await owner.client.data(getToken, { params: { id } });
      assert.equal(token.budget?.used, charged);
      assert.equal(token.budget.renews_at, periodEnd("daily", Math.floor(Date.now() / 1000)));
      await gateway.testApp.deps.relay.refusals.flush(true);
      const logs = await gateway.root.data(listLogs, { query: { result: "over-budget" } });
      assert.equal(logs[0]?.detail?.refusal, "budget_exceeded");
      await owner.client.data(updateToken, { body: { id, budget: { quota: 100_000, period: "daily" } } });
      assert.equal((await call()).status, 200, "a larger one counts with the next call");
      await owner.client.data(updateToken, { body: { id, budget: null } });
      assert.equal((await owner.client.data(listTokens))[0]?.budget, null);
      await owner.client.data(updateToken, { body: { id, budget: { quota: 1, period: "daily" } } });
      assert.equal((await call()).status, 429);
      await owner.client.data(deleteToken, { params: { id } });
      assert.deepEqual(await gateway.testApp.database.db.selectFrom("budgets").select("token_id").execute(), []);
    });

    it("of a user counts all tokens together, is an administrator's to set, and stands in the audit trail", async () => {
      const { gateway, owner, add } = await start();
      const { user } = owner;
      const [first, second] = [await add(), await add()];
      assert.equal((await first.call()).status, 200);
      const budget = { quota: 60, period: "monthly" } as const;
      await gateway.root.data(updateUser, { body: { id: user.id, budget } });
      let served = 0;
      for (let call = 0; call < 40; call += 1)
        if ((await (call % 2 === 0 ? first : second).call()).status === 200) served += 1;
      const refused = await second.call();
      assert.match(refused.error.message, /^The monthly budget of this account is 60 quota/);
      assert.ok(served > 0 && served < 40);
      const seen = await gateway.root.data(getUser, { params: { id: user.id } });
      assert.deepEqual({ ...budget, used: 0, renews_at: 0 }, { ...seen.budget, used: 0, renews_at: 0 });
      assert.ok((seen.budget?.used ?? 0) > 0 && (seen.budget?.used ?? 0) <= 60);
      assert.deepEqual((await owner.client.data(getSelf)).budget, seen.budget);
      const [entry] = await gateway.root.data(listAudit, { query: { object: `user:${user.id}` } });
      assert.deepEqual(entry?.details, [
        { field: "budget.quota", from: "", to: "60" },
        { field: "budget.period", from: "", to: "monthly" },
      ]);
      assert.equal((await owner.client.send(updateUser, { body: { id: user.id, budget: null } })).status, 403);
      const tokens = await gateway.root.data(listTokensOfUser, { params: { id: user.id } });
      assert.deepEqual(
        tokens.map((token) => token.budget),
        [null, null],
      );
      assert.equal((await gateway.books()).differences, 0);
    });

    it("of a group is shared by all its users, is an administrator's to set, and stands in the audit trail", async () => {
      const { gateway, owner, add } = await start();
      const other = await gateway.testApp.logInAs("user", { quota: 50_000_000, group: "vip,default" });
      const outside = await gateway.testApp.logInAs("user", { quota: 50_000_000, group: "svip" });
      const keys = [
        await gateway.addToken({ unlimited_quota: true }, other.client),
        await gateway.addToken({ unlimited_quota: true }, outside.client),
      ];
      const callWith = async (key = "") => {
        const answer = await gateway.post(CHAT, key, chatBody("hello", { max_tokens: 50 }));
        return { status: answer.status, text: await answer.text() };
      };
      await setOptions(gateway.testApp, { GroupRatio: JSON.stringify({ default: 1, vip: 1, svip: 1 }) });
      await gateway.testApp.database.db.updateTable("channels").set({ group: "default,svip" }).execute();
      const { call } = await add();
      assert.equal((await call()).status, 200);
      const budget = { quota: 60, period: "monthly" } as const;
      await gateway.root.data(setGroupBudget, { body: { group: "default", budget } });
      let served = 0;
      for (let calls = 0; calls < 40; calls += 1)
        if ((await (calls % 2 === 0 ? call() : callWith(keys[0]))).status === 200) served += 1;
      assert.ok(served > 0 && served < 40);
      const refused = await callWith(keys[0]);
      assert.equal(refused.status, 429);
      assert.match(refused.text, /The monthly budget of the group default, which all its users share, is 60 quota/);
      assert.match(refused.text, /renews at \d{4}-\d\d-01T00:00:00Z\. Wait until then, .* or ask an administrator/);
      assert.match(refused.text, /"whose":"group","group":"default"/);
      assert.equal((await callWith(keys[1])).status, 200, "another group");
      const [listed] = await gateway.root.data(listGroupBudgets);
      assert.deepEqual({ ...listed?.budget, used: 0, renews_at: 0 }, { ...budget, used: 0, renews_at: 0 });
      assert.ok((listed?.budget.used ?? 0) > 0 && (listed?.budget.used ?? 0) <= 60);
      const [entry] = await gateway.root.data(listAudit, { query: { object: "group:default" } });
      assert.deepEqual(
        [entry?.action, entry?.details],
        [
          "group.budget",
          [
            { field: "budget.quota", from: "", to: "60" },
            { field: "budget.period", from: "", to: "monthly" },
          ],
        ],
      );
      const ofOwn = async ({ client }: typeof owner) => (await client.data(getSelf)).group_budget;
      assert.deepEqual([await ofOwn(owner), await ofOwn(other)], [listed, listed]);
      assert.equal(await ofOwn(outside), null, "members of other groups do not see it");
      const client = owner.client;
      assert.equal((await client.send(listGroupBudgets)).status, 403);
      assert.equal((await client.send(setGroupBudget, { body: { group: "default", budget: null } })).status, 403);
      const unknown = await gateway.root.send(setGroupBudget, { body: { group: "defualt", budget } });
      assert.deepEqual([unknown.status, unknown.envelope?.field], [400, "group"]);
      await gateway.root.data(setGroupBudget, { body: { group: "default", budget: null } });
      assert.deepEqual(await gateway.root.data(listGroupBudgets), []);
      assert.equal((await call()).status, 200, "a removed budget counts nothing");
      assert.equal((await gateway.books()).differences, 0);
    });

    it("of the first group of a user that has one counts", async () => {
      const { gateway } = await start();
      const { client } = await gateway.testApp.logInAs("user", { quota: 50_000_000, group: "vip,default" });
      const key = await gateway.addToken({ unlimited_quota: true }, client);
      const call = async () => (await gateway.post(CHAT, key, chatBody("hello"))).status;
      const setBudget = (group: string, quota: number) =>
        gateway.root.data(setGroupBudget, { body: { group, budget: { quota, period: "daily" } } });
      await setBudget("default", 1);
      assert.equal(await call(), 429);
      await setBudget("vip", 1_000_000);
      assert.equal(await call(), 200);
      const used = (await gateway.root.data(listGroupBudgets)).map(({ group, budget }) => [group, budget.used > 0]);
      assert.deepEqual(used, [
        ["default", false],
        ["vip", true],
      ]);
      const own = (await client.data(getSelf)).group_budget;
      assert.deepEqual([own?.group, own?.budget.quota], ["vip", 1_000_000]);
    });

    it("caps an answer whose length the caller leaves open at what it has left", async () => {
      const { gateway, add } = await start();
      const { call } = await add({ budget: { quota: 2_000, period: "weekly" } });
      assert.equal((await call({})).status, 200);
      assert.equal((await gateway.books()).differences, 0);
    });

    it("is refused with a wrong period or amount, by name", async () => {
      const { owner } = await start();
      for (const budget of [
        { quota: 0, period: "daily" },
        { quota: 5, period: "hourly" },
        { quota: 1.5, period: "daily" },
        5,
      ]) {
        const answer = await owner.client.send(createToken, { body: { name: "one", budget } });
        assert.deepEqual([answer.status, answer.envelope?.field?.split(".")[0]], [400, "budget"]);
      }
    });
  });
});
