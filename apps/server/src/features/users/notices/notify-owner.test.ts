import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { clearBinding, unbind } from "@one-api/contract/accounts/binding";
import * as factors from "@one-api/contract/accounts/factor";
import { bindWeChat } from "@one-api/contract/accounts/oauth";
import {
  bindEmail,
  resetPassword,
  sendPasswordReset,
  sendVerificationCode,
} from "@one-api/contract/accounts/registration";
import { createAccessToken, getSelf, updateSelf } from "@one-api/contract/accounts/user";
import { updateUser } from "@one-api/contract/accounts/user-management";
import { DATABASE_KINDS, whyMissing } from "@one-api/database/test-databases";
import {
  type IdentityProvider,
  settingsFor,
  startIdentityProvider,
} from "@one-api/stub-server/people/start-identity-provider";
import { type MailServer, startMailServer } from "@one-api/stub-server/people/start-mail-server";
import { TOTP } from "otpauth";
import { createTestApp, type TestApp, type TestLogin } from "../../../testing/create-test-app.ts";
import { createTestAuthenticator } from "../../../testing/create-test-authenticator.ts";
import { mailOptions, setOptions } from "../../../testing/set-options.ts";
import { mailMessageSchema } from "../../mail/index.ts";
import { mailText } from "../../mail/mail-message.ts";

const PASSWORD = "correct horse";

