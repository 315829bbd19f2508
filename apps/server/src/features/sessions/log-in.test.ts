import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { updateOption } from "@one-api/contract/options/option";
import { getSelf, login } from "@one-api/contract/accounts/user";
import { DATABASE_KINDS, openTestDatabase, whyMissing } from "@one-api/database/test-databases";
import { startIdentityProvider } from "@one-api/stub-server/people/start-identity-provider";
import { createTestApp, type TestApp } from "../../testing/create-test-app.ts";
import { givePasskeyToRoot, setOptions } from "../../testing/set-options.ts";

for (const kind of DATABASE_KINDS) {
  describe(`login on ${kind}`, { skip: whyMissing(kind) ?? false }, () => {
    const password = "correct horse";
    let testApp: TestApp;
    before(async () => {
      testApp = await createTestApp({ kind });
    });
    after(() => testApp.close());

    const tryLogin = (username: string, typed: string, headers: Record<string, string> = {}) =>
      testApp.client().send(login, { body: { username, password: typed }, headers });
    const addUser = async (options: { username: string; email?: string; status?: number }) =>
      (await testApp.logInAs("user", { ...options, password })).user;

    test("[CALL-13] with root's first password starts a session by an HTTP-only cookie [LOGIN-17] [LOGIN-22] [LOGIN-23]", async () => {
      const client = testApp.client();
      const answer = await client.send(login, { body: { username: "root", password: "123456" } });
      assert.deepEqual(answer.envelope?.data, {
        id: 1,
        username: "root",
        display_name: "Root User",
        role: 100,
        status: 1,
        default_password: true,
      });
      const [session] = [answer.headers["set-cookie"]].flat();
      assert.match(String(session), /^session=[\w-]{43}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Strict$/);
      assert.equal((await client.data(getSelf)).quota, 500_000_000_000_000);
    });

    test("stores no usable session id", async () => {
      const { client } = await testApp.logInAs("user");
      const rows = await testApp.database.db.selectFrom("sessions").selectAll().execute();
      assert.doesNotMatch(JSON.stringify(rows), new RegExp(client.sessionId() ?? "no session"));
    });

    test("works by e-mail, unless two users have the address", async () => {
      await addUser({ username: "mia", email: "mia@example.com" });
      assert.equal((await tryLogin("mia@example.com", password)).envelope?.success, true);
      await addUser({ username: "ben", email: "shared@example.com" });
      await addUser({ username: "ann", email: "shared@example.com" });
      assert.equal((await tryLogin("shared@example.com", password)).envelope?.code, "wrong-credentials");
    });

    test("answers alike for unknown users and wrong passwords", async () => {
      await addUser({ username: "eve" });
      const [unknown, wrong] = [await tryLogin("nobody", "whatever"), await tryLogin("eve", "whatever")];
      assert.equal(unknown.status, 200);
      assert.equal(unknown.text, wrong.text);
      assert.deepEqual(Object.keys(unknown.headers), Object.keys(wrong.headers));
      assert.equal(wrong.headers["set-cookie"], undefined);
    });

    test("reveals a disabled account only after the right password", async () => {
      await addUser({ username: "zoe", status: 2 });
      assert.equal((await tryLogin("zoe", "whatever")).envelope?.code, "wrong-credentials");
      const answer = await tryLogin("zoe", password);
      assert.equal(answer.envelope?.code, "account-disabled");
      assert.equal(answer.headers["set-cookie"], undefined);
    });

    test("[V37] fails for deleted users and those without a password", async () => {
      await addUser({ username: "gone", status: 3 });
      await testApp.logInAs("user", { username: "github-only" });
      assert.equal((await tryLogin("gone", password)).envelope?.code, "wrong-credentials");
      assert.equal((await tryLogin("github-only", "anything")).envelope?.code, "wrong-credentials");
    });

    test("delays an account after five failures, also for the right password, but not its network", async () => {
      const { client } = await testApp.logInAs("user", { username: "sam", password });
      await addUser({ username: "kim" });
      for (let failure = 0; failure < 5; failure += 1) assert.equal((await tryLogin("sam", "wrong")).status, 200);
      const refused = await tryLogin("sam", password);
      assert.equal(refused.status, 429);
      assert.equal(refused.headers["retry-after"], "1");
      assert.equal(refused.envelope?.code, "login-throttled");
      assert.equal((await tryLogin("SAM", password)).envelope?.code, "wrong-credentials", "another name");
      assert.equal((await tryLogin("kim", password)).envelope?.success, true);
      assert.equal((await client.send(getSelf)).status, 200, "the own session stays");

      testApp.clock.advanceSeconds(1);
      assert.equal((await tryLogin("sam", "wrong")).status, 200);
      assert.equal((await tryLogin("sam", password)).headers["retry-after"], "2");
      testApp.clock.advanceSeconds(2);
      assert.equal((await tryLogin("sam", password)).envelope?.success, true);
      assert.equal((await tryLogin("sam", "wrong")).status, 200, "a right password starts the count afresh");
      assert.equal((await tryLogin("sam", password)).envelope?.success, true);
    });

    test("counts failures by username and e-mail for one account, without revealing that", async () => {
      testApp.clock.advanceSeconds(3600);
      await addUser({ username: "lea", email: "lea@example.com" });
      const code = async (name: string, typed: string) => (await tryLogin(name, typed)).envelope?.code ?? "in";
      const failures = async (subject: string) => {
        const row = await testApp.database.db.selectFrom("login_failures").select("failures").where("subject", "=", subject).executeTakeFirst();
        return row?.failures;
      }; // prettier-ignore
      const tries = ["lea", "Lea@example.com", "lea", "lea@example.com", "lea"];
      for (const name of tries) assert.equal(await code(name, "wrong"), "wrong-credentials");
      assert.equal(await failures("account:lea"), 5, "each counts once");
      // Neither name has failed five times, so the lock is not revealed.
      assert.equal(await code("lea@example.com", password), "wrong-credentials", "not even the right password opens");
      assert.equal(await code("lea", password), "wrong-credentials");
      assert.equal(await failures("account:lea"), 5, "what was not looked at makes nobody wait longer");
      testApp.clock.advanceSeconds(1);
      assert.equal(await code("lea@example.com", password), "in");
      for (const name of ["lea", "lea@example.com"])
        for (let failure = 0; failure < 4; failure += 1) await tryLogin(name, "wrong");
      testApp.clock.advanceSeconds(900);
      assert.equal(await code("lea", password), "in", "by either name the account starts afresh");
      assert.deepEqual([await failures("name:lea"), await failures("name:lea@example.com")], [undefined, undefined]);
    });

    test("clears failures after the account's own right password, not after that of another case", async () => {
      testApp.clock.advanceSeconds(3600);
      await addUser({ username: "mara", email: "mara@example.com" });
      await addUser({ username: "Mara" });
      for (let failure = 0; failure < 5; failure += 1) {
        assert.equal((await tryLogin("mara", "wrong")).envelope?.code, "wrong-credentials");
        assert.equal((await tryLogin("Mara", password)).envelope?.success, true);
      }
      assert.equal((await tryLogin("mara", password)).envelope?.code, "login-throttled");
      assert.equal((await tryLogin("MARA@example.com", password)).envelope?.code, "wrong-credentials");
    });

    test("blocks unknown names like known ones", async () => {
      testApp.clock.advanceSeconds(3600);
      await addUser({ username: "ivy", email: "ivy@example.com" });
      const answersTo = async (names: readonly string[]) => {
        const answers = [];
        for (const name of names) answers.push(await tryLogin(name, "wrong"));
        return answers.map(({ status, text, headers }) => [status, text, headers["retry-after"]]);
      };
      const times = (name: string) => Array.from({ length: 6 }, () => name);
      const somebody = await answersTo([...times("ivy@example.com"), "ivy"]);
      assert.deepEqual(await answersTo([...times("nobody@example.com"), "nobody"]), somebody);
    });

    test("counts concurrent guesses one by one", async () => {
      testApp.clock.advanceSeconds(3600);
      await addUser({ username: "max" });
      const answers = await Promise.all(Array.from({ length: 12 }, () => tryLogin("max", "wrong")));
      assert.equal(answers.filter(({ status }) => status === 429).length, 7);
    });

    test("keeps failures after a restart", async () => {
      const database = await openTestDatabase(kind);
      const environment = { SECRET_KEY: "the same key before and after the start" };
      const wrong = { body: { username: "root", password: "wrong" } };
      const first = await createTestApp({ database, environment });
      for (let failure = 0; failure < 5; failure += 1) await first.client().send(login, wrong);
      await first.close();
      const second = await createTestApp({ database, environment });
      assert.equal((await second.client().send(login, wrong)).status, 429);
      await second.close();
      await database.close();
    });

    test("requires the human check after three failures of an account or a network", async () => {
      testApp.clock.advanceSeconds(3600);
      await addUser({ username: "una" });
      const human = await startIdentityProvider();
      const checked = (username: string, typed: string, turnstile: string, headers: Record<string, string> = {}) =>
        testApp.client().send(login, { body: { username, password: typed }, query: { turnstile }, headers });
      await setOptions(testApp, { TurnstileAddress: human.url, TurnstileSiteKey: "site", TurnstileSecretKey: human.clientSecret, TurnstileCheckEnabled: "true" });
      for (let failure = 0; failure < 3; failure += 1)
        assert.equal((await tryLogin("una", "wrong")).envelope?.code, "wrong-credentials", "not at once");
      const missing = await tryLogin("una", password);
      assert.equal(missing.envelope?.message, "Please try again in a few seconds, Turnstile is checking the user environment!");
      assert.equal((await tryLogin("nobody-at-all", "wrong")).envelope?.code, "human-check-missing", "whatever the account, from this network");
      assert.equal((await checked("una", password, "made up")).envelope?.code, "human-check-failed");
      const turnstile = human.issueHumanAnswer();
      assert.equal((await checked("una", "wrong", turnstile)).envelope?.code, "wrong-credentials");
      assert.equal((await checked("una", password, turnstile)).envelope?.code, "human-check-failed", "each answer works once");
      assert.equal((await checked("una", password, human.issueHumanAnswer())).envelope?.success, true);
      await setOptions(testApp, { TurnstileCheckEnabled: "false" });
      await human.close();
    }); // prettier-ignore

    test("allows fifty logins a second on all servers", async () => {
      const database = await openTestDatabase(kind);
      const environment = { SECRET_KEY: "the same key of both of the servers", TRUSTED_PROXIES: "127.0.0.1" };
      const [one, other] = [await createTestApp({ database, environment }), await createTestApp({ database, environment })];
      const tryOn = (app: TestApp, username: string, from = "198.51.100.1") => app.client().send(login, { body: { username, password: "123456" }, headers: { "x-forwarded-for": from } });
      const tries = await Promise.all(Array.from({ length: 60 }, (_, index) => tryOn(one, `flood-${index}`, `203.0.${index}.9`)));
      assert.equal(tries.filter(({ envelope }) => envelope?.code === "too-many-requests").length, 10);
      const refused = await tryOn(other, "root");
      assert.deepEqual([refused.envelope?.code, refused.headers["retry-after"]], ["too-many-requests", "1"]);
      for (const app of [one, other]) app.clock.advanceSeconds(3600);
      assert.equal((await tryOn(other, "root")).envelope?.success, true);
      await one.close();
      await other.close();
      await database.close();
    }); // prettier-ignore

    test("is not blocked by a flood of one network", async () => {
      const database = await openTestDatabase(kind);
      const flooded = await createTestApp({ database, environment: { TRUSTED_PROXIES: "127.0.0.1" } });
      const tryFrom = (from: string, username: string) =>
        flooded.client().send(login, { body: { username, password: "123456" }, headers: { "x-forwarded-for": from } });
      const tries = await Promise.all(
        Array.from({ length: 100 }, (_, index) => tryFrom("203.0.113.7", `flood-${index}`)),
      );
      const codes = new Set(tries.map(({ envelope }) => envelope?.code));
      assert.deepEqual(codes, new Set(["wrong-credentials", "login-throttled"]));
      assert.notEqual((await tryFrom("198.51.100.7", "somebody")).envelope?.code, "too-many-requests");
      await flooded.close();
      await database.close();
    });

    test("is refused to a network after 20 failures", async () => {
      testApp.clock.advanceSeconds(3600);
      for (let failure = 0; failure < 20; failure += 1)
        assert.equal((await tryLogin(`guess-${failure}`, "wrong")).status, 200);
      const refused = await tryLogin("root", "123456");
      assert.equal(refused.status, 429);
      assert.equal(refused.headers["retry-after"], "600");
      testApp.clock.advanceSeconds(600);
      assert.equal((await tryLogin("root", "123456")).envelope?.success, true);
    });

    test("records successes and failures in the audit trail, without passwords", async () => {
      await tryLogin("root", "a-wrong-password");
      const rows = await testApp.database.db
        .selectFrom("audit")
        .select(["action", "object", "actor_name", "detail"])
        .orderBy("id", "desc")
        .limit(2)
        .execute();
      assert.deepEqual(rows, [
        { action: "session.refuse", object: "user:1", actor_name: "", detail: "{}" },
        { action: "session.start", object: "user:1", actor_name: "root", detail: "{}" },
      ]);
    });

    test("[V24] accepts root's default password only by a loopback name", async () => {
      const code = async (host: string, typed = "123456") =>
        (await tryLogin("root", typed, { host })).envelope?.code ?? "in";
      for (const host of ["localhost:3000", "127.0.0.1", "127.1.2.3:80", "[::1]:3000"])
        assert.equal(await code(host), "in", host);
      for (const host of [
        "evil.example",
        "localhost.evil.example",
        "127.0.0.1.nip.io:3000",
        "10.0.0.5",
        "a b",
        "localhost@evil.example",
      ]) {
        assert.equal(await code(host), "login-default-password-host", host);
      }
      // A wrong password reveals nothing, and a configured name is accepted.
      assert.equal(await code("evil.example", "another"), "wrong-credentials");
      const { client } = await testApp.logInAs("root");
      await client.data(updateOption, { body: { key: "ServerAddress", value: "https://one.example:8443" } });
      assert.equal(await code("one.example:8443"), "in");
      assert.equal(await code("one.example"), "login-default-password-host");
      await client.data(updateOption, { body: { key: "ServerAddress", value: "" } });
    });

    test("is not blocked by a clock that is set back", async () => {
      await addUser({ username: "ida" });
      for (let failure = 0; failure < 6; failure += 1) {
        testApp.clock.advanceSeconds(10);
        await tryLogin("ida", "wrong");
      }
      assert.equal((await tryLogin("ida", password)).status, 429);
      testApp.clock.setBackSeconds(3_600);
      assert.equal((await tryLogin("ida", password)).envelope?.success, true);
      testApp.clock.setBackSeconds(-3_600);
    });

    test("cannot be turned off while it is root's only sign-in method", async () => {
      const { client } = await testApp.logInAs("admin");
      const off = { key: "PasswordLoginEnabled", value: "false" };
      const refused = await client.send(updateOption, { body: off });
      assert.deepEqual([refused.status, refused.envelope?.code], [200, "login-root-locked-out"]);
      assert.match(refused.envelope?.message ?? "", /passkey/);
      assert.equal((await tryLogin("root", "123456")).envelope?.success, true);
      const bind = (github_id: string) =>
        testApp.database.db.updateTable("users").set({ github_id }).where("username", "=", "root").execute();
      await bind("https://github.com 1");
      assert.equal((await client.send(updateOption, { body: off })).envelope?.code, "login-root-locked-out");
      await setOptions(testApp, { GitHubClientId: "1", GitHubClientSecret: "1", GitHubOAuthEnabled: "true" });
      await client.data(updateOption, { body: off });
      const root = (await testApp.logInAs("root")).client;
      for (const [key, value] of [
        ["GitHubOAuthEnabled", "false"],
        ["GitHubAddress", "https://github.example"],
      ]) {
        const change = await root.send(updateOption, { body: { key, value } });
        assert.equal(change.envelope?.code, "login-root-locked-out", key);
      }
      await setOptions(testApp, { PasswordLoginEnabled: "true", GitHubOAuthEnabled: "false" });
      await bind("");
    });

    test("can be turned off if root has a passkey", async () => {
      const { client } = await testApp.logInAs("root");
      await givePasskeyToRoot(testApp);
      await client.data(updateOption, { body: { key: "PasswordLoginEnabled", value: "false" } });
      assert.equal((await tryLogin("root", "123456")).envelope?.code, "login-by-password-off");
      const move = { key: "ServerAddress", value: "https://elsewhere.example" };
      const moved = await client.send(updateOption, { body: move });
      assert.equal(moved.envelope?.code, "login-root-locked-out", "the passkey belongs to the domain before");
      await client.data(updateOption, { body: { key: "PasswordLoginEnabled", value: true } });
      await client.data(updateOption, { body: move });
      await client.data(updateOption, { body: { ...move, value: "" } });
      assert.equal((await tryLogin("root", "123456")).envelope?.code, "second-factor-needed");
    });
  });
}

test("the cookie requires https if the login came over https", async () => {
  const testApp = await createTestApp({ environment: { TRUSTED_PROXIES: "127.0.0.1" } });
  const headers = { "x-forwarded-proto": "https", "x-forwarded-for": "198.51.100.7" };
  const answer = await testApp.client().send(login, { body: { username: "root", password: "123456" }, headers });
  assert.match(String(answer.headers["set-cookie"]), /; Secure;/);
  assert.match(String(answer.headers["strict-transport-security"]), /^max-age=\d+$/);
  await testApp.close();
});
