import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { unbind } from "@one-api/contract/accounts/binding";
import { enterWithGitHub, getOAuthState } from "@one-api/contract/accounts/oauth";
import {
  bindEmail,
  deleteSelf,
  getInviteCode,
  register,
  sendVerificationCode,
} from "@one-api/contract/accounts/registration";
import { getSelf, login } from "@one-api/contract/accounts/user";
import { manageUser } from "@one-api/contract/accounts/user-management";
import { DATABASE_KINDS, whyMissing } from "@one-api/database/test-databases";
import {
  type IdentityProvider,
  settingsFor,
  startIdentityProvider,
} from "@one-api/stub-server/people/start-identity-provider";
import { type MailServer, startMailServer } from "@one-api/stub-server/people/start-mail-server";
import { checkBalances } from "@one-api/ledger/check-balances";
import { createTestApp, type TestApp } from "../../testing/create-test-app.ts";
import { mailOptions, setOptions } from "../../testing/set-options.ts";
import type { TestClient } from "../../testing/test-client.ts";
import { rememberAllIdentities } from "../users/index.ts";

const password = "correct horse";
const [NEW_USER, INVITEE, INVITER] = [5_000, 1_000, 2_000];

for (const kind of DATABASE_KINDS) {
  describe(`the quota of new users on ${kind}`, { skip: whyMissing(kind) ?? false }, () => {
    let testApp: TestApp;
    let mailServer: MailServer;
    let provider: IdentityProvider;
    let names = 0;
    before(async () => {
      [testApp, mailServer, provider] = await Promise.all([
        createTestApp({ kind }),
        startMailServer(),
        startIdentityProvider(),
      ]);
      await setOptions(testApp, {
        ...mailOptions(mailServer),
        ...settingsFor(provider),
        EmailVerificationEnabled: "true",
        QuotaForNewUser: String(NEW_USER),
        QuotaForInvitee: String(INVITEE),
        QuotaForInviter: String(INVITER),
      });
    });
    // Limits of mails and registrations do not matter here.
    beforeEach(() => testApp.clock.advanceSeconds(86_400));
    after(async () => {
      assert.deepEqual(await checkBalances(testApp.database), []);
      await Promise.all([testApp.close(), mailServer.close(), provider.close()]);
    });

    const quotaOf = async (client: TestClient) => (await client.data(getSelf)).quota;
    const codeFor = async (email: string) => {
      const seen = mailServer.mails.length;
      await testApp.client().data(sendVerificationCode, { query: { email } });
      return /\b\d{8}\b/.exec((await mailServer.nextTo(email.toLowerCase(), seen, /\b\d{8}\b/)).text)?.[0] ?? "no code";
    };
    const signUp = async (email: string, inviteCode = "") => {
      const username = `person${(names += 1)}`;
      const body = { username, password, email, verification_code: await codeFor(email), aff_code: inviteCode };
      await testApp.client().data(register, { body });
      const client = testApp.client();
      await client.data(login, { body: { username, password } });
      return client;
    };
    const comeFromGitHub = async (client: TestClient, id: number) => {
      const query = { code: provider.issueCode({ id, name: "Mia" }), state: await client.data(getOAuthState) };
      await client.data(enterWithGitHub, { query });
      return client;
    };

    test("is granted once for a mailbox, with the referral bonuses, after any number of deletions", async () => {
      const inviter = await signUp("inviter@example.com");
      const code = await inviter.data(getInviteCode);
      const quotaAtFirst = await quotaOf(inviter);
      const received: number[] = [];
      for (const email of ["same@gmail.com", "SAME@gmail.com", "s.ame+2@googlemail.com"]) {
        const client = await signUp(email, code);
        received.push(await quotaOf(client));
        await client.data(deleteSelf);
      }
      assert.deepEqual(received, [NEW_USER + INVITEE, 0, 0]);
      assert.equal((await quotaOf(inviter)) - quotaAtFirst, INVITER);
      const gifts = await testApp.database.db
        .selectFrom("logs")
        .select("content")
        .where("content", "like", "Quota for inviting%")
        .execute();
      assert.equal(gifts.length, 1, "the log tells of no quota that nobody received");
    });

    test("is not granted for an alias, nor after an administrator's deletion", async () => {
      assert.equal(await quotaOf(await signUp("alias@example.com")), NEW_USER);
      const other = await signUp("alias+2@example.com");
      assert.equal(await quotaOf(other), 0);
      const { client: root } = await testApp.logInAs("root");
      const { username } = await other.data(getSelf);
      await root.data(manageUser, { body: { username, action: "delete" } });
      assert.equal(await quotaOf(await signUp("alias+2@example.com")), 0);
    });

    test("is granted once for a provider account", async () => {
      const client = await comeFromGitHub(testApp.client(), 801);
      assert.equal(await quotaOf(client), NEW_USER);
      await client.data(deleteSelf);
      assert.equal(await quotaOf(await comeFromGitHub(testApp.client(), 801)), 0);
      assert.equal(await quotaOf(await comeFromGitHub(testApp.client(), 802)), NEW_USER);
    });

    test("is not granted for former bindings of an account", async () => {
      const client = await signUp("first@example.com");
      await comeFromGitHub(client, 811);
      await client.data(unbind, { params: { binding: "github" } });
      await comeFromGitHub(client, 812);
      await comeFromGitHub(client, 813);
      const email = "second@example.com";
      await client.data(bindEmail, { query: { email, code: await codeFor(email) } });
      await client.data(deleteSelf);
      for (const id of [811, 812, 813]) assert.equal(await quotaOf(await comeFromGitHub(testApp.client(), id)), 0);
      for (const address of ["first@example.com", email]) assert.equal(await quotaOf(await signUp(address)), 0);
    });

    test("is granted once for two concurrent sign-ups of a mailbox", async () => {
      const clients = await Promise.all([signUp("twin+1@example.com"), signUp("twin+2@example.com")]);
      const received = await Promise.all(clients.map(quotaOf));
      assert.deepEqual(new Set(received), new Set([0, NEW_USER]));
    });

    test("is not granted again to accounts of older versions", async () => {
      const { client } = await testApp.logInAs("user", { email: "old@example.com" });
      await testApp.database.db.deleteFrom("known_identities").execute();
      await rememberAllIdentities(testApp.deps);
      await client.data(deleteSelf);
      assert.equal(await quotaOf(await signUp("old+1@example.com")), 0);
    });

    test("leaves no readable identity", async () => {
      await signUp("secret-name@example.com");
      const rows = await testApp.database.db.selectFrom("known_identities").selectAll().execute();
      assert.doesNotMatch(JSON.stringify(rows), /secret-name|example\.com/);
      for (const { identity_hmac } of rows) assert.match(identity_hmac, /^[0-9a-f]{64}$/);
    });
  });
}
