import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import * as calls from "@one-api/contract/accounts/invitation";
import { enterWithGitHub, enterWithWeChat, getOAuthState } from "@one-api/contract/accounts/oauth";
import { readInvitation, register } from "@one-api/contract/accounts/registration";
import { deleteSelf, getInviteCode } from "@one-api/contract/accounts/registration";
import { getSelf, login } from "@one-api/contract/accounts/user";
import { DATABASE_KINDS, whyMissing } from "@one-api/database/test-databases";
import {
  type IdentityProvider,
  settingsFor,
  startIdentityProvider,
} from "@one-api/stub-server/people/start-identity-provider";
import { checkBalances } from "@one-api/ledger/check-balances";
import { createTestApp, type TestApp, type TestLogin } from "../../testing/create-test-app.ts";
import { setOptions } from "../../testing/set-options.ts";

const DAY_SECONDS = 86_400;

for (const kind of DATABASE_KINDS) {
  describe(`sign-up by invitation on ${kind}`, { skip: whyMissing(kind) ?? false }, () => {
    let testApp: TestApp;
    let provider: IdentityProvider;
    let admin: TestLogin;
    before(async () => {
      [testApp, provider] = await Promise.all([createTestApp({ kind }), startIdentityProvider()]);
      await setOptions(testApp, {
        InvitationRequired: "true",
        QuotaForNewUser: "100",
        ...settingsFor(provider),
      });
    });
    beforeEach(async () => {
      await testApp.database.db.deleteFrom("request_counts").execute();
      admin = await testApp.logInAs("admin");
    });
    after(() => Promise.all([testApp.close(), provider.close()]));

    const PASSWORD = "correct horse";
    const invite = async (input: object = {}) => {
      const [code = ""] = await admin.client.data(calls.createInvitations, { body: { name: "guest", ...input } });
      return code;
    };
    const signUp = async (username: string, invitation: string, more: object = {}) =>
      (await testApp.client().send(register, { body: { username, password: PASSWORD, invitation, ...more } })).envelope;
    // Longer than a session.
    const passDay = async () => {
      testApp.clock.advanceSeconds(DAY_SECONDS);
      admin = await testApp.logInAs("admin");
    };
    const find = async (code: string) => {
      const list = await admin.client.data(calls.listInvitations, { query: { size: 100 } });
      return list.find((invitation) => invitation.code === code);
    };

    test("is required for a new account, and a user's invite code does not replace it", async () => {
      const aff_code = await (await testApp.logInAs("user")).client.data(getInviteCode);
      for (const more of [{}, { aff_code }])
        assert.equal((await signUp("nobody", "", more))?.code, "invitation-missing");
      assert.equal((await signUp("nobody", aff_code))?.code, "invitation-wrong");
      const client = testApp.client();
      const state = await client.data(getOAuthState);
      const byGitHub = { query: { code: provider.issueCode({ id: 1, name: "Octo" }), state } };
      assert.equal((await client.send(enterWithGitHub, byGitHub)).envelope?.code, "invitation-missing");
      const byWeChat = { query: { code: provider.issueCode({ id: 1, name: "" }) } };
      assert.equal((await client.send(enterWithWeChat, byWeChat)).envelope?.code, "invitation-missing");
      assert.equal((await client.send(getSelf)).status, 401);
    });

    test("gives its group and quota to one user, whom the list names", async () => {
      const code = await invite({ group: "vip", quota: 5_000, days: 3, name: "Ada" });
      assert.equal((await signUp("ada", code))?.success, true);
      const client = testApp.client();
      await client.data(login, { body: { username: "ada", password: PASSWORD } });
      const user = await client.data(getSelf);
      assert.deepEqual([user.group, user.quota], ["vip", 5_100]);
      const now = Math.floor(testApp.clock.nowMs() / 1000);
      const { id: _id, code: _code, ...invitation } = (await find(code)) ?? { id: 0, code: "" };
      assert.deepEqual(invitation, {
        name: "Ada",
        group: "vip",
        quota: 5_000,
        created_at: now,
        created_by: admin.user.username,
        expires_at: now + 3 * DAY_SECONDS,
        used_at: now,
        used_by: "ada",
      });
      assert.equal((await signUp("second", code))?.code, "invitation-wrong");
      await client.data(deleteSelf);
      assert.equal((await signUp("third", code))?.code, "invitation-wrong", "the account's end frees nothing");
      assert.equal((await find(code))?.used_by, "");
      assert.deepEqual(await checkBalances(testApp.database), []);
    });

    test("tells the invited who invites, until when and with which balance, while it is open", async () => {
      const code = await invite({ quota: 400, days: 2 });
      const read = (asked: string) => testApp.client().send(readInvitation, { query: { code: asked } });
      const found = (await read(code)).envelope?.data;
      const expires_at = (await find(code))?.expires_at;
      assert.deepEqual(found, { invited_by: admin.user.username, expires_at, quota: 500 });
      assert.equal((await read(`${code}x`)).envelope?.code, "invitation-wrong");
      assert.equal((await signUp("welcome", code))?.success, true);
      assert.equal((await read(code)).envelope?.code, "invitation-wrong");
      const second = await invite({ days: 1 });
      await passDay();
      assert.equal((await read(second)).envelope?.code, "invitation-wrong");
    });

    test("passes through a provider's login, and known users need none", async () => {
      const code = await invite({ quota: 7 });
      const client = testApp.client();
      const state = await client.data(getOAuthState, { query: { provider: "github", invitation: code } });
      const octo = () => provider.issueCode({ id: 42, name: "Octo" });
      await client.data(enterWithGitHub, { query: { code: octo(), state } });
      const user = await client.data(getSelf);
      assert.deepEqual([user.quota, (await find(code))?.used_by], [107, user.username]);
      const again = testApp.client();
      await again.data(enterWithGitHub, { query: { code: octo(), state: await again.data(getOAuthState) } });
      assert.equal((await again.data(getSelf)).id, user.id);
      const weChat = testApp.client();
      const query = { code: provider.issueCode({ id: 43, name: "" }), invitation: await invite() };
      await weChat.data(enterWithWeChat, { query });
      assert.match((await weChat.data(getSelf)).username, /^wechat_/);
    });

    test("used in two windows creates one account, which both are logged in to", async () => {
      const invitation = await invite();
      const windows = await Promise.all(
        [testApp.client(), testApp.client()].map(async (client) => {
          const state = await client.data(getOAuthState, { query: { provider: "github", invitation } });
          return { client, query: { code: provider.issueCode({ id: 77, name: "Octo" }), state } };
        }),
      );
      await Promise.all(windows.map(({ client, query }) => client.data(enterWithGitHub, { query })));
      const [first, second] = await Promise.all(windows.map(({ client }) => client.data(getSelf)));
      assert.equal(first?.id, second?.id);
    });

    test("is accepted for one of four concurrent sign-ups", async () => {
      const code = await invite({ quota: 1_000 });
      const names = Array.from({ length: 4 }, (_, index) => `racer${index}`);
      const answers = await Promise.all(names.map((name) => signUp(name, code)));
      assert.deepEqual(
        answers.map((answer) => answer?.code ?? "in").sort(),
        [...Array.from({ length: 3 }, () => "invitation-wrong"), "in"].sort(),
      );
      const made = await testApp.database.db
        .selectFrom("users")
        .select("username")
        .where("username", "like", "racer%")
        .execute();
      assert.deepEqual(
        made.map(({ username }) => username),
        [(await find(code))?.used_by],
      );
      assert.deepEqual(await checkBalances(testApp.database), []);
    });

    test("stays unused after a failed sign-up", async () => {
      const code = await invite();
      await testApp.logInAs("user", { username: "taken" });
      assert.equal((await signUp("taken", code))?.code, "user-username-taken");
      assert.equal((await find(code))?.used_at, 0);
      assert.equal((await signUp("free", code))?.success, true);
    });

    test("that is expired, withdrawn or wrong is refused, also where none is required", async () => {
      const [expired, withdrawn, good] = [await invite({ days: 1 }), await invite({ days: 30 }), await invite()];
      const id = (await find(withdrawn))?.id ?? 0;
      await admin.client.data(calls.deleteInvitation, { params: { id } });
      await passDay();
      for (const required of ["true", "false"]) {
        await setOptions(testApp, { InvitationRequired: required });
        for (const code of [expired, withdrawn, good.toLowerCase(), "%"])
          assert.equal((await signUp("late", code))?.code, "invitation-wrong", code);
      }
      await setOptions(testApp, { InvitationRequired: "true" });
      assert.equal((await signUp("late", good))?.success, true);
    });

    test("can be searched and filtered, and stays after its use", async () => {
      const { total, states } = await listBy({ keyword: "lIst%_" });
      assert.deepEqual([total, states], ["0", []]);
      const open = await invite({ name: "list%_open", count: 2 });
      const used = await invite({ name: "list%_used" });
      await signUp("lister", used);
      const gone = await invite({ name: "list%_gone", days: 1 });
      await passDay();
      assert.ok(open !== gone);
      assert.equal((await listBy({ keyword: "lIst%_" })).total, "4");
      assert.equal((await listBy({ keyword: "lIst%_", state: "open" })).total, "2");
      assert.equal((await listBy({ keyword: "lister", state: "used" })).total, "1");
      assert.equal((await listBy({ keyword: "list%_", state: "expired" })).total, "1");
      const id = (await find(used))?.id ?? 0;
      for (const [wanted, code] of [
        [id, "invitation-used"],
        [999_999, "invitation-not-found"],
      ] as const)
        assert.equal(
          (await admin.client.send(calls.deleteInvitation, { params: { id: wanted } })).envelope?.code,
          code,
        );
    });

    async function listBy(query: Record<string, string>) {
      const answer = await admin.client.send(calls.listInvitations, { query });
      const data = calls.listInvitations.data.parse(answer.envelope?.data);
      return { total: answer.headers["x-total-count"], states: data.map(({ name }) => name) };
    }

    test("is encrypted and audited; an unknown group is refused", async () => {
      const code = await invite({ name: "audited", quota: 9 });
      const id = (await find(code))?.id ?? 0;
      await admin.client.data(calls.deleteInvitation, { params: { id } });
      const { db } = testApp.database;
      const audit = await db
        .selectFrom("audit")
        .select(["action", "actor_name", "detail"])
        .where("object", "=", `invitation:${id}`)
        .orderBy("id")
        .execute();
      assert.deepEqual(
        audit.map(({ action, actor_name }) => [action, actor_name]),
        [
          ["invitation.create", admin.user.username],
          ["invitation.delete", admin.user.username],
        ],
      );
      const other = await invite();
      const rows = await db.selectFrom("invitations").selectAll().execute();
      for (const text of [JSON.stringify(rows), JSON.stringify(audit)])
        assert.ok(![code, other].some((secret) => text.includes(secret)));
      const answer = await admin.client.send(calls.createInvitations, { body: { name: "x", group: "nowhere" } });
      assert.deepEqual([answer.envelope?.code, answer.envelope?.field], ["user-group-unknown", "group"]);
    });
  });
}