for (const kind of DATABASE_KINDS) {
  describe(`the owner's notices on ${kind}`, { skip: whyMissing(kind) ?? false }, () => {
    let testApp: TestApp;
    let provider: IdentityProvider;
    let mails: MailServer;
    let admin: TestLogin;
    before(async () => {
      [testApp, provider, mails] = await Promise.all([
        createTestApp({ kind }),
        startIdentityProvider(),
        startMailServer(),
      ]);
      await setOptions(testApp, { ...settingsFor(provider), ...mailOptions(mails), SystemName: "Acme" });
      admin = await testApp.logInAs("admin");
    });
    after(() => Promise.all([testApp.close(), provider.close(), mails.close()]));
    let people = 0;

    const somebody = async () => {
      people += 1;
      const email = `person${people}@example.com`;
      return { email, ...(await testApp.logInAs("user", { email, password: PASSWORD, username: `person${people}` })) };
    };
    /** Texts of sent and queued mails to the address; one being sent may occur twice. */
    const toldTo = async (email: string) => {
      const rows = await testApp.database.db
        .selectFrom("outbox")
        .select(["recipient", "message"])
        .where("recipient", "=", email)
        .orderBy("id")
        .execute();
      const waiting = rows.map(({ message }) => mailText(mailMessageSchema.parse(JSON.parse(message))));
      const arrived = mails.mails.filter(({ recipients }) => recipients.includes(email)).map(({ text }) => text);
      return [...arrived, ...waiting].join("\n");
    };
    const proof = { password: PASSWORD };

    test("report a password set by the user, an administrator or a mail", async () => {
      const { client, email } = await somebody();
      await client.data(updateSelf, { body: { password: "another horse" } });
      const told = await toldTo(email);
      assert.match(told, /Hello person\d+, the password of your account was changed\./);
      assert.match(told, /This was at \d{4}-\d\d-\d\d \d\d:\d\d UTC, from 127\.0\.0\.1\./);
      assert.match(told, /https:\/\/gateway\.example\/setting/);
      assert.ok(!told.includes("another horse"));
      const second = await somebody();
      await admin.client.data(updateUser, { body: { id: second.user.id, password: "third horse" } });
      assert.match(await toldTo(second.email), /changed\.\s+This was at .* UTC, by an administrator\./);
      const third = await somebody();
      await testApp.client().data(sendPasswordReset, { query: { email: third.email } });
      const link = /token=(\w+)/.exec((await mails.nextTo(third.email)).text);
      await testApp.client().data(resetPassword, { body: { email: third.email, token: link?.[1] ?? "" } });
      assert.match(await toldTo(third.email), /the password of your account was changed/);
    });

    test("report an address, to the old and the new one, and its removal", async () => {
      const { client, email, user } = await somebody();
      const next = `next-${email}`;
      await client.data(sendVerificationCode, { query: { email: next } });
      const code = /\b\d{8}\b/.exec((await mails.nextTo(next)).text)?.[0] ?? "";
      await client.data(bindEmail, { query: { email: next, code } });
      for (const address of [email, next])
        assert.ok((await toldTo(address)).includes(`the e-mail address of your account is now ${next}`), address);
      const audit = await testApp.database.db
        .selectFrom("audit")
        .select("detail")
        .where("action", "=", "user.bind-email")
        .where("object", "=", `user:${user.id}`)
        .executeTakeFirstOrThrow();
      assert.deepEqual(JSON.parse(audit.detail), { email: { from: email, to: next } });
      await client.data(unbind, { params: { binding: "email" } });
      assert.ok((await toldTo(next)).includes(`${next} was unbound from your account`));
    });

    test("report a provider account that is bound or unbound, also by an administrator", async () => {
      const { client, email, user } = await somebody();
      const bind = () => client.data(bindWeChat, { query: { code: provider.issueCode({ id: user.id, name: "" }) } });
      await bind();
      assert.match(await toldTo(email), /WeChat was bound to your account and can log in to it/);
      await client.data(unbind, { params: { binding: "wechat" } });
      assert.match(await toldTo(email), /WeChat was unbound from your account.\s+This was at .*, from/);
      await bind();
      await admin.client.data(clearBinding, { params: { id: user.id, binding: "wechat" } });
      assert.match(await toldTo(email), /WeChat was unbound from your account.\s+This was at .*, by an administrator/);
    });

    test("report second factors and recovery codes, without secrets", async () => {
      const { client, email, user } = await somebody();
      const { manual_entry: key } = await client.data(factors.beginTotp, { body: { proof } });
      const code = () => {
        testApp.clock.advanceSeconds(30);
        return new TOTP({ secret: key }).generate({ timestamp: testApp.clock.nowMs() });
      };
      const { recovery_codes: first } = await client.data(factors.confirmTotp, { body: { code: code() } });
      assert.match(await toldTo(email), /an authenticator app was added/);
      const renewed = { proof: { password: PASSWORD, code: code() } };
      const { recovery_codes: second } = await client.data(factors.createRecoveryCodes, { body: renewed });
      assert.match(await toldTo(email), /new recovery codes were made/);
      await client.data(factors.removeTotp, { body: { proof: { password: PASSWORD, code: code() } } });
      assert.match(await toldTo(email), /the authenticator app of your account was removed/);
      await admin.client.data(factors.resetFactors, { params: { id: user.id } });
      const told = await toldTo(email);
      assert.match(told, /all second factors of your account were removed.\s+This was at .*, by an administrator/);
      for (const secret of [key, ...first, ...second]) assert.ok(!told.includes(secret));
    });

    test("report passkeys by name", async () => {
      const { client, email } = await somebody();
      const device = createTestAuthenticator();
      const question = await client.data(factors.beginPasskey, { body: { proof } });
      const { passkey } = await client.data(factors.addPasskey, {
        body: { name: "My phone", ...device.make(question) },
      });
      assert.match(await toldTo(email), /the passkey "My phone" was added/);
      const answer = device.answer(await client.data(factors.askProofPasskey));
      const body = { proof: { password: PASSWORD, passkey: answer } };
      await client.data(factors.removePasskey, { params: { id: passkey.id }, body });
      assert.match(await toldTo(email), /the passkey "My phone" of your account was removed/);
    });

    test("report an access token, a few times an hour, in the owner's language", async () => {
      // The server does not answer, so all mails wait.
      await setOptions(testApp, { SMTPPort: "1", SMTPToken: mails.password });
      const { client, email } = await somebody();
      await client.data(getSelf, { headers: { "accept-language": "zh-CN" } });
      const tokens: string[] = [];
      for (let made = 0; made < 7; made += 1) tokens.push(await client.data(createAccessToken));
      const told = await toldTo(email);
      assert.equal(told.match(/您的账户已生成系统访问令牌/g)?.length, 5);
      for (const token of tokens) assert.ok(!told.includes(token));
      testApp.clock.advanceSeconds(3_600);
      await client.data(createAccessToken);
      assert.equal((await toldTo(email)).match(/系统访问令牌/g)?.length, 6);
    });

    test("are not sent without mail or an address", async () => {
      await setOptions(testApp, { SMTPToken: "" });
      const { client, email } = await somebody();
      await client.data(createAccessToken);
      await setOptions(testApp, { SMTPToken: mails.password });
      assert.equal(await toldTo(email), "");
      const { client: silent } = await testApp.logInAs("user");
      await silent.data(createAccessToken);
    });
  });
}
