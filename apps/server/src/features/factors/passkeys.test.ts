import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { unbind } from "@one-api/contract/accounts/binding";
import * as factors from "@one-api/contract/accounts/factor";
import { updateOption } from "@one-api/contract/options/option";
import { getSelf, login } from "@one-api/contract/accounts/user";
import { manageUser } from "@one-api/contract/accounts/user-management";
import { DATABASE_KINDS, whyMissing } from "@one-api/database/test-databases";
import { createTestApp, type TestApp } from "../../testing/create-test-app.ts";
import { createTestAuthenticator, type TestAuthenticator } from "../../testing/create-test-authenticator.ts";
import type { TestClient } from "../../testing/test-client.ts";

const PASSWORD = "correct horse";
const SERVER = "https://gateway.example";

for (const kind of DATABASE_KINDS) {
  describe(`passkeys on ${kind}`, { skip: whyMissing(kind) ?? false }, () => {
    let testApp: TestApp;
    before(async () => {
      testApp = await createTestApp({ kind });
      await setAddress(SERVER);
    });
    after(() => testApp.close());

    async function setAddress(value: string): Promise<void> {
      await (await testApp.logInAs("root")).client.data(updateOption, { body: { key: "ServerAddress", value } });
    }

    async function addPasskey(client: TestClient, proof: object, device = createTestAuthenticator()) {
      const begun = await client.data(factors.beginPasskey, { body: { proof } });
      const body = { name: "Phone", ...device.make(begun) };
      return { device, added: await client.data(factors.addPasskey, { body }) };
    }

    async function userWithPasskey(username: string) {
      const { client, user } = await testApp.logInAs("user", { username, password: PASSWORD });
      return { client, user, ...(await addPasskey(client, { password: PASSWORD })) };
    }

    /** Logs in without a password and returns the result. */
    async function enter(client: TestClient, device: TestAuthenticator, changes: object = {}, isSecondStep = false) {
      const question = await client.data(factors.askLoginPasskey, { body: { is_second_step: isSecondStep } });
      const answer = device.answer({ ...question, ...changes });
      return (await client.send(factors.logInWithPasskey, { body: answer })).envelope?.code ?? "in";
    }

    test("are added with the password, create recovery codes, and log in alone", async () => {
      const { client, user, device, added } = await userWithPasskey("ann");
      assert.equal(added.recovery_codes.length, 10);
      const browser = testApp.client();
      assert.equal(await enter(browser, device), "in");
      assert.equal((await browser.data(getSelf)).id, user.id);
      const [passkey] = (await client.data(factors.getFactors)).passkeys;
      const now = Math.floor(testApp.clock.nowMs() / 1000);
      assert.deepEqual(passkey, { id: added.passkey.id, name: "Phone", created_at: now, last_used_at: now });
      const refused = await client.send(factors.beginPasskey, { body: { proof: { password: PASSWORD } } });
      assert.equal(refused.envelope?.code, "factor-proof-missing", "a second one needs the first, or a code");
    });

    test("are requested after the password, the account's own only", async () => {
      const { user, device } = await userWithPasskey("bob");
      const { device: another } = await userWithPasskey("eve");
      const half = testApp.client();
      const { envelope } = await half.send(login, { body: { username: "bob", password: PASSWORD } });
      assert.deepEqual(envelope?.values, { ways: "passkey" });
      assert.equal(await enter(half, another, {}, true), "passkey-refused");
      assert.equal((await half.send(getSelf)).status, 401);
      assert.equal(await enter(half, device, {}, true), "in");
      assert.equal((await half.data(getSelf)).id, user.id);
      assert.equal(
        (await testApp.client().send(factors.askLoginPasskey, { body: { is_second_step: true } })).envelope?.code,
        "login-step-over",
      );
    });

    test("answer one challenge once, in the same browser and domain, with user verification", async () => {
      const { device } = await userWithPasskey("cat");
      const wrong = [
        { origin: "https://evil.example" },
        { origin: "https://gateway.example:8443" },
        { domain: "evil.example", origin: SERVER },
        { challenge: Buffer.alloc(32).toString("base64url") },
        { isVerified: false },
      ];
      for (const changes of wrong)
        assert.equal(await enter(testApp.client(), device, changes), "passkey-refused", JSON.stringify(changes));
      assert.equal(await enter(testApp.client(), createTestAuthenticator()), "passkey-unknown");
      const [browser, thief] = [testApp.client(), testApp.client()];
      const question = await browser.data(factors.askLoginPasskey, { body: {} });
      const body = device.answer(question);
      const send = async (client: TestClient) =>
        (await client.send(factors.logInWithPasskey, { body })).envelope?.code ?? "in";
      assert.equal(await send(thief), "login-step-over");
      await thief.data(factors.askLoginPasskey, { body: {} });
      assert.equal(await send(thief), "passkey-refused", "the answer to somebody else's question");
      const outcomes = await Promise.all([send(browser), send(browser)]);
      assert.equal(outcomes.filter((outcome) => outcome === "in").length, 1, outcomes.join());
      testApp.clock.advanceSeconds(1);
      const late = testApp.client();
      const old = await late.data(factors.askLoginPasskey, { body: {} });
      testApp.clock.advanceSeconds(600);
      const { envelope } = await late.send(factors.logInWithPasskey, { body: device.answer(old) });
      assert.equal(envelope?.code, "login-step-over");
    });

    test("that were copied are detected by their counter", async () => {
      const { device } = await userWithPasskey("dan");
      assert.equal(await enter(testApp.client(), device, { count: 7 }), "in");
      assert.equal(await enter(testApp.client(), device, { count: 7 }), "passkey-refused");
      assert.equal(await enter(testApp.client(), device, { count: 3 }), "passkey-refused");
      assert.equal(await enter(testApp.client(), device, { count: 8 }), "in");
    });

    test("are created by the same user and browser, once", async () => {
      const { client } = await testApp.logInAs("user", { username: "fay", password: PASSWORD });
      const { client: other } = await testApp.logInAs("user", { username: "gus", password: PASSWORD });
      const device = createTestAuthenticator();
      const begun = await client.data(factors.beginPasskey, { body: { proof: { password: PASSWORD } } });
      const add = async (by: TestClient, made: object) =>
        (await by.send(factors.addPasskey, { body: { name: "x", ...made } })).envelope?.code ?? "added";
      assert.equal(await add(other, device.make(begun)), "login-step-over");
      assert.equal(await add(client, device.make({ ...begun, origin: "https://evil.example" })), "passkey-refused");
      assert.equal(await add(client, device.make(begun)), "added");
      assert.equal(await add(client, device.make(begun)), "login-step-over");
      const shared = testApp.client();
      const logInHere = (username: string) => shared.send(login, { body: { username, password: PASSWORD } });
      await testApp.logInAs("user", { username: "may", password: PASSWORD });
      await logInHere("may");
      const ofMay = await shared.data(factors.beginPasskey, { body: { proof: { password: PASSWORD } } });
      await logInHere("gus");
      assert.equal(await add(shared, createTestAuthenticator().make(ofMay)), "login-step-over", "may's, not gus's");
      const again = await other.data(factors.beginPasskey, { body: { proof: { password: PASSWORD } } });
      assert.equal(await add(other, device.make(again)), "passkey-exists", "nobody takes over what another has");
    });

    test("that are the only sign-in method cannot be removed, but others can", async () => {
      const { client, user } = await testApp.logInAs("user", { username: "lea" });
      const { db } = testApp.database;
      await db
        .updateTable("users")
        .set({ lark_id: "https://open.feishu.cn ou_lea" })
        .where("id", "=", user.id)
        .execute();
      await (await testApp.logInAs("root")).client.data(updateOption, { body: { key: "LarkClientId", value: "1" } });
      const { device, added } = await addPasskey(client, {});
      const passkey = device.answer(await client.data(factors.askProofPasskey));
      await client.data(factors.proveSession, { body: { proof: { passkey } } });
      assert.equal((await client.send(unbind, { params: { binding: "lark" } })).envelope?.success, true);
      const params = { id: added.passkey.id };
      const remove = async () => {
        const proof = { passkey: device.answer(await client.data(factors.askProofPasskey)) };
        return (await client.send(factors.removePasskey, { params, body: { proof } })).envelope?.code ?? "removed";
      };
      assert.equal(await remove(), "last-way-in");
      assert.equal(await enter(testApp.client(), device), "in");
      await db
        .updateTable("users")
        .set({ lark_id: "https://open.feishu.cn ou_lea" })
        .where("id", "=", user.id)
        .execute();
      assert.equal(await remove(), "removed");
    });

    test("prove a change of factors instead of a code; only their owner renames and removes them", async () => {
      const { client, device, added } = await userWithPasskey("hal");
      const { client: other, device: foreign } = await userWithPasskey("ida");
      const { id } = added.passkey;
      const rename = await other.send(factors.renamePasskey, { params: { id }, body: { name: "Mine" } });
      assert.equal(rename.envelope?.code, "passkey-not-found");
      await client.data(factors.renamePasskey, { params: { id }, body: { name: "Old phone" } });
      const asked = await client.data(factors.askProofPasskey);
      const borrowed = { password: PASSWORD, passkey: foreign.answer(asked) };
      const refused = await client.send(factors.createRecoveryCodes, { body: { proof: borrowed } });
      assert.equal(refused.envelope?.code, "login-step-over", "another account's passkey proves nothing");
      const question = await client.data(factors.askProofPasskey);
      const misused = await client.send(factors.logInWithPasskey, { body: device.answer(question) });
      assert.equal(misused.envelope?.code, "login-step-over", "what proves a change is no login");
      const proof = { password: PASSWORD, passkey: device.answer(question) };
      await addPasskey(client, proof);
      const replayed = await client.send(factors.removePasskey, { params: { id }, body: { proof } });
      assert.equal(replayed.envelope?.code, "login-step-over");
      const remove = (code: string) =>
        client.send(factors.removePasskey, { params: { id }, body: { proof: { password: PASSWORD, code } } });
      assert.equal((await remove("wrong")).envelope?.code, "factor-code-wrong");
      assert.equal((await remove(added.recovery_codes[0] ?? "")).envelope?.success, true);
      assert.equal(await enter(testApp.client(), device), "passkey-unknown");
      assert.deepEqual(
        (await client.data(factors.getFactors)).passkeys.map(({ name }) => name),
        ["Phone"],
      );
    });

    test("[V37] do not log in to a disabled account, and are deleted with the account", async () => {
      const { device } = await userWithPasskey("jim");
      const root = (await testApp.logInAs("root")).client;
      await root.data(manageUser, { body: { username: "jim", action: "disable" } });
      assert.equal(await enter(testApp.client(), device), "account-disabled");
      await root.data(manageUser, { body: { username: "jim", action: "delete" } });
      assert.equal(await enter(testApp.client(), device), "passkey-unknown");
    });

    test("belong to ServerAddress, else to localhost, never to the Host header", async () => {
      await setAddress("");
      const ask = async (host: string) => {
        const { envelope } = await testApp.client().send(factors.askLoginPasskey, { body: {}, headers: { host } });
        return envelope?.code ?? JSON.stringify(envelope?.data);
      };
      assert.match(await ask("localhost:3000"), /"domain":"localhost"/);
      for (const host of ["evil.example", "127.0.0.1:3000", "localhost.evil.example", "localhost@evil.example"])
        assert.equal(await ask(host), "server-address-missing", host);
      await setAddress(SERVER);
      assert.match(await ask("evil.example"), /"domain":"gateway.example"/);
    });
  });
}
