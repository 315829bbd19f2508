import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { bindEmail, deleteSelf, register, sendVerificationCode } from "@one-api/contract/accounts/registration";
import { sendTestMail, updateOption } from "@one-api/contract/options/option";
import { createToken, sendTokenAlert } from "@one-api/contract/token";
import { createAccessToken, getSelf } from "@one-api/contract/accounts/user";
import { type MailServer, startMailServer } from "@one-api/stub-server/people/start-mail-server";
import { createTestApp, type TestApp, type TestLogin } from "../../testing/create-test-app.ts";
import { mailOptions, setOptions } from "../../testing/set-options.ts";
import { createTestClient } from "../../testing/test-client.ts";

describe("the caller's account", () => {
  let testApp: TestApp;
  let mailServer: MailServer;
  before(async () => {
    [testApp, mailServer] = await Promise.all([
      createTestApp({ environment: { TRUSTED_PROXIES: "127.0.0.0/8" } }),
      startMailServer(),
    ]);
    await setOptions(testApp, mailOptions(mailServer));
  });
  after(async () => {
    await Promise.all([testApp.close(), mailServer.close()]);
  });

  const codeFor = async ({ client }: TestLogin, email: string) => {
    const seen = mailServer.mails.length;
    await client.data(sendVerificationCode, { query: { email } });
    return /\b\d{8}\b/.exec((await mailServer.nextTo(email, seen, /\b\d{8}\b/)).text)?.[0] ?? "no code";
  };

  test("[V23] [ROLE-07] binds an address with the mailed code, which works once [CALL-20]", async () => {
    const mia = await testApp.logInAs("user");
    const code = await codeFor(mia, "mia@example.com");
    const wrong = { email: "mia@example.com", code: "wrong" };
    assert.equal((await mia.client.send(bindEmail, { query: wrong })).envelope?.code, "email-code-wrong");
    await mia.client.data(bindEmail, { query: { email: "MIA@example.com", code } });
    assert.equal((await mia.client.data(getSelf)).email, "mia@example.com");
    const { client: other } = await testApp.logInAs("user");
    const again = await other.send(bindEmail, { query: { email: "mia@example.com", code } });
    assert.equal(again.envelope?.code, "email-code-wrong");
  });

  test("has a code that other networks cannot invalidate by requests or guesses", async () => {
    const [owner, stranger] = await Promise.all([testApp.logInAs("user"), testApp.logInAs("user")]);
    const code = await codeFor(owner, "owner@example.com");
    const headers = { "x-forwarded-for": "203.0.113.9" };
    const guess = { query: { email: "owner@example.com", code: "wrong" }, headers };
    for (let time = 0; time < 6; time += 1) await stranger.client.send(bindEmail, guess);
    await stranger.client.data(sendVerificationCode, { query: { email: "owner@example.com" }, headers });
    for (let time = 0; time < 6; time += 1) await stranger.client.send(bindEmail, guess);
    const stolen = { query: { email: "owner@example.com", code }, headers };
    assert.equal((await stranger.client.send(bindEmail, stolen)).envelope?.code, "email-code-wrong");
    await owner.client.data(bindEmail, { query: { email: "owner@example.com", code } });
  });

  test("has a code that expires after ten minutes for every network", async () => {
    const owner = await testApp.logInAs("user");
    const email = "elsewhere@example.com";
    const headers = { "x-forwarded-for": "203.0.113.10" };
    const over = await codeFor(owner, email);
    testApp.clock.advanceSeconds(600);
    const late = await owner.client.send(bindEmail, { query: { email, code: over }, headers });
    assert.equal(late.envelope?.code, "email-code-wrong");
    const code = await codeFor(owner, email);
    testApp.clock.advanceSeconds(599);
    await owner.client.data(bindEmail, { query: { email, code }, headers });
  });

  test("cannot bind an address that another user has bound meanwhile", async () => {
    const late = await testApp.logInAs("user");
    const code = await codeFor(late, "shared@example.com");
    await testApp.logInAs("user", { email: "shared@example.com" });
    const answer = await late.client.send(bindEmail, { query: { email: "shared@example.com", code } });
    assert.equal(answer.envelope?.code, "email-taken");
  });

  test("[ROLE-14] is deleted with all sessions and keys, and frees name and address [CALL-27]", async () => {
    const { client, user } = await testApp.logInAs("user", { username: "leaving", email: "leaving@example.com" });
    const elsewhere = await testApp.clientOf(user.id);
    const script = createTestClient(testApp.app, { accessToken: await client.data(createAccessToken) });
    await client.data(deleteSelf);
    for (const gone of [client, elsewhere, script]) assert.equal((await gone.send(getSelf)).status, 401);
    const row = await testApp.database.db.selectFrom("users").select("status").where("id", "=", user.id).execute();
    assert.deepEqual(row, [{ status: 3 }], "the relay refuses tokens of a deleted user");
    const body = { username: "leaving", password: "correct horse" };
    await testApp.client().data(register, { body });
    const audit = await testApp.database.db.selectFrom("audit").select(["action", "object"]).execute();
    assert.ok(audit.some(({ action, object }) => action === "user.delete-self" && object === `user:${user.id}`));
  });

  test("of the super administrator stays", async () => {
    const { client } = await testApp.logInAs("root");
    assert.equal((await client.send(deleteSelf)).envelope?.code, "root-stays");
    assert.equal((await client.data(getSelf)).role, 100);
  });

  test("a test mail shows the mail server's error", async () => {
    const { client } = await testApp.logInAs("admin");
    await client.data(sendTestMail, { body: { email: "admin@example.com" }, headers: { "accept-language": "zh-CN" } });
    const mail = await mailServer.nextTo("admin@example.com");
    assert.deepEqual([mail.from, mail.subject], [mailServer.account, "One API 测试消息"]);
    await setOptions(testApp, { SMTPToken: "not the password" });
    const answer = await client.send(sendTestMail, { body: { email: "admin@example.com" } });
    assert.match(answer.envelope?.message ?? "", /refuses SMTPAccount and SMTPToken/);
    assert.doesNotMatch(answer.text + testApp.logLines.join(""), /not the password/);
    await setOptions(testApp, { SMTPToken: mailServer.password });
  });

  test("mails are sent without login if the server requires none and a sender is set", async () => {
    const { client } = await testApp.logInAs("admin");
    const sendTo = (email: string) => client.send(sendTestMail, { body: { email } });
    await setOptions(testApp, { SMTPAccount: "", SMTPToken: "" });
    assert.equal((await sendTo("open@example.com")).envelope?.code, "mail-not-set-up");
    await setOptions(testApp, { SMTPFrom: "Our gateway <noreply@example.com>", EmailVerificationEnabled: "true" });
    assert.equal((await sendTo("open@example.com")).envelope?.message, "");
    const mail = await mailServer.nextTo("open@example.com");
    assert.deepEqual([mail.envelopeFrom, mail.from], ["noreply@example.com", "noreply@example.com"]);
    const headerOf = (name: string) => mail.headers.find(({ key }) => key === name)?.value ?? "";
    assert.match(headerOf("from"), /^"?Our gateway"? <noreply@example\.com>$/);
    assert.match(headerOf("message-id"), /@example\.com>$/);
    const root = (await testApp.logInAs("root")).client;
    const cleared = await root.send(updateOption, { body: { key: "SMTPFrom", value: "" } });
    assert.equal(cleared.envelope?.code, "option-needed");
    await setOptions(testApp, { SMTPAccount: mailServer.account });
    assert.equal((await sendTo("half@example.com")).envelope?.code, "mail-not-set-up", "a login without its password");
    await setOptions(testApp, { SMTPToken: mailServer.password, EmailVerificationEnabled: "false", SMTPFrom: "" });
  });

  test("a token's mail goes to the token's address with its quota [TLIMIT-19] [TLIMIT-20]", async () => {
    const { client } = await testApp.logInAs("user");
    const token = { name: "watched", email: "watch@example.com", remain_quota: 1_000_000 };
    const { id } = await client.data(createToken, { body: token });
    await client.data(sendTokenAlert, { query: { alertType: "balance", id } });
    const mail = await mailServer.nextTo("watch@example.com");
    assert.match(mail.text, /Remaining quota of the token "watched": \$2\.00\./);
    await client.data(sendTokenAlert, { query: { alertType: "expired", id } });
    assert.match(
      (await mailServer.nextTo("watch@example.com", mailServer.mails.length - 1)).text,
      /Expiry of the token/,
    );
  });

  test("a changed address deletes the secret that was sent to it", async () => {
    for (const change of [{ SMTPServer: "mail.elsewhere.example" }, { SMTPPort: "26" }]) {
      await setOptions(testApp, { SMTPToken: "a word", ...change });
      assert.equal(testApp.deps.options.secret("SMTPToken"), "", JSON.stringify(change));
    }
    const { client } = await testApp.logInAs("user");
    const answer = await client.send(sendVerificationCode, { query: { email: "x@example.com" } });
    assert.equal(answer.envelope?.code, "mail-not-set-up");
  });
});
