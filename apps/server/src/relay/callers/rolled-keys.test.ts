import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import {
  createToken,
  deleteToken,
  endOldTokenKey,
  getToken,
  listTokens,
  rollTokenKey,
  type Token,
  updateToken,
} from "@one-api/contract/token";
import { TOKEN_STATUS } from "@one-api/contract/token-constants";
import { DATABASE_KINDS, whyMissing } from "@one-api/database/test-databases";
import { nowSeconds } from "../../platform/clock.ts";
import { createTestApp, type TestApp } from "../../testing/create-test-app.ts";
import type { TestClient } from "../../testing/test-client.ts";
import { RelayError } from "../errors/index.ts";
import { checkCaller } from "./authenticate-token.ts";

const HOUR = 3_600;
const ROLLS = 8;

for (const kind of DATABASE_KINDS) {
  describe(`key rotation on ${kind}`, { skip: whyMissing(kind) ?? false }, () => {
    let testApp: TestApp;
    before(async () => {
      testApp = await createTestApp({ kind });
    });
    after(() => testApp.close());

    async function ownerWithToken() {
      const { client, user } = await testApp.logInAs("user");
      const { created: _, ...token } = await client.data(createToken, { body: { name: "mine" } });
      return { client, user, token };
    }
    const roll = (client: TestClient, id: number, seconds: number): Promise<Token> =>
      client.data(rollTokenKey, { params: { id }, body: { overlap_seconds: seconds } });
    /** Token id of a key, or the code of its refusal. */
    async function standingOf(key: string): Promise<number | string | null> {
      const found = await testApp.deps.relay.callers.find(key);
      try {
        return checkCaller(found, "127.0.0.1", testApp.clock.nowMs()).tokenId;
      } catch (error) {
        assert.ok(error instanceof RelayError);
        return error.code;
      }
    }
    const standings = (...keys: string[]) => Promise.all(keys.map(standingOf));

    it("returns a new key, and both keys belong to the token until the older one ends", async () => {
      const { client, token } = await ownerWithToken();
      assert.equal(await standingOf(token.key), token.id);
      assert.equal((await testApp.deps.relay.callers.find(token.key))?.keyHint, "", "its only key needs no hint");
      const rolled = await roll(client, token.id, HOUR);
      assert.match(rolled.key, /^[A-Za-z0-9]{48}$/);
      assert.notEqual(rolled.key, token.key);
      const ends = nowSeconds(testApp.clock) + HOUR;
      assert.deepEqual(rolled, { ...token, key: rolled.key, old_key_ends_at: ends });
      assert.deepEqual(await standings(token.key, rolled.key), [token.id, token.id]);
      const hintOf = async (key: string) => (await testApp.deps.relay.callers.find(key))?.keyHint;
      const [old, present] = [token.key, rolled.key];
      assert.deepEqual([await hintOf(old), await hintOf(present)], [old.slice(-4), present.slice(-4)]);
      testApp.clock.advanceSeconds(HOUR - 1);
      assert.deepEqual(await standings(token.key, rolled.key), [token.id, token.id]);
      testApp.clock.advanceSeconds(1);
      assert.deepEqual(await standings(token.key, rolled.key), ["key_replaced", token.id]);
      assert.equal((await client.data(getToken, { params: { id: token.id } })).old_key_ends_at, 0);
    });

    it("removes the older key when it ends now or is ended later", async () => {
      const { client, token } = await ownerWithToken();
      const second = await roll(client, token.id, 0);
      assert.equal(second.old_key_ends_at, 0);
      assert.deepEqual(await standings(token.key, second.key), ["key_replaced", token.id]);
      const third = await roll(client, token.id, HOUR);
      assert.deepEqual(await standings(second.key, third.key), [token.id, token.id]);
      const ended = await client.data(endOldTokenKey, { params: { id: token.id } });
      assert.deepEqual([ended.key, ended.old_key_ends_at], [third.key, 0]);
      assert.deepEqual(await standings(second.key, third.key), ["key_replaced", token.id]);
      const again = await client.send(endOldTokenKey, { params: { id: token.id } });
      assert.equal(again.envelope?.code, "token-no-old-key");
    });

    it("ends the key before the last at once", async () => {
      const { client, token } = await ownerWithToken();
      const second = await roll(client, token.id, 7 * 24 * HOUR);
      const third = await roll(client, token.id, HOUR);
      assert.deepEqual(await standings(token.key, second.key, third.key), ["invalid_api_key", token.id, token.id]);
    });

    it("leaves the last two keys valid after concurrent rotations", async () => {
      const { client, token } = await ownerWithToken();
      const rolled = await Promise.all(Array.from({ length: ROLLS }, () => roll(client, token.id, HOUR)));
      const { key } = await client.data(getToken, { params: { id: token.id } });
      const made = [token.key, ...rolled.map((each) => each.key)];
      assert.equal(new Set(made).size, ROLLS + 1);
      const found = await standings(...made);
      assert.equal(found.filter((each) => each === token.id).length, 2);
      assert.equal(found[made.indexOf(key)], token.id);
    });

    it("is allowed to the owner only, with an overlap of up to a week", async () => {
      const { client, token } = await ownerWithToken();
      await roll(client, token.id, HOUR);
      const untouched = await client.data(listTokens);
      for (const role of ["user", "admin", "root"] as const) {
        const other = (await testApp.logInAs(role)).client;
        for (const call of [rollTokenKey, endOldTokenKey]) {
          const taken = await other.send(call, { params: { id: token.id }, body: {} });
          const missing = await other.send(call, { params: { id: 999_999 }, body: {} });
          assert.equal(taken.envelope?.code, "token-not-found");
          assert.equal(taken.text, missing.text);
        }
      }
      for (const seconds of [-1, 0.5, 7 * 24 * HOUR + 1]) {
        const answer = await client.send(rollTokenKey, {
          params: { id: token.id },
          body: { overlap_seconds: seconds },
        });
        assert.deepEqual([answer.status, answer.envelope?.field], [400, "overlap_seconds"], String(seconds));
      }
      assert.deepEqual(await client.data(listTokens), untouched);
    });

    it("follows its token, as does the older key: disabled, enabled, deleted", async () => {
      const { client, token } = await ownerWithToken();
      const { key } = await roll(client, token.id, HOUR);
      const set = (status: number) =>
        client.data(updateToken, { query: { status_only: "true" }, body: { id: token.id, status } });
      await set(TOKEN_STATUS.disabled);
      assert.deepEqual(await standings(token.key, key), ["token_disabled", "token_disabled"]);
      await set(TOKEN_STATUS.enabled);
      assert.deepEqual(await standings(token.key, key), [token.id, token.id]);
      await client.data(deleteToken, { params: { id: token.id } });
      assert.deepEqual(await standings(token.key, key), ["invalid_api_key", "invalid_api_key"]);
    });

    it("is stored nowhere in clear, and the audit trail records the end of the older one", async () => {
      const { client, user, token } = await ownerWithToken();
      const { key } = await roll(client, token.id, HOUR);
      const second = await roll(client, token.id, 2 * HOUR);
      const { db } = testApp.database;
      const audit = await db.selectFrom("audit").selectAll().where("actor_id", "=", user.id).orderBy("id").execute();
      const rows = [await db.selectFrom("tokens").selectAll().execute(), audit, testApp.logLines];
      for (const secret of [token.key, key, second.key]) assert.ok(!JSON.stringify(rows).includes(secret));
      const now = nowSeconds(testApp.clock);
      assert.deepEqual(
        audit.slice(1).map(({ action, object, detail }): unknown => [action, object, JSON.parse(detail)]),
        [
          ["token.roll-key", `token:${token.id}`, { name: "mine", old_key_ends_at: now + HOUR }],
          [
            "token.roll-key",
            `token:${token.id}`,
            { name: "mine", old_key_ends_at: now + 2 * HOUR, ended_key_would_have_ended_at: now + HOUR },
          ],
        ],
      );
    });
  });
}
