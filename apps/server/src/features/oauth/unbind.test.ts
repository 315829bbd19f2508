import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type Binding, BINDING_FIELDS, clearBinding, unbind } from "@one-api/contract/accounts/binding";
import { getSelf } from "@one-api/contract/accounts/user";
import { DATABASE_KINDS, whyMissing } from "@one-api/database/test-databases";
import { createTestApp, type TestApp } from "../../testing/create-test-app.ts";
import type { TestUserOptions } from "../../testing/create-test-user.ts";
import { givePasskeyToRoot, setOptions } from "../../testing/set-options.ts";
import type { TestClient } from "../../testing/test-client.ts";

/** Addresses before the ids, with these options. */
const ADDRESSES: Readonly<Record<Binding, string>> = {
  email: "",
  wechat: "https://wechat.example ",
  github: "https://github.com ",
  lark: "https://open.feishu.cn ",
  oidc: "https://login.example ",
};
const ALL: readonly Binding[] = ["email", "wechat", "github", "lark", "oidc"];

for (const kind of DATABASE_KINDS) {
  describe(`unbinding on ${kind}`, { skip: whyMissing(kind) ?? false }, () => {
    let testApp: TestApp;
    before(async () => {
      testApp = await createTestApp({ kind });
      await setOptions(testApp, {
        ServerAddress: "https://gateway.example",
        GitHubClientId: "1",
        GitHubClientSecret: "1",
        GitHubOAuthEnabled: "true",
        LarkClientId: "1",
        LarkClientSecret: "1",
        OidcIssuer: "https://login.example",
        OidcClientId: "1",
        OidcClientSecret: "1",
        OidcEnabled: "true",
        WeChatServerAddress: "https://wechat.example",
        WeChatServerToken: "1",
        WeChatAuthEnabled: "true",
      });
    });
    after(() => testApp.close());

    /** A logged-in user with these bindings. */
    const somebody = async (bound: readonly Binding[], options: TestUserOptions = {}) => {
      const login = await testApp.logInAs("user", options);
      for (const binding of bound) {
        const changes = { [BINDING_FIELDS[binding]]: `${ADDRESSES[binding]}${binding}-${login.user.id}` };
        await testApp.database.db.updateTable("users").set(changes).where("id", "=", login.user.id).execute();
      }
      return login;
    };
    const drop = async (client: TestClient, binding: Binding) =>
      (await client.send(unbind, { params: { binding } })).envelope;
    const boundTo = async (client: TestClient) => {
      const self = await client.data(getSelf);
      return ALL.filter((binding) => self[BINDING_FIELDS[binding]] !== "");
    };
    const actionsOn = async (userId: number) => {
      const rows = await testApp.database.db
        .selectFrom("audit")
        .select(["action", "actor_id"])
        .where("object", "=", `user:${userId}`)
        .execute();
      return rows.map(({ action, actor_id }) => [action, actor_id]);
    };

    test("with a password every binding can be removed, and a missing one is ignored", async () => {
      const { client, user } = await somebody(ALL, { password: "correct horse" });
      for (const [index, binding] of ALL.entries()) {
        assert.equal((await drop(client, binding))?.success, true);
        assert.deepEqual(await boundTo(client), ALL.slice(index + 1));
      }
      assert.equal((await drop(client, "github"))?.success, true);
      const unbound = (await actionsOn(user.id)).filter(([action]) => action === "user.unbind");
      assert.deepEqual(
        unbound,
        Array.from(ALL, () => ["user.unbind", user.id]),
      );
    });

    test("the last sign-in method stays, and an address is none", async () => {
      for (const way of ["wechat", "github", "lark", "oidc"] as const) {
        const { client } = await somebody(["email", way]);
        assert.equal((await drop(client, way))?.code, "last-way-in", way);
        assert.equal((await drop(client, "email"))?.success, true);
        assert.deepEqual(await boundTo(client), [way]);
      }
    });

    test("a method that is turned off does not count", async () => {
      const { client } = await somebody(["github", "lark"]);
      await setOptions(testApp, { GitHubOAuthEnabled: "false" });
      assert.equal((await drop(client, "lark"))?.code, "last-way-in");
      assert.equal((await drop(client, "github"))?.success, true);
      const withPassword = await somebody(["lark"], { password: "correct horse" });
      await givePasskeyToRoot(testApp);
      await setOptions(testApp, { GitHubOAuthEnabled: "true", PasswordLoginEnabled: "false" });
      assert.equal((await drop(withPassword.client, "lark"))?.code, "last-way-in");
      await setOptions(testApp, { PasswordLoginEnabled: "true" });
    });

    test("of two concurrent calls one binding stays", async () => {
      for (let round = 0; round < 5; round += 1) {
        const { client, user } = await somebody(["github", "oidc"]);
        const other = await testApp.clientOf(user.id);
        const answers = await Promise.all([drop(client, "github"), drop(other, "oidc")]);
        assert.deepEqual(answers.map((answer) => answer?.code ?? "gone").sort(), ["gone", "last-way-in"]);
        assert.equal((await boundTo(client)).length, 1);
      }
    });

    test("an administrator removes a lower user's binding, also the last, and ends the sessions", async () => {
      const { client, user } = await somebody(["github"]);
      const admin = await testApp.logInAs("admin");
      const clear = (by: TestClient, id: number) => by.send(clearBinding, { params: { id, binding: "github" } });
      assert.equal((await clear(admin.client, user.id)).envelope?.success, true);
      assert.equal((await client.send(getSelf)).status, 401);
      assert.deepEqual(await boundTo(await testApp.clientOf(user.id)), []);
      assert.deepEqual(await actionsOn(user.id), [["user.clear-binding", admin.user.id]]);
      const equal = await testApp.logInAs("admin");
      const root = await testApp.logInAs("root");
      const bystander = await somebody(["github"]);
      for (const [by, id] of [
        [admin.client, equal.user.id],
        [admin.client, root.user.id],
        [root.client, root.user.id],
        [bystander.client, user.id],
      ] as const)
        assert.equal((await clear(by, id)).status, 403);
      assert.equal((await clear(admin.client, 999_999)).envelope?.code, "user-not-found");
      assert.deepEqual(await boundTo(bystander.client), ["github"]);
    });

    test("another site cannot unbind, and unknown bindings are refused", async () => {
      const { client } = await somebody(["github"], { password: "correct horse" });
      const headers = { "sec-fetch-site": "cross-site" };
      const crossSite = await client.send(unbind, { params: { binding: "github" }, headers });
      assert.equal(crossSite.envelope?.code, "foreign-origin");
      for (const binding of ["password_hash", "role", "github_id"])
        assert.equal((await client.send(unbind, { params: { binding } })).envelope?.code, "invalid-input");
      assert.deepEqual(await boundTo(client), ["github"]);
    });
  });
}
