import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { resetPassword, sendPasswordReset, sendVerificationCode } from "@one-api/contract/accounts/registration";
import { ROLE } from "@one-api/contract/accounts/roles";
import { endAllSessions } from "@one-api/contract/accounts/session";
import { createAccessToken, getSelf, login, updateSelf } from "@one-api/contract/accounts/user";
import { updateOption } from "@one-api/contract/options/option";
import { type MailServer, startMailServer } from "@one-api/stub-server/people/start-mail-server";
import { nowSeconds } from "../../platform/clock.ts";
import { createTestApp, type TestApp } from "../../testing/create-test-app.ts";
import { givePasskeyToRoot, mailOptions, setOptions } from "../../testing/set-options.ts";
import { createTestClient } from "../../testing/test-client.ts";

describe("a password reset", () => {
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

  const ask = (email: string, headers: Record<string, string> = {}) =>
    testApp.client().send(sendPasswordReset, { query: { email }, headers });
  const linkFor = async (email: string, headers: Record<string, string> = {}) => {
    const seen = mailServer.mails.length;
    assert.equal((await ask(email, headers)).envelope?.success, true);
    const { text } = await mailServer.nextTo(email, seen, /user\/reset/);
    return new URL(/https?:\/\/\S+/.exec(text)?.[0] ?? "no:link");
  };
  const confirm = (link: URL, email = link.searchParams.get("email")) =>
    testApp.client().send(resetPassword, { body: { email, token: link.searchParams.get("token") } });

  test("returns a new password once, and ends all sessions and the access token [CALL-23] [CALL-24]", async () => {
    const { client } = await testApp.logInAs("user", { username: "mia", email: "mia@example.com" });
    const script = createTestClient(testApp.app, { accessToken: await client.data(createAccessToken) });
    const link = await linkFor("mia@example.com");
    assert.equal(link.origin + link.pathname, "https://gateway.example/user/reset");
    const answer = await confirm(link);
    const password = String(answer.envelope?.data);
    assert.equal((await client.send(getSelf)).status, 401);
    assert.equal((await script.send(getSelf)).status, 401);
    assert.equal((await confirm(link)).envelope?.code, "reset-link-wrong");
    const entered = await testApp.client().send(login, { body: { username: "mia", password } });
    assert.equal(entered.envelope?.success, true);
    const rows = await testApp.database.db.selectFrom("audit").select(["action", "detail"]).execute();
    assert.ok(rows.some(({ action }) => action === "user.reset-password"));
    assert.ok(!JSON.stringify(rows).includes(password));
  });

  test("[V25] links to ServerAddress, whatever the Host header", async () => {
    await testApp.logInAs("user", { email: "host@example.com" });
    const headers = { host: "evil.example", "x-forwarded-host": "evil.example", forwarded: "host=evil.example" };
    assert.equal((await linkFor("host@example.com", headers)).host, "gateway.example");
    await setOptions(testApp, { ServerAddress: "" });
    assert.equal((await ask("host@example.com")).envelope?.code, "server-address-missing");
    await setOptions(testApp, { ServerAddress: "https://gateway.example" });
  });

  test("[V25] answers alike for unknown addresses, and mails disabled and deleted accounts nothing", async () => {
    await testApp.logInAs("user", { email: "off@example.com", status: 2 });
    await testApp.logInAs("user", { email: "gone@example.com", status: 3 });
    await testApp.logInAs("user", { email: "here@example.com" });
    const seen = mailServer.mails.length;
    const answers = await Promise.all(
      ["nobody@example.com", "off@example.com", "gone@example.com", "here@example.com"].map((email) => ask(email)),
    );
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
    await mailServer.nextTo("here@example.com", seen);
    const resets = mailServer.mails.slice(seen).filter(({ text }) => text.includes("/user/reset"));
    assert.equal(resets.length, 1);
  });

  test("of root is safe from administrators, who cannot change mail options or links", async () => {
    const alone = await createTestApp();
    await setOptions(alone, mailOptions(mailServer));
    const email = "root@example.com";
    await alone.database.db.updateTable("users").set({ email }).where("role", "=", ROLE.root).execute();
    const { client: admin } = await alone.logInAs("admin", { email: "admin@example.com" });
    for (const key of Object.keys({ ...mailOptions(mailServer), ServerAddress: "" })) {
      const body = { key, value: key === "SMTPPort" ? "2525" : "https://elsewhere.example" };
      assert.equal((await admin.send(updateOption, { body })).envelope?.code, "option-root-only", key);
    }
    const seen = mailServer.mails.length;
    await alone.client().data(sendPasswordReset, { query: { email } });
    const { text } = await mailServer.nextTo(email, seen, /user\/reset/);
    const token = new URL(/https?:\/\/\S+/.exec(text)?.[0] ?? "no:link").searchParams.get("token");
    assert.equal((await alone.client().send(resetPassword, { body: { email, token } })).envelope?.success, true);
    await alone.close();
  });

  test("works for its address and purpose only, for ten minutes", async () => {
    await testApp.logInAs("user", { email: "ann@example.com" });
    await testApp.logInAs("user", { email: "eve@example.com" });
    const link = await linkFor("eve@example.com");
    assert.equal((await confirm(link, "ann@example.com")).envelope?.code, "reset-link-wrong");
    testApp.clock.advanceSeconds(600);
    assert.equal((await confirm(link)).envelope?.code, "reset-link-wrong");
  });

  test("ends with a changed password or ended sessions; of two concurrent uses one succeeds", async () => {
    const email = "both@example.com";
    const { client, user } = await testApp.logInAs("user", { email });
    const changed = await linkFor(email);
    await client.data(updateSelf, { body: { password: "another horse" } });
    assert.equal((await confirm(changed)).envelope?.code, "reset-link-wrong");
    const signedOut = await linkFor(email);
    await client.data(endAllSessions);
    assert.equal((await confirm(signedOut)).envelope?.code, "reset-link-wrong");
    const stays = await linkFor(email);
    await (await testApp.clientOf(user.id)).data(updateSelf, { body: { display_name: "Both" } });
    const tabs = await Promise.all([confirm(stays), confirm(stays)]);
    assert.deepEqual(tabs.map(({ envelope }) => envelope?.code ?? "reset").toSorted(), ["reset", "reset-link-wrong"]);
  });

  test("cannot be blocked by requests or guesses of others", async () => {
    await testApp.logInAs("user", { email: "victim@example.com" });
    const stranger = { "x-forwarded-for": "203.0.113.9" };
    const link = await linkFor("victim@example.com");
    const refused: number[] = [];
    for (let time = 0; time < 8; time += 1) {
      const { status } = await ask("victim@example.com", stranger);
      if (status !== 200) refused.push(status);
      const body = { email: "victim@example.com", token: "x".repeat(40) };
      await testApp.client().send(resetPassword, { body, headers: stranger });
    }
    assert.deepEqual(refused, [429, 429, 429], "five mails for one who asks, and no more");
    const another = await linkFor("victim@example.com");
    assert.equal((await confirm(link)).envelope?.success, true, "the first link still works");
    assert.equal((await confirm(another)).envelope?.code, "reset-link-wrong", "and ends all others");
  });

  test("limits the mails to an address silently", async () => {
    const count = { subject: "mails-to:flooded@example.com", made: 59, ends_at: nowSeconds(testApp.clock) + 60 };
    await testApp.database.db.insertInto("request_counts").values(count).execute();
    for (const network of ["a", "b", "c"]) {
      const headers = { "x-forwarded-for": `2001:db8:0:${network}::1` };
      await testApp.client().data(sendVerificationCode, { query: { email: "flooded@example.com" }, headers });
    }
    assert.equal(mailServer.mails.filter(({ recipients }) => recipients.includes("flooded@example.com")).length, 1);
  });

  test("[V37] does not enable a disabled account, and is refused while passwords are off", async () => {
    const { user } = await testApp.logInAs("user", { email: "later@example.com" });
    const link = await linkFor("later@example.com");
    await givePasskeyToRoot(testApp);
    await setOptions(testApp, { PasswordLoginEnabled: "false" });
    assert.equal((await confirm(link)).envelope?.code, "login-by-password-off");
    assert.equal((await ask("later@example.com")).envelope?.code, "login-by-password-off");
    await setOptions(testApp, { PasswordLoginEnabled: "true" });
    await testApp.database.db.updateTable("users").set({ status: 2 }).where("id", "=", user.id).execute();
    assert.equal((await confirm(link)).envelope?.code, "reset-link-wrong");
  });
});
