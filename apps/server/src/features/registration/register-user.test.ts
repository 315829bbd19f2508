import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { TOKEN_KEY_LENGTH } from "@one-api/contract/constants";
import { updateOption } from "@one-api/contract/options/option";
import { getInviteCode, register, sendVerificationCode } from "@one-api/contract/accounts/registration";
import { listTokens } from "@one-api/contract/token";
import { NEVER_EXPIRES, TOKEN_STATUS } from "@one-api/contract/token-constants";
import { createUser } from "@one-api/contract/accounts/user-management";
import { getSelf, login } from "@one-api/contract/accounts/user";
import { DATABASE_KINDS, openTestDatabase, whyMissing } from "@one-api/database/test-databases";
import { type IdentityProvider, startIdentityProvider } from "@one-api/stub-server/people/start-identity-provider";
import { type MailServer, startMailServer } from "@one-api/stub-server/people/start-mail-server";
import { nowSeconds } from "../../platform/clock.ts";
import { checkBalances } from "@one-api/ledger/check-balances";
import { createTestApp, type TestApp } from "../../testing/create-test-app.ts";
import { mailOptions, setOptions } from "../../testing/set-options.ts";

const password = "correct horse";

for (const kind of DATABASE_KINDS) {
  describe(`registration on ${kind}`, { skip: whyMissing(kind) ?? false }, () => {
    let testApp: TestApp;
    let mailServer: MailServer;
    let human: IdentityProvider;
    before(async () => {
      [testApp, mailServer, human] = await Promise.all([
        createTestApp({ kind }),
        startMailServer(),
        startIdentityProvider(),
      ]);
      await setOptions(testApp, mailOptions(mailServer));
    });
    after(async () => {
      assert.deepEqual(await checkBalances(testApp.database), []);
      await Promise.all([testApp.close(), mailServer.close(), human.close()]);
    });

    const set = (options: Record<string, string>) => setOptions(testApp, options);
    const tryRegister = (body: Record<string, unknown>, query: Record<string, string> = {}) =>
      testApp.client().send(register, { body: { password, ...body }, query });
    const enter = async (username: string) => {
      const client = testApp.client();
      await client.data(login, { body: { username, password } });
      return client;
    };
    const askCode = (email: string) => testApp.client().send(sendVerificationCode, { query: { email } });
    const codeFor = async (email: string) => {
      const seen = mailServer.mails.length;
      assert.equal((await askCode(email)).envelope?.success, true);
      const { text } = await mailServer.nextTo(email, seen);
      return /\b\d{8}\b/.exec(text)?.[0] ?? "no code";
    };
    const later = () => testApp.clock.advanceSeconds(3600);

    test("creates an account without logging in [CALL-14]", async () => {
      const answer = await tryRegister({ username: "mia", password2: password });
      assert.equal(answer.envelope?.success, true, answer.text);
      assert.equal(answer.headers["set-cookie"], undefined);
      const self = await (await enter("mia")).data(getSelf);
      assert.deepEqual([self.display_name, self.role, self.status, self.quota], ["mia", 1, 1, 0]);
    });

    test("creates a token that never expires, with the account's quota", async () => {
      await tryRegister({ username: "first" });
      const { client: admin } = await testApp.logInAs("admin");
      await admin.data(createUser, { body: { username: "second", password } });
      for (const username of ["first", "second"]) {
        const tokens = await (await enter(username)).data(listTokens);
        assert.deepEqual(
          tokens.map((token) => [
            token.name,
            token.status,
            token.unlimited_quota,
            token.expired_time,
            token.key.length,
          ]),
          [["default", TOKEN_STATUS.enabled, true, NEVER_EXPIRES, TOKEN_KEY_LENGTH]],
        );
      }
      const { client: root } = await testApp.logInAs("root");
      assert.deepEqual(await root.data(listTokens), []);
    });

    test("[V10] ignores fields that a user must not set", async () => {
      const wish = { role: 100, quota: 9_000_000, group: "vip", status: 1, id: 1, github_id: "1", inviter_id: 1 };
      await tryRegister({ username: "greedy", email: "victim@example.com", ...wish });
      const self = await (await enter("greedy")).data(getSelf);
      assert.deepEqual([self.role, self.quota, self.group, self.github_id], [1, 0, "default", ""]);
      assert.equal(self.email, "", "an address that nobody has proven is not kept");
    });

    test("refuses invalid fields by name [REG-17] [REG-18]", async () => {
      const refusals = [
        [{ username: "short", password: "1234567" }, "Password length must not be less than 8 characters!"],
        [{ username: "other", password2: "another one" }, "The two passwords entered do not match"],
        [{ username: "root" }, "This username is taken. Choose another one."],
        [{ username: "" }, "username must not be empty."],
        [{ username: "a@b.example" }, "username must not contain an @."],
        [{ username: "a\nb" }, "username must be one line without control characters."],
      ] as const;
      for (const [body, message] of refusals)
        assert.equal((await tryRegister(body)).envelope?.message, message, JSON.stringify(body));
    });

    test("of one name by concurrent calls creates one account", async () => {
      later();
      const answers = await Promise.all(Array.from({ length: 6 }, () => tryRegister({ username: "twin" })));
      assert.equal(answers.filter(({ envelope }) => envelope?.success).length, 1);
    });

    test("[CALL-26] grants quota to new, invited and inviting users, with log entries", async () => {
      later();
      await set({ QuotaForNewUser: "1000", QuotaForInvitee: "200", QuotaForInviter: "30" });
      const { client, user } = await testApp.logInAs("user", { quota: 5 });
      const code = await client.data(getInviteCode);
      assert.equal(await client.data(getInviteCode), code, "a code stays the same");
      await tryRegister({ username: "invited", aff_code: code });
      await tryRegister({ username: "alone", aff_code: "nobody's code" });
      const quotaOf = async (name: string) => (await (await enter(name)).data(getSelf)).quota;
      assert.deepEqual([await quotaOf("invited"), await quotaOf("alone")], [1200, 1000]);
      assert.equal((await client.data(getSelf)).quota, 35);
      const rows = await testApp.database.db
        .selectFrom("logs")
        .select(["username", "type", "content"])
        .where("username", "in", ["invited", user.username])
        .orderBy("id")
        .execute();
      assert.deepEqual(rows, [
        { username: "invited", type: 4, content: "Quota for new users: $0.002000." },
        { username: "invited", type: 4, content: "Quota for using an invite code: $0.000400." },
        { username: user.username, type: 4, content: "Quota for inviting invited: $0.000060." },
      ]);
      await set({ QuotaForNewUser: "0", QuotaForInvitee: "0", QuotaForInviter: "0" });
    });

    test("[CALL-15] requires the mailed code if verification is on; it works once", async () => {
      later();
      await set({ EmailVerificationEnabled: "true" });
      assert.equal((await tryRegister({ username: "ann" })).envelope?.code, "email-missing");
      const code = await codeFor("ann@example.com");
      const body = { username: "ann", email: "Ann@Example.com", verification_code: code };
      const wrong = { ...body, verification_code: code === "00000000" ? "00000001" : "00000000" };
      assert.equal((await tryRegister(wrong)).envelope?.code, "email-code-wrong");
      assert.equal((await tryRegister({ ...body, email: "eve@example.com" })).envelope?.code, "email-code-wrong");
      assert.equal((await tryRegister({ ...body, username: "root" })).envelope?.code, "user-username-taken");
      assert.equal((await tryRegister(body)).envelope?.success, true, "a taken name has not used the code up");
      assert.equal((await (await enter("ann@example.com")).data(getSelf)).email, "ann@example.com");
      assert.equal((await tryRegister({ ...body, username: "ann2" })).envelope?.code, "email-code-wrong");
    });

    test("[V23] a code is invalid after five wrong tries, ten minutes or a new code, and survives a restart", async () => {
      later();
      const email = "tries@example.com";
      const code = await codeFor(email);
      const tryCode = async (verification_code: string) =>
        (await tryRegister({ username: "tries", email, verification_code })).envelope?.code;
      for (let attempt = 0; attempt < 5; attempt += 1) assert.equal(await tryCode("wrong"), "email-code-wrong");
      assert.equal(await tryCode(code), "email-code-wrong");
      const second = await codeFor(email);
      testApp.clock.advanceSeconds(600);
      assert.equal(await tryCode(second), "email-code-wrong");
      const third = await codeFor(email);
      const fourth = await codeFor(email);
      if (third !== fourth) assert.equal(await tryCode(third), "email-code-wrong");
      const stored = await testApp.database.db.selectFrom("email_codes").select(["code_hash", "email"]).execute();
      assert.doesNotMatch(JSON.stringify(stored), new RegExp(`"${fourth}"`));
      assert.equal(await tryCode(fourth), undefined);
    });

    test("[V23] concurrent guesses are counted one by one", async () => {
      later();
      const email = "race@example.com";
      const code = await codeFor(email);
      const wrong = Array.from({ length: 12 }, (_, index) => `wrong-${index}`);
      await Promise.all(wrong.map((verification_code) => tryRegister({ username: "racer", email, verification_code })));
      assert.equal(
        (await tryRegister({ username: "racer", email, verification_code: code })).envelope?.code,
        "email-code-wrong",
      );
    });

    test("[V23] of two concurrent uses of a code one succeeds", async () => {
      later();
      const email = "twins@example.com";
      const verification_code = await codeFor(email);
      const twins = ["castor", "pollux"].map((username) => tryRegister({ username, email, verification_code }));
      const codes = (await Promise.all(twins)).map(({ envelope }) => envelope?.code ?? "in");
      assert.deepEqual(codes.toSorted(), ["email-code-wrong", "in"]);
    });

    test("does not reveal registered addresses, whose owners get a mail without a code", async () => {
      later();
      const seen = mailServer.mails.length;
      const [free, taken] = [await askCode("free@example.com"), await askCode("ann@example.com")];
      assert.equal(free.text, taken.text);
      const mail = await mailServer.nextTo("ann@example.com", seen);
      assert.match(mail.text, /belongs to an account already/);
      assert.doesNotMatch(mail.text, /\d{8}/);
    });

    test("accepts addresses of allowed domains only", async () => {
      later();
      await set({ EmailDomainWhitelist: "example.com,Mail.test", EmailDomainRestrictionEnabled: "true" });
      for (const email of ["a@evil.example", "a@example.com.evil.example", "a@sub.example.com"])
        assert.equal((await askCode(email)).envelope?.code, "email-domain-refused", email);
      assert.equal((await askCode("b@MAIL.TEST")).envelope?.success, true);
      const body = { username: "outside", email: "a@evil.example", verification_code: "1" };
      assert.equal((await tryRegister(body)).envelope?.code, "email-domain-refused");
      await set({ EmailDomainRestrictionEnabled: "false" });
    });

    test("puts nothing of an address into headers or other mails", async () => {
      later();
      const seen = mailServer.mails.length;
      for (const email of ["a@example.com\r\nBcc: b@example.com", "a@example.com,b@example.com", "a@example.com>"])
        assert.equal((await askCode(email)).status, 400, email);
      assert.equal((await askCode("plain@example.com")).envelope?.success, true);
      const mail = await mailServer.nextTo("plain@example.com", seen);
      assert.deepEqual(mail.recipients, ["plain@example.com"]);
      assert.equal(mailServer.mails.length, seen + 1);
    });

    test("limits the mails to one address", async () => {
      later();
      for (let mail = 0; mail < 5; mail += 1) await askCode("flood@example.com");
      const refused = await askCode("flood@example.com");
      assert.deepEqual([refused.status, refused.headers["retry-after"]], [429, "600"]);
      assert.equal((await askCode("calm@example.com")).status, 200);
      testApp.clock.advanceSeconds(600);
      assert.equal((await askCode("flood@example.com")).status, 200);
    });

    test("[V23] stores no code without a mail, which could only be guessed", async () => {
      later();
      const email = "guessed@example.com";
      const seen = mailServer.mails.length;
      const { db } = testApp.database;
      const ends_at = nowSeconds(testApp.clock) + 60;
      await db
        .insertInto("request_counts")
        .values({ subject: `mails-to:${email}`, made: 59, ends_at })
        .execute();
      const texts = [(await askCode(email)).text, (await askCode(email)).text];
      assert.equal(texts[0], texts[1], "who asks sees no difference");
      const codes = await db.selectFrom("email_codes").select("email").where("email", "=", email).execute();
      assert.deepEqual([codes.length, mailServer.mails.length - seen], [1, 1]);
    });

    test("limits the mails of one network", async () => {
      later();
      assert.equal((await askCode("first@example.com")).status, 200);
      const { db } = testApp.database;
      await db.updateTable("request_counts").set({ made: 28 }).where("subject", "like", "mails:%").execute();
      const statuses = [];
      for (const name of ["second", "third", "fourth"]) statuses.push((await askCode(`${name}@example.com`)).status);
      assert.deepEqual(statuses, [200, 200, 429]);
      const counts = await db
        .selectFrom("request_counts")
        .select("subject")
        .where("subject", "like", "mail%")
        .execute();
      assert.doesNotMatch(JSON.stringify(counts), /fourth/, "what is refused leaves nothing behind");
    });

    test("requires a valid human check if it is on, once [REG-25]", async () => {
      later();
      await set({ EmailVerificationEnabled: "false", TurnstileAddress: human.url });
      await set({ TurnstileSiteKey: "site", TurnstileSecretKey: human.clientSecret, TurnstileCheckEnabled: "true" });
      const missing = await tryRegister({ username: "robot" });
      assert.equal(
        missing.envelope?.message,
        "Please try again in a few seconds, Turnstile is checking the user environment!",
      );
      assert.equal((await askCode("robot@example.com")).envelope?.code, "human-check-missing");
      const turnstile = human.issueHumanAnswer();
      assert.equal((await tryRegister({ username: "human" }, { turnstile })).envelope?.success, true);
      assert.equal((await tryRegister({ username: "again" }, { turnstile })).envelope?.code, "human-check-failed");
      human.failNext(1);
      const next = { turnstile: human.issueHumanAnswer() };
      assert.equal((await tryRegister({ username: "broken" }, next)).envelope?.code, "human-check-failed");
      await set({ TurnstileCheckEnabled: "false" });
    });

    test("can be turned off, entirely and by password", async () => {
      later();
      await set({ PasswordRegisterEnabled: "false" });
      assert.equal((await tryRegister({ username: "late" })).envelope?.code, "registration-by-password-off");
      await set({ PasswordRegisterEnabled: "true", RegisterEnabled: "false" });
      assert.equal((await tryRegister({ username: "late" })).envelope?.code, "registration-off");
      await set({ RegisterEnabled: "true" });
    });

    test("is limited for a network", async () => {
      later();
      for (let attempt = 0; attempt < 30; attempt += 1) await tryRegister({ username: "x", password2: "other" });
      assert.equal((await tryRegister({ username: "too-often" })).status, 429);
    });
  });
}

test("a code stays valid after a restart", async () => {
  const [database, mailServer] = await Promise.all([openTestDatabase("sqlite"), startMailServer()]);
  const environment = { SECRET_KEY: "the same key before and after the start" };
  const first = await createTestApp({ database, environment });
  await setOptions(first, { ...mailOptions(mailServer), EmailVerificationEnabled: "true" });
  await first.client().data(sendVerificationCode, { query: { email: "kept@example.com" } });
  const { text } = await mailServer.nextTo("kept@example.com");
  await first.close();
  const second = await createTestApp({ database, environment });
  const verification_code = /\b\d{8}\b/.exec(text)?.[0];
  await second.client().data(register, {
    body: { username: "kept", password, email: "kept@example.com", verification_code },
  });
  await Promise.all([second.close(), mailServer.close()]);
  await database.close();
});

test("a refused option names the options that mail requires", async () => {
  const testApp = await createTestApp();
  const { client } = await testApp.logInAs("root");
  const answer = await client.send(updateOption, { body: { key: "EmailVerificationEnabled", value: "true" } });
  assert.equal(answer.envelope?.code, "option-needs");
  await testApp.close();
});
