import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { unbind } from "@one-api/contract/accounts/binding";
import * as factors from "@one-api/contract/accounts/factor";
import { bindWeChat, enterWithGitHub, enterWithLark, enterWithOidc } from "@one-api/contract/accounts/oauth";
import { bindEmail } from "@one-api/contract/accounts/registration";
import { createAccessToken, getSelf, updateSelf } from "@one-api/contract/accounts/user";
import { updateUser } from "@one-api/contract/accounts/user-management";
import type { Call } from "@one-api/contract/call";
import { DATABASE_KINDS, whyMissing } from "@one-api/database/test-databases";
import { TOTP } from "otpauth";
import { createTestApp, type TestApp } from "../../testing/create-test-app.ts";
import { createTestClient, type TestClient, type TestInput } from "../../testing/test-client.ts";

const password = "correct horse";
const PROOF_NEEDED = [403, "proof-needed"];

/** Calls by which a session alone could take over the account. */
const GUARDED: readonly (readonly [Call, TestInput])[] = [
  [updateSelf, { body: { password: "another password" } }],
  [createAccessToken, {}],
  [bindEmail, { query: { email: "other@example.com", code: "1" } }],
  [bindWeChat, { query: { code: "1" } }],
  [enterWithGitHub, { query: { code: "1", state: "1" } }],
  [enterWithLark, { query: { code: "1", state: "1" } }],
  [enterWithOidc, { query: { code: "1", state: "1" } }],
  [unbind, { params: { binding: "email" } }],
];

for (const kind of DATABASE_KINDS) {
  describe(`a session of an account with a second factor on ${kind}`, { skip: whyMissing(kind) ?? false }, () => {
    let testApp: TestApp;
    before(async () => {
      testApp = await createTestApp({ kind });
    });
    after(() => testApp.close());

    const codeOf = (key: string) => new TOTP({ secret: key }).generate({ timestamp: testApp.clock.nowMs() });
    const protectedUser = async () => {
      const { client, user } = await testApp.logInAs("user", { password, email: "" });
      const { manual_entry: key } = await client.data(factors.beginTotp, { body: { proof: { password } } });
      await client.data(factors.confirmTotp, { body: { code: codeOf(key) } });
      testApp.clock.advanceSeconds(30);
      return { client, user, key };
    };
    const outcome = async (client: TestClient, call: Call, input: TestInput = {}) => {
      const { status, envelope } = await client.send(call, input);
      return [status, envelope?.code ?? "done"];
    };
    const prove = (client: TestClient, proof: factors.Proof) =>
      outcome(client, factors.proveSession, { body: { proof } });

    test("cannot set a password, bind, unbind or create an access token without a proof", async () => {
      const { client } = await protectedUser();
      for (const [call, input] of GUARDED)
        assert.deepEqual(await outcome(client, call, input), PROOF_NEEDED, call.path);
      await client.data(updateSelf, { body: { display_name: "A name needs no proof" } });
    });

    test("may do so for ten minutes after the proof, in the same session only", async () => {
      const { client, user, key } = await protectedUser();
      const elsewhere = await testApp.clientOf(user.id);
      for (const proofOf of [() => ({ password }), () => ({ code: codeOf(key) })]) {
        assert.deepEqual(await prove(client, proofOf()), [200, "done"]);
        assert.deepEqual(await outcome(client, createAccessToken), [200, "done"]);
        for (const [call, input] of GUARDED.slice(1))
          assert.notDeepEqual(await outcome(client, call, input), PROOF_NEEDED, call.path);
        assert.deepEqual(await outcome(elsewhere, createAccessToken), PROOF_NEEDED);
        testApp.clock.advanceSeconds(600);
        assert.deepEqual(await outcome(client, createAccessToken), PROOF_NEEDED);
      }
      await prove(client, { password });
      assert.deepEqual(await outcome(client, updateSelf, { body: { password: "another password" } }), [200, "done"]);
      assert.deepEqual(
        await outcome(client, createAccessToken),
        PROOF_NEEDED,
        "a new password ends what the old one proved",
      );
    });

    test("is not proven by wrong answers, whose number is limited", async () => {
      const { client } = await protectedUser();
      assert.deepEqual(await prove(client, {}), [200, "factor-proof-missing"]);
      assert.deepEqual(await prove(client, { code: "000000" }), [200, "factor-code-wrong"]);
      const tries = [];
      for (let go = 0; go < 9; go += 1) tries.push((await prove(client, { password: `wrong ${go}` }))[1]);
      assert.deepEqual(new Set(tries.slice(0, 8)), new Set(["factor-password-wrong"]));
      assert.equal(tries.at(-1), "too-many-requests");
      assert.deepEqual(await outcome(client, createAccessToken), PROOF_NEEDED);
    });

    test("is not replaced by an access token, which may only create the next one", async () => {
      const { client } = await protectedUser();
      await prove(client, { password });
      const token = createTestClient(testApp.app, { accessToken: await client.data(createAccessToken) });
      assert.deepEqual(await prove(token, { password }), [403, "not-allowed"]);
      assert.deepEqual(await outcome(token, updateSelf, { body: { password: "another password" } }), PROOF_NEEDED);
      assert.deepEqual(await outcome(token, createAccessToken), [200, "done"]);
    });

    test("of root cannot set root's password by the users page either", async () => {
      const { client, user } = await testApp.logInAs("root");
      const { id: user_id } = user;
      const row = { user_id, key_cipher: "x", confirmed_at: 1, last_step: 0 };
      await testApp.database.db.insertInto("totp_factors").values(row).execute();
      const body = { id: user_id, password: "another password" };
      assert.deepEqual(await outcome(client, updateUser, { body }), PROOF_NEEDED);
    });

    test("needs no proof without a second factor", async () => {
      const { client } = await testApp.logInAs("user", { password });
      for (const [call, input] of GUARDED)
        assert.notDeepEqual(await outcome(client, call, input), PROOF_NEEDED, call.path);
      assert.equal((await client.data(getSelf)).role, 1);
    });
  });
}
