import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { finishLogin } from "@one-api/contract/accounts/factor";
import { login, updateSelf } from "@one-api/contract/accounts/user";
import { DATABASE_KINDS, whyMissing } from "@one-api/database/test-databases";
import { startIdentityProvider } from "@one-api/stub-server/people/start-identity-provider";
import { createTestApp, type TestApp } from "../../testing/create-test-app.ts";
import { givePasskeyToRoot, setOptions } from "../../testing/set-options.ts";
import { createTestClient, type TestClient } from "../../testing/test-client.ts";

const YEAR_SECONDS = 365 * 24 * 3600;

for (const kind of DATABASE_KINDS) {
  describe(`a known browser on ${kind}`, { skip: whyMissing(kind) ?? false }, () => {
    const password = "correct horse";
    let testApp: TestApp;
    before(async () => {
      testApp = await createTestApp({ kind, environment: { TRUSTED_PROXIES: "127.0.0.1" } });
    });
    after(() => testApp.close());

    const browserWith = (deviceMarks: string | undefined) =>
      createTestClient(testApp.app, deviceMarks === undefined ? {} : { deviceMarks });
    const codeOf = async (browser: TestClient, username: string, typed: string, from = "198.51.100.1") => {
      const body = { username, password: typed };
      const answer = await browser.send(login, { body, headers: { "x-forwarded-for": from } });
      return answer.envelope?.code ?? "in";
    };
    const addUser = async (username: string) =>
      (await testApp.logInAs("user", { username, email: `${username}@example.com`, password })).user;
    /** A browser in which the user has logged in. */
    const ownBrowserOf = async (username: string) => {
      const browser = testApp.client();
      assert.equal(await codeOf(browser, username, password), "in");
      return browser;
    };
    const lock = async (username: string) => {
      for (let failure = 0; failure < 10; failure += 1)
        await codeOf(testApp.client(), username, "wrong", "203.0.113.5");
      assert.equal(await codeOf(testApp.client(), username, password), "login-throttled");
    };

    test("gets an HTTP-only cookie of the same site", async () => {
      await addUser("amy");
      const answer = await testApp.client().send(login, { body: { username: "amy", password } });
      const cookie = [answer.headers["set-cookie"]].flat().find((text) => String(text).startsWith("device="));
      assert.match(
        String(cookie),
        /^device=\d+\.\d+\.[\w-]{22}\.[0-9a-f]{64}; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Strict$/,
      );
    });

    test("is not delayed by failures of others with either name or its network", async () => {
      await addUser("bea");
      const own = await ownBrowserOf("bea");
      await lock("bea");
      for (let failure = 0; failure < 20; failure += 1) await codeOf(testApp.client(), `guess-${failure}`, "wrong");
      assert.equal(await codeOf(testApp.client(), "somebody", "wrong"), "login-throttled", "the network is closed");
      assert.equal(await codeOf(own, "bea", password), "in");
      assert.equal(await codeOf(own, "bea@example.com", password), "in");
      assert.equal(await codeOf(testApp.client(), "bea", password, "192.0.2.77"), "login-throttled", "others wait on");
      testApp.clock.advanceSeconds(3600);
    });

    test("is delayed by its own failures only, which delay nobody else", async () => {
      await addUser("cat");
      const own = await ownBrowserOf("cat");
      const other = await ownBrowserOf("cat");
      for (let failure = 0; failure < 5; failure += 1)
        assert.equal(await codeOf(own, "cat", "wrong"), "wrong-credentials");
      assert.equal(await codeOf(own, "cat", password), "login-throttled");
      assert.equal(await codeOf(own, "cat@example.com", password), "login-throttled");
      assert.equal(await codeOf(other, "cat", password), "in");
      assert.equal(await codeOf(testApp.client(), "cat", password), "in");
      testApp.clock.advanceSeconds(1);
      assert.equal(await codeOf(own, "cat", password), "in");
      for (let failure = 0; failure < 4; failure += 1) await codeOf(own, "cat", "wrong");
      assert.equal(await codeOf(own, "cat", password), "in", "the right password starts its count afresh");
    });

    test("has one count for all its logins and copies of its cookie", async () => {
      await addUser("dan");
      const own = await ownBrowserOf("dan");
      const marks = [own.deviceMarks()];
      for (let again = 0; again < 3; again += 1) {
        testApp.clock.advanceSeconds(60);
        assert.equal(await codeOf(own, "dan", password), "in");
        marks.push(own.deviceMarks());
      }
      assert.equal(new Set(marks).size, 4);
      const guesses = [];
      for (let guess = 0; guess < 8; guess += 1)
        guesses.push(await codeOf(browserWith(marks[guess % 4]), "dan", "wrong", `203.0.113.${guess}`));
      assert.deepEqual(guesses.slice(4), ["wrong-credentials", ...Array.from({ length: 3 }, () => "login-throttled")]);
    });

    test("is unknown with another account's, a changed or a year-old cookie", async () => {
      const eva = await addUser("eva");
      const fay = await addUser("fay");
      const own = (await ownBrowserOf("eva")).deviceMarks() ?? "";
      const foreign = (await ownBrowserOf("fay")).deviceMarks() ?? "";
      await lock("eva");
      const [, at = "", id = "", signature = ""] = own.split(".");
      const forged = [
        foreign,
        foreign.replace(`${fay.id}.`, `${eva.id}.`),
        [eva.id, Number(at) + 1, id, signature].join("."),
        [eva.id, at, "A".repeat(22), signature].join("."),
        [eva.id, at, id, "0".repeat(64)].join("."),
        [eva.id, at, id].join("."),
        "~~~",
      ];
      for (const text of forged)
        assert.equal(await codeOf(browserWith(text), "eva", password), "login-throttled", text);
      assert.equal(await codeOf(browserWith(own), "eva", password), "in");
      testApp.clock.advanceSeconds(YEAR_SECONDS - 1);
      await lock("eva");
      assert.equal(await codeOf(browserWith(own), "eva", password), "in");
      testApp.clock.advanceSeconds(1);
      await lock("eva");
      assert.equal(await codeOf(browserWith(own), "eva", password), "login-throttled");
    });

    test("is unknown after a password change, until it logs in again", async () => {
      await addUser("gus");
      const own = await ownBrowserOf("gus");
      const marksOfOldPassword = own.deviceMarks();
      const changed = await own.send(updateSelf, { body: { password: "a new password" } });
      assert.equal(changed.envelope?.success, true, changed.text);
      for (let failure = 0; failure < 10; failure += 1) await codeOf(testApp.client(), "gus", "wrong", "203.0.113.9");
      assert.equal(await codeOf(browserWith(marksOfOldPassword), "gus", "a new password"), "login-throttled");
      testApp.clock.advanceSeconds(900);
      assert.equal(await codeOf(own, "gus", "a new password"), "in");
      for (let failure = 0; failure < 10; failure += 1) await codeOf(testApp.client(), "gus", "wrong", "203.0.113.9");
      assert.equal(await codeOf(own, "gus", "a new password"), "in");
    });

    test("is known from the first login with an imported password", async () => {
      const { id } = await addUser("kai");
      const bcrypt = "$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW";
      await testApp.database.db.updateTable("users").set({ password_hash: bcrypt }).where("id", "=", id).execute();
      const own = testApp.client();
      assert.equal(await codeOf(own, "kai", "U*U"), "in");
      for (let failure = 0; failure < 10; failure += 1) await codeOf(testApp.client(), "kai", "wrong", "203.0.113.9");
      assert.equal(await codeOf(own, "kai", "U*U"), "in");
    });

    test("is known to the last five accounts", async () => {
      const names = ["h0", "h1", "h2", "h3", "h4", "h5"];
      const browser = testApp.client();
      for (const name of names) {
        await addUser(name);
        assert.equal(await codeOf(browser, name, password), "in");
      }
      assert.ok((browser.deviceMarks() ?? "").length < 600);
      for (const name of names) {
        await lock(name);
        const expected = name === "h0" ? "login-throttled" : "in";
        assert.equal(await codeOf(browserWith(browser.deviceMarks()), name, password), expected, name);
        testApp.clock.advanceSeconds(3600);
      }
    });

    test("gets no human check because of others", async () => {
      await addUser("ina");
      const own = await ownBrowserOf("ina");
      const human = await startIdentityProvider();
      await setOptions(testApp, {
        TurnstileAddress: human.url,
        TurnstileSiteKey: "site",
        TurnstileSecretKey: human.clientSecret,
        TurnstileCheckEnabled: "true",
      });
      for (let failure = 0; failure < 3; failure += 1) await codeOf(testApp.client(), "ina", "wrong");
      assert.equal(await codeOf(testApp.client(), "ina", password), "human-check-missing");
      assert.equal(await codeOf(own, "ina", password), "in");
      for (let failure = 0; failure < 3; failure += 1) await codeOf(own, "ina", "wrong");
      assert.equal(await codeOf(own, "ina", password), "human-check-missing", "for its own failures it is");
      await setOptions(testApp, { TurnstileCheckEnabled: "false" });
      await human.close();
    });

    test("is not blocked by floods from many networks, nor is a second step", async () => {
      await addUser("joe");
      const own = await ownBrowserOf("joe");
      await givePasskeyToRoot(testApp);
      const root = testApp.client();
      assert.equal(await codeOf(root, "root", "123456"), "second-factor-needed");
      testApp.clock.advanceSeconds(60);
      const flood = Array.from({ length: 60 }, (_, index) =>
        codeOf(testApp.client(), `flood-${index}`, "wrong", `203.0.${index}.9`),
      );
      assert.ok((await Promise.all(flood)).includes("too-many-requests"));
      assert.equal(await codeOf(testApp.client(), "joe", password, "192.0.2.8"), "too-many-requests");
      assert.equal(await codeOf(own, "joe", password), "in");
      const secondStep = await root.send(finishLogin, { body: { code: "123456" } });
      assert.equal(secondStep.envelope?.code, "factor-code-wrong");
    });

    test("is not blocked by an account that logs in repeatedly", async () => {
      await addUser("kim");
      await addUser("lea");
      testApp.clock.advanceSeconds(60);
      const [greedy, own] = [await ownBrowserOf("kim"), await ownBrowserOf("lea")];
      for (let count = 0; count < 20; count += 1) {
        assert.equal(await codeOf(greedy, "kim", password), "in");
        testApp.clock.advanceSeconds(1);
      }
      assert.equal(await codeOf(greedy, "kim", password), "too-many-requests");
      assert.equal(await codeOf(own, "lea", password), "in");
      testApp.clock.advanceSeconds(60);
      assert.equal(await codeOf(greedy, "kim", password), "in");
    });
  });
}
