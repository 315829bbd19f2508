import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import * as factors from "@one-api/contract/accounts/factor";
import { createAccessToken, getSelf, login, logout, updateSelf } from "@one-api/contract/accounts/user";
import { listOptions, updateOption } from "@one-api/contract/options/option";
import { getUser, manageUser, updateUser } from "@one-api/contract/accounts/user-management";
import { DATABASE_KINDS, whyMissing } from "@one-api/database/test-databases";
import { TOTP } from "otpauth";
import { createTestApp, type TestApp } from "../../testing/create-test-app.ts";
import { setOptions } from "../../testing/set-options.ts";
import { testHasher, type TestRole } from "../../testing/create-test-user.ts";
import { createTestClient, type TestClient } from "../../testing/test-client.ts";

const PASSWORD = "correct horse";
const STEP_SECONDS = 30;

for (const kind of DATABASE_KINDS) {
  describe(`an authenticator app on ${kind}`, { skip: whyMissing(kind) ?? false }, () => {
    let testApp: TestApp;
    before(async () => {
      testApp = await createTestApp({ kind, environment: { TRUSTED_PROXIES: "127.0.0.1" } });
    });
    after(() => testApp.close());

    const codeAt = (key: string, stepsAway = 0) =>
      new TOTP({ secret: key }).generate({ timestamp: testApp.clock.nowMs() + stepsAway * STEP_SECONDS * 1000 });
    /** An unused code. */
    const freshCode = (key: string) => {
      testApp.clock.advanceSeconds(STEP_SECONDS);
      return codeAt(key);
    };
    const passwordStep = async (username: string) => {
      const client = testApp.client();
      const { envelope } = await client.send(login, { body: { username, password: PASSWORD } });
      assert.equal(envelope?.code, "second-factor-needed", JSON.stringify(envelope));
      return client;
    };
    const tryCode = async (client: TestClient, code: string, headers: Record<string, string> = {}) =>
      (await client.send(factors.finishLogin, { body: { code }, headers })).envelope?.code ?? "in";
    const send = async (client: TestClient, call: Parameters<TestClient["send"]>[0], body?: unknown) =>
      (await client.send(call, body === undefined ? {} : { body })).envelope?.code ?? "done";

    async function protectedUser(username: string, role: TestRole = "user") {
      const { client, user } = await testApp.logInAs(role, { username, password: PASSWORD });
      const begun = await client.data(factors.beginTotp, { body: { proof: { password: PASSWORD } } });
      const key = begun.manual_entry;
      const { recovery_codes: codes } = await client.data(factors.confirmTotp, { body: { code: codeAt(key) } });
      return { client, user, key, codes };
    }

    test("is set up with the password and a code; the ten recovery codes are stored as hashes", async () => {
      const { client, user } = await testApp.logInAs("user", { username: "ann", password: PASSWORD });
      const elsewhere = await testApp.clientOf(user.id);
      const begin = (password: string) => send(client, factors.beginTotp, { proof: { password } });
      assert.equal(await begin("wrong"), "factor-password-wrong");
      assert.equal(await begin(""), "factor-password-wrong");
      const { uri, manual_entry: key } = await client.data(factors.beginTotp, {
        body: { proof: { password: PASSWORD } },
      });
      assert.match(
        uri,
        /^otpauth:\/\/totp\/One%20API:ann\?issuer=One%20API&secret=[A-Z2-7]{32}&algorithm=SHA1&digits=6&period=30$/,
      );
      assert.equal(await send(client, factors.confirmTotp, { code: "000000" }), "factor-code-wrong");
      assert.equal((await testApp.client().send(login, { body: { username: "ann", password: PASSWORD } })).status, 200);
      assert.equal((await client.data(factors.getFactors)).totp_since, 0, "nothing counts before it is confirmed");
      const { recovery_codes: codes } = await client.data(factors.confirmTotp, { body: { code: codeAt(key) } });
      assert.equal(new Set(codes).size, 10);
      for (const code of codes) assert.match(code, /^[a-z2-9]{4}-[a-z2-9]{4}-[a-z2-9]{4}$/);
      assert.equal((await elsewhere.send(getSelf)).status, 401, "sessions that never showed a code end");
      const stored = JSON.stringify([
        await testApp.database.db.selectFrom("totp_factors").selectAll().execute(),
        await testApp.database.db.selectFrom("recovery_codes").selectAll().execute(),
        await testApp.database.db.selectFrom("audit").selectAll().execute(),
      ]);
      assert.ok(!stored.includes(key) && codes.every((code) => !stored.includes(code.replaceAll("-", ""))));
      assert.deepEqual(await client.data(factors.getFactors), {
        totp_since: Math.floor(testApp.clock.nowMs() / 1000),
        recovery_codes_left: 10,
        passkeys: [],
        proof: ["password", "factor"],
        is_required: false,
      });
      assert.equal(await begin(PASSWORD), "factor-proof-missing");
    });

    test("gives a browser with the password alone no access", async () => {
      const { key } = await protectedUser("bob");
      const half = await passwordStep("bob");
      assert.equal(half.sessionId(), undefined);
      for (const call of [getSelf, factors.getFactors, factors.createRecoveryCodes, factors.resetFactors])
        assert.equal(
          (await half.send(call, { params: { id: 1 }, ...(call.method === "GET" ? {} : { body: {} }) })).status,
          401,
        );
      assert.equal(await tryCode(testApp.client(), freshCode(key)), "login-step-over", "another browser");
      assert.equal(await tryCode(half, codeAt(key)), "in");
      assert.equal((await half.data(getSelf)).username, "bob");
      assert.equal(await tryCode(half, freshCode(key)), "login-step-over", "the step is over");
    });

    test("accepts each code once, also concurrently", async () => {
      const { key } = await protectedUser("cat");
      const [first, second] = [await passwordStep("cat"), await passwordStep("cat")];
      assert.equal(await tryCode(first, codeAt(key)), "factor-code-wrong", "the code that confirmed the app");
      const code = freshCode(key);
      const outcomes = await Promise.all([tryCode(first, code), tryCode(second, code)]);
      assert.deepEqual(outcomes.toSorted(), ["factor-code-wrong", "in"]);
      const third = await passwordStep("cat");
      assert.equal(await tryCode(third, codeAt(key, -1)), "factor-code-wrong", "an older one than the last");
      assert.equal(await tryCode(third, codeAt(key, 1)), "in", "a clock that is ahead");
    });

    test("can be replaced by a recovery code, which works once", async () => {
      const { client, codes } = await protectedUser("dan");
      const [code = "", another = ""] = codes;
      const halves = [await passwordStep("dan"), await passwordStep("dan")];
      const outcomes = await Promise.all(halves.map((half) => tryCode(half, code.toUpperCase().replaceAll("-", " "))));
      assert.deepEqual(outcomes.toSorted(), ["factor-code-wrong", "in"]);
      assert.equal((await client.data(factors.getFactors)).recovery_codes_left, 9);
      const { recovery_codes: fresh } = await client.data(factors.createRecoveryCodes, {
        body: { proof: { password: PASSWORD, code: another } },
      });
      assert.equal(fresh.length, 10);
      assert.equal(await tryCode(await passwordStep("dan"), codes[2] ?? ""), "factor-code-wrong", "old ones are void");
      assert.equal(await tryCode(await passwordStep("dan"), fresh[0] ?? ""), "in");
    });

    test("allows ten guesses in ten minutes after the right password; others lock out nobody", async () => {
      const { key, codes } = await protectedUser("eva");
      for (let stranger = 0; stranger < 6; stranger += 1)
        assert.equal(await tryCode(testApp.client(), "000000"), "login-step-over");
      const outcomes: string[] = [];
      for (let guess = 0; guess < 3; guess += 1) {
        const half = await passwordStep("eva");
        for (let go = 0; go < 5; go += 1) {
          const headers = { "x-forwarded-for": `198.51.${guess}.${go}` };
          outcomes.push(await tryCode(half, "000000", headers));
        }
        assert.equal(await tryCode(half, codes[9] ?? ""), "login-step-over", "five tries end a step");
      }
      assert.deepEqual(
        outcomes.slice(0, 10),
        Array.from({ length: 10 }, () => "factor-code-wrong"),
      );
      assert.deepEqual(
        outcomes.slice(10),
        Array.from({ length: 5 }, () => "too-many-requests"),
      );
      assert.equal(await tryCode(await passwordStep("eva"), freshCode(key)), "too-many-requests");
      assert.equal(await tryCode(await passwordStep("eva"), codes[0] ?? ""), "in", "the owner has another way");
      testApp.clock.advanceSeconds(600);
      assert.equal(await tryCode(await passwordStep("eva"), freshCode(key)), "in");
    });

    test("has ten recovery codes, also after concurrent requests", async () => {
      const { client, user, codes } = await protectedUser("windows");
      const asked = codes.slice(0, 5).map((code) => {
        const body = { proof: { password: PASSWORD, code } };
        return client.send(factors.createRecoveryCodes, { body });
      });
      const answers = await Promise.all(asked);
      assert.ok(answers.some(({ envelope }) => envelope?.success === true));
      const { db } = testApp.database;
      const kept = await db.selectFrom("recovery_codes").select("user_id").where("user_id", "=", user.id).execute();
      assert.equal(kept.length, 10);
    });

    test("accepts one of two concurrent codes, and none for a step of another purpose", async () => {
      const { client, key, codes } = await protectedUser("leo");
      const half = await passwordStep("leo");
      const outcomes = await Promise.all(codes.slice(0, 3).map((code) => tryCode(half, code)));
      assert.equal(outcomes.filter((outcome) => outcome === "in").length, 1, outcomes.join());
      await setOptions(testApp, { ServerAddress: "https://gateway.example" });
      await client.data(factors.askProofPasskey);
      await client.data(logout);
      assert.equal(await tryCode(client, freshCode(key)), "login-step-over", "a question of a session is no password");
      const visitor = testApp.client();
      await visitor.data(factors.askLoginPasskey, { body: {} });
      assert.equal(await tryCode(visitor, freshCode(key)), "login-step-over");
    });

    test("is removed with password and code, never from another site", async () => {
      const { client, key, codes } = await protectedUser("fay");
      const remove = (proof: object, headers: Record<string, string> = {}) =>
        client.send(factors.removeTotp, { body: { proof }, headers });
      const code = freshCode(key);
      assert.equal((await remove({ password: PASSWORD })).envelope?.code, "factor-proof-missing");
      assert.equal((await remove({ code })).envelope?.code, "factor-password-wrong");
      assert.equal((await remove({ password: PASSWORD, code: "123" })).envelope?.code, "factor-code-wrong");
      const foreign = { "sec-fetch-site": "cross-site", origin: "https://evil.example" };
      assert.equal((await remove({ password: PASSWORD, code }, foreign)).status, 403);
      assert.equal((await remove({ password: PASSWORD, code })).envelope?.success, true);
      assert.equal((await client.data(factors.getFactors)).recovery_codes_left, 0);
      const answer = await testApp.client().send(login, { body: { username: "fay", password: PASSWORD } });
      assert.equal(answer.envelope?.success, true);
      assert.equal(codes.length, 10);
    });

    test("limits guesses of the password in an open session", async () => {
      const { client } = await testApp.logInAs("user", { username: "gus", password: PASSWORD });
      const tries: string[] = [];
      for (let go = 0; go < 11; go += 1)
        tries.push(await send(client, factors.beginTotp, { proof: { password: `${go}` } }));
      assert.equal(tries[9], "factor-password-wrong");
      assert.equal(tries[10], "too-many-requests");
    });

    test("ends pending steps when the password changes or the account is disabled", async () => {
      const { client, key, user } = await protectedUser("hal");
      const half = await passwordStep("hal");
      await client.data(factors.proveSession, { body: { proof: { password: PASSWORD } } });
      await client.data(updateSelf, { body: { password: "another password" } });
      assert.equal(await tryCode(half, freshCode(key)), "login-step-over");
      const root = (await testApp.logInAs("root")).client;
      await root.data(updateUser, { body: { id: user.id, password: PASSWORD } });
      const again = await passwordStep("hal");
      await root.data(manageUser, { body: { username: "hal", action: "disable" } });
      assert.equal(await tryCode(again, freshCode(key)), "login-step-over");
    });

    test("can be reset by a higher role, which ends the sessions, and is deleted with the account", async () => {
      const { client, user } = await protectedUser("ida");
      const boss = await protectedUser("jim", "admin");
      const { client: admin } = await testApp.logInAs("admin");
      const { client: root } = await testApp.logInAs("root");
      const listed = async () => (await admin.data(getUser, { params: { id: user.id } })).has_second_factor;
      assert.equal(await listed(), true);
      const reset = (by: TestClient, id: number) => by.send(factors.resetFactors, { params: { id } });
      assert.equal((await reset(admin, boss.user.id)).envelope?.code, "user-not-below-you");
      assert.equal((await reset(admin, 1)).envelope?.code, "user-not-below-you");
      assert.equal((await reset(client, user.id)).status, 403);
      assert.equal((await reset(admin, user.id)).envelope?.success, true);
      assert.equal(await listed(), false);
      assert.equal((await client.send(getSelf)).status, 401);
      const answer = await testApp.client().send(login, { body: { username: "ida", password: PASSWORD } });
      assert.equal(answer.envelope?.success, true);
      const audit = await testApp.database.db
        .selectFrom("audit")
        .select(["actor_role", "object"])
        .where("action", "=", "factor.reset")
        .execute();
      assert.deepEqual(audit, [{ actor_role: 10, object: `user:${user.id}` }]);
      await root.data(manageUser, { body: { username: "jim", action: "delete" } });
      for (const table of ["totp_factors", "recovery_codes"] as const) {
        const left = testApp.database.db.selectFrom(table).select("user_id").where("user_id", "=", boss.user.id);
        assert.deepEqual(await left.execute(), [], table);
      }
    });

    test("can be required of administrators, who have a regular user's rights without one", async () => {
      const { client, user } = await testApp.logInAs("admin", { username: "kim", password: PASSWORD });
      await setOptions(testApp, { AdminSecondFactorEnabled: "true" });
      const refused = await client.send(listOptions);
      assert.deepEqual([refused.status, refused.envelope?.code], [403, "second-factor-missing"]);
      assert.equal((await client.data(factors.getFactors)).is_required, true);
      const begun = await client.data(factors.beginTotp, { body: { proof: { password: PASSWORD } } });
      const key = begun.manual_entry;
      await client.data(factors.confirmTotp, { body: { code: codeAt(key) } });
      assert.equal((await client.send(listOptions)).status, 200);
      assert.equal((await client.data(getSelf)).id, user.id);
      const root = (await testApp.logInAs("root")).client;
      assert.equal(await send(root, listOptions), "second-factor-missing", "who turned it on is held back as well");
      await client.data(factors.proveSession, { body: { proof: { password: PASSWORD } } });
      const token = createTestClient(testApp.app, { accessToken: await client.data(createAccessToken) });
      assert.equal((await token.send(listOptions)).status, 200, "a token of somebody who has one");
      await client.data(factors.removeTotp, { body: { proof: { password: PASSWORD, code: freshCode(key) } } });
      for (const caller of [client, token]) assert.equal(await send(caller, listOptions), "second-factor-missing");
    });

    test("can be required by root without one, who is not locked out", async () => {
      const { user } = await testApp.logInAs("root");
      const password_hash = await testHasher.hash(PASSWORD);
      await testApp.database.db.updateTable("users").set({ password_hash }).where("id", "=", user.id).execute();
      const root = testApp.client();
      await root.data(login, { body: { username: "root", password: PASSWORD } });
      assert.equal(await send(root, listOptions), "second-factor-missing");
      const begun = await root.data(factors.beginTotp, { body: { proof: { password: PASSWORD } } });
      const { recovery_codes: codes } = await root.data(factors.confirmTotp, {
        body: { code: codeAt(begun.manual_entry) },
      });
      await root.data(updateOption, { body: { key: "AdminSecondFactorEnabled", value: "false" } });
      assert.equal((await (await testApp.logInAs("admin")).client.send(listOptions)).status, 200);
      const warned = async (password_is_default: 0 | 1, code = "") => {
        await testApp.database.db.updateTable("users").set({ password_is_default }).where("id", "=", user.id).execute();
        return (await (await passwordStep("root")).data(factors.finishLogin, { body: { code } })).default_password;
      };
      assert.equal(await warned(1, codes[0]), true, "the default password is told of after the second step too");
      assert.equal(await warned(0, codes[1]), undefined);
    });
  });
}
