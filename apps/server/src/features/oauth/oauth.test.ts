import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { countBindings, unbind } from "@one-api/contract/accounts/binding";
import {
  bindWeChat,
  enterWithGitHub,
  enterWithLark,
  enterWithWeChat,
  getOAuthState,
} from "@one-api/contract/accounts/oauth";
import { getSelf, login, logout } from "@one-api/contract/accounts/user";
import { DATABASE_KINDS, whyMissing } from "@one-api/database/test-databases";
import {
  type IdentityProvider,
  settingsFor,
  startIdentityProvider,
} from "@one-api/stub-server/people/start-identity-provider";
import { createTestApp, type TestApp } from "../../testing/create-test-app.ts";
import { setOptions } from "../../testing/set-options.ts";
import type { TestClient } from "../../testing/test-client.ts";
import { boundIdAt } from "../users/index.ts";

for (const kind of DATABASE_KINDS) {
  describe(`logins at other providers on ${kind}`, { skip: whyMissing(kind) ?? false }, () => {
    let testApp: TestApp;
    let provider: IdentityProvider;
    before(async () => {
      [testApp, provider] = await Promise.all([createTestApp({ kind }), startIdentityProvider()]);
      await setOptions(testApp, {
        ServerAddress: "https://gateway.example",
        ...settingsFor(provider),
      });
    });
    beforeEach(() => testApp.clock.advanceSeconds(600));
    after(async () => {
      await Promise.all([testApp.close(), provider.close()]);
    });

    const begin = (client: TestClient) => client.data(getOAuthState);
    const comeBack = async (
      client: TestClient,
      id: number,
      state: string,
      call: typeof enterWithGitHub | typeof enterWithLark = enterWithGitHub,
    ) => client.send(call, { query: { code: provider.issueCode({ id, name: "Octo\n\u202ECat" }), state } });

    for (const [name, call, column] of [
      ["GitHub", enterWithGitHub, "github_id"],
      ["Lark", enterWithLark, "lark_id"],
    ] as const) {
      test(`${name} signs up, then logs in to the same account [CALL-21] [CALL-22]`, async () => {
        const first = testApp.client();
        const answer = await comeBack(first, 501, await begin(first), call);
        assert.equal(answer.envelope?.success, true, answer.text);
        const user = await first.data(getSelf);
        assert.match(user.username, /^(github|lark)_\d+$/);
        assert.equal(user.display_name, "Octo Cat");
        assert.equal(user[column], name === "GitHub" ? "501" : "ou_501");
        assert.deepEqual([user.role, user.quota, user.email], [1, 0, ""]);
        const second = testApp.client();
        await comeBack(second, 501, await begin(second), call);
        assert.equal((await second.data(getSelf)).id, user.id);
      });

      test(`${name} is bound to the logged-in user, and to one account only`, async () => {
        const { client, user } = await testApp.logInAs("user");
        const answer = await comeBack(client, 601, await begin(client), call);
        assert.deepEqual([answer.envelope?.message, answer.envelope?.data], ["bind", null]);
        const visitor = testApp.client();
        await comeBack(visitor, 601, await begin(visitor), call);
        assert.equal((await visitor.data(getSelf)).id, user.id);
        const { client: other } = await testApp.logInAs("user");
        const taken = await comeBack(other, 601, await begin(other), call);
        assert.equal(taken.envelope?.code, "oauth-taken");
      });
    }

    test("[V22] [CALL-17] a state works once, in its browser, for its user, for ten minutes", async () => {
      const refused = async (client: TestClient, state: string) => {
        const asked = provider.requests.length;
        const answer = await comeBack(client, 700, state);
        assert.deepEqual([answer.status, answer.envelope?.code], [403, "oauth-state-wrong"]);
        assert.equal(provider.requests.length, asked, "the code goes nowhere");
      };
      const browser = testApp.client();
      const used = await begin(browser);
      await comeBack(browser, 701, used);
      await refused(browser, used);
      await browser.data(logout);
      await refused(browser, used);
      await refused(testApp.client(), await begin(testApp.client()));
      await refused(browser, "");
      const { client } = await testApp.logInAs("user");
      const loggedIn = await begin(client);
      await refused(testApp.client(), loggedIn);
      const { client: victim } = await testApp.logInAs("user");
      await refused(victim, loggedIn);
      const changed = testApp.client();
      const asVisitor = await begin(changed);
      await testApp.logInAs("user", { username: "later", password: "correct horse" });
      await changed.data(login, { body: { username: "later", password: "correct horse" } });
      await refused(changed, asVisitor);
      const asUser = await begin(changed);
      await changed.data(logout);
      await refused(changed, asUser);
      const old = testApp.client();
      const state = await begin(old);
      testApp.clock.advanceSeconds(600);
      await refused(old, state);
    });

    test("a state of a provider is refused from another", async () => {
      const client = testApp.client();
      const state = await client.data(getOAuthState, { query: { provider: "lark" } });
      assert.equal((await comeBack(client, 751, state)).envelope?.code, "oauth-state-wrong");
      assert.equal((await comeBack(client, 751, state, enterWithLark)).envelope?.success, true);
    });

    test("callbacks of a network are limited", async () => {
      const client = testApp.client();
      const tryOnce = async () => (await comeBack(client, 761, "made-up")).envelope?.code;
      assert.equal(await tryOnce(), "oauth-state-wrong");
      const { db } = testApp.database;
      await db.updateTable("request_counts").set({ made: 59 }).where("subject", "like", "oauth:%").execute();
      assert.deepEqual([await tryOnce(), await tryOnce()], ["oauth-state-wrong", "too-many-requests"]);
      testApp.clock.advanceSeconds(600);
      assert.equal(await tryOnce(), "oauth-state-wrong");
    });

    test("begun logins of a network are limited before anything is stored", async () => {
      const { db } = testApp.database;
      await begin(testApp.client());
      await db.updateTable("request_counts").set({ made: 59 }).where("subject", "like", "oauth:%").execute();
      const tries = [];
      for (let index = 0; index < 3; index += 1) tries.push((await testApp.client().send(getOAuthState)).status);
      assert.deepEqual(tries, [200, 429, 429]);
      assert.equal((await db.selectFrom("oauth_states").select("provider").execute()).length, 2);
    });

    test("[V22] an equal e-mail address does not link accounts", async () => {
      const { user } = await testApp.logInAs("user", { email: "octo@example.com" });
      const client = testApp.client();
      await comeBack(client, 801, await begin(client));
      assert.notEqual((await client.data(getSelf)).id, user.id);
    });

    test("[V37] a wrong code, a failing provider and a disabled account are refused without a session", async () => {
      const client = testApp.client();
      const wrong = await client.send(enterWithGitHub, { query: { code: "wrong", state: await begin(client) } });
      assert.equal(wrong.envelope?.code, "oauth-refused");
      provider.failNext(1);
      assert.equal((await comeBack(client, 901, await begin(client))).envelope?.code, "oauth-unreachable");
      await testApp.logInAs("user", { status: 2, username: "off" });
      await testApp.database.db
        .updateTable("users")
        .set({ github_id: boundIdAt(provider.url, "902") })
        .where("username", "=", "off")
        .execute();
      assert.equal((await comeBack(client, 902, await begin(client))).envelope?.code, "account-disabled");
      assert.equal((await client.send(getSelf)).status, 401);
      assert.ok(!testApp.logLines.join("").includes(provider.clientSecret));
    });

    test("WeChat logs in and binds with a code [CALL-18] [CALL-19]", async () => {
      const client = testApp.client();
      const code = () => provider.issueCode({ id: 1001, name: "" });
      await client.data(enterWithWeChat, { query: { code: code() } });
      assert.match((await client.data(getSelf)).username, /^wechat_\d+$/);
      const wrong = await client.send(enterWithWeChat, { query: { code: "0000" } });
      assert.equal(wrong.envelope?.code, "oauth-refused");
      const { client: other } = await testApp.logInAs("user");
      assert.equal((await other.send(bindWeChat, { query: { code: code() } })).envelope?.code, "oauth-taken");
      await other.data(bindWeChat, { query: { code: provider.issueCode({ id: 1002, name: "" }) } });
      assert.equal((await other.data(getSelf)).wechat_id, "wx_1002");
    });

    test("sign-up is refused while registration is off, and existing users log in", async () => {
      const known = testApp.client();
      await comeBack(known, 1101, await begin(known));
      await setOptions(testApp, { RegisterEnabled: "false" });
      const client = testApp.client();
      assert.equal((await comeBack(client, 1102, await begin(client))).envelope?.code, "registration-off");
      assert.equal((await comeBack(client, 1101, await begin(client))).envelope?.success, true);
      await setOptions(testApp, { RegisterEnabled: "true", GitHubOAuthEnabled: "false" });
      assert.equal((await comeBack(client, 1101, await begin(client))).envelope?.code, "oauth-off");
      await setOptions(testApp, { GitHubOAuthEnabled: "true" });
    });

    test("[V22] an id is valid only with the provider address of its binding", async (t) => {
      const { client, user } = await testApp.logInAs("user");
      await comeBack(client, 1201, await begin(client));
      const other = await startIdentityProvider();
      t.after(() => other.close());
      const { client: root } = await testApp.logInAs("root");
      const counted = (await root.data(countBindings)).GitHubAddress;
      assert.ok(counted > 0);
      await setOptions(testApp, settingsFor(other));
      const rows = await testApp.database.db
        .selectFrom("audit")
        .select("detail")
        .where("object", "=", "option:GitHubAddress")
        .orderBy("id", "desc")
        .limit(1)
        .execute();
      assert.deepEqual(JSON.parse(rows[0]?.detail ?? ""), {
        value: { from: provider.url, to: other.url },
        bindings_lost: counted,
      });
      assert.equal((await root.data(countBindings)).GitHubAddress, 0);
      const stranger = testApp.client();
      const code = other.issueCode({ id: 1201, name: "Octo" });
      await stranger.data(enterWithGitHub, { query: { code, state: await begin(stranger) } });
      assert.notEqual((await stranger.data(getSelf)).id, user.id);
      const self = await client.data(getSelf);
      assert.deepEqual([self.github_id, self.outdated_bindings], [`${provider.url} 1201`, ["github"]]);
      await setOptions(testApp, settingsFor(provider));
      const back = testApp.client();
      await comeBack(back, 1201, await begin(back));
      const found = await back.data(getSelf);
      assert.deepEqual([found.id, found.github_id, found.outdated_bindings], [user.id, "1201", []]);
      await comeBack(stranger, 1202, await begin(stranger), enterWithLark);
      const drop = async (binding: "github" | "lark") =>
        (await stranger.send(unbind, { params: { binding } })).envelope?.code ?? "gone";
      assert.equal(await drop("lark"), "last-way-in", "what was bound elsewhere is no way in");
      assert.equal(await drop("github"), "gone");
    });

    test("another site can neither begin nor finish nor bind", async () => {
      const { client } = await testApp.logInAs("user");
      const headers = { "sec-fetch-site": "cross-site" };
      for (const call of [getOAuthState, enterWithGitHub, bindWeChat])
        assert.equal((await client.send(call, { query: { code: "1" }, headers })).envelope?.code, "foreign-origin");
    });
  });
}
