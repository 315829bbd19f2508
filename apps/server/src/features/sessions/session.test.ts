import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { listOptions } from "@one-api/contract/options/option";
import { createAccessToken, getSelf, login, logout, updateSelf } from "@one-api/contract/accounts/user";
import { DATABASE_KINDS, whyMissing } from "@one-api/database/test-databases";
import { createTestApp, type TestApp } from "../../testing/create-test-app.ts";
import { createTestClient } from "../../testing/test-client.ts";

const HOUR_SECONDS = 3600;

for (const kind of DATABASE_KINDS) {
  describe(`a session on ${kind}`, { skip: whyMissing(kind) ?? false }, () => {
    let testApp: TestApp;
    before(async () => {
      testApp = await createTestApp({ kind });
    });
    after(() => testApp.close());

    const setUser = (id: number, values: { role?: number; status?: number }) =>
      testApp.database.db.updateTable("users").set(values).where("id", "=", id).execute();

    test("ends after 12 hours without use", async () => {
      const { client } = await testApp.logInAs("user");
      testApp.clock.advanceSeconds(12 * HOUR_SECONDS - 1);
      assert.equal((await client.send(getSelf)).status, 200);
      testApp.clock.advanceSeconds(12 * HOUR_SECONDS - 1);
      assert.equal((await client.send(getSelf)).status, 200, "using it keeps it alive");
      testApp.clock.advanceSeconds(12 * HOUR_SECONDS);
      assert.equal((await client.send(getSelf)).status, 401);
    });

    test("ends 7 days after the login, however often it is used", async () => {
      const { client } = await testApp.logInAs("user");
      for (let step = 0; step < 15; step += 1) {
        testApp.clock.advanceSeconds(11 * HOUR_SECONDS);
        assert.equal((await client.send(getSelf)).status, 200);
      }
      testApp.clock.advanceSeconds(3 * HOUR_SECONDS);
      assert.equal((await client.send(getSelf)).status, 401);
    });

    test("has a new id at every login, and the previous one ends", async () => {
      const client = testApp.client();
      await client.data(login, { body: { username: "root", password: "123456" } });
      const earlier = client.sessionId() ?? "";
      await client.data(login, { body: { username: "root", password: "123456" } });
      assert.notEqual(client.sessionId(), earlier);
      assert.equal((await client.send(getSelf)).status, 200);
      assert.equal((await createTestClient(testApp.app, { sessionId: earlier }).send(getSelf)).status, 401);
    });

    test("beyond a thousand ends the same user's least recently used one", async () => {
      const { db } = testApp.database;
      const stranger = await testApp.logInAs("user");
      const { client: oldest, user } = await testApp.logInAs("user");
      testApp.clock.advanceSeconds(60);
      const used = await testApp.clientOf(user.id);
      const now = Math.floor(testApp.clock.nowMs() / 1000);
      const times = { created_at: now, last_seen_at: now, expires_at: now + HOUR_SECONDS };
      const rows = Array.from({ length: 998 }, (_, index) => ({
        ...times,
        id_hash: `${kind}-${index}`,
        user_id: user.id,
        address: "",
        user_agent: "",
      }));
      await db.insertInto("sessions").values(rows).execute();
      const newest = await testApp.clientOf(user.id);
      for (const client of [used, newest, stranger.client]) assert.equal((await client.send(getSelf)).status, 200);
      assert.equal((await oldest.send(getSelf)).status, 401);
      const left = db.selectFrom("sessions").select("id_hash").where("user_id", "=", user.id);
      assert.equal((await left.execute()).length, 1_000);
    });

    test("never accepts an invented id", async () => {
      const client = createTestClient(testApp.app, { sessionId: "chosen-by-an-attacker" });
      await client.data(login, { body: { username: "root", password: "123456" } });
      assert.notEqual(client.sessionId(), "chosen-by-an-attacker");
    });

    test("[CALL-16] ends on the server with the logout, in this browser only", async () => {
      const { client, user } = await testApp.logInAs("user");
      const elsewhere = await testApp.clientOf(user.id);
      const id = client.sessionId() ?? "";
      assert.match(String((await client.send(logout)).headers["set-cookie"]), /^session=; .*Expires=Thu, 01 Jan 1970/);
      assert.equal((await createTestClient(testApp.app, { sessionId: id }).send(getSelf)).status, 401);
      assert.equal((await elsewhere.send(getSelf)).status, 200);
      assert.equal((await client.send(logout)).status, 200, "a second logout is no error");
    });

    test("[V14] [ROLE-15] has its user's current role", async () => {
      const { client, user } = await testApp.logInAs("admin");
      assert.equal((await client.send(listOptions)).status, 200);
      await setUser(user.id, { role: 1 });
      assert.equal((await client.send(listOptions)).status, 403);
      await setUser(user.id, { role: 10 });
      assert.equal((await client.send(listOptions)).status, 200);
    });

    test("[V14] and access tokens end when the user is disabled or deleted", async () => {
      for (const status of [2, 3]) {
        const { client, user } = await testApp.logInAs("user");
        const script = createTestClient(testApp.app, { accessToken: await client.data(createAccessToken) });
        await setUser(user.id, { status });
        assert.equal((await client.send(getSelf)).status, 401);
        assert.equal((await script.send(getSelf)).status, 401);
      }
    });

    test("[V14] that changes the password survives; the others end", async () => {
      const { client, user } = await testApp.logInAs("user");
      const elsewhere = await testApp.clientOf(user.id);
      const somebodyElse = (await testApp.logInAs("user")).client;
      await client.data(updateSelf, { body: { password: "a new password" } });
      assert.equal((await client.send(getSelf)).status, 200);
      assert.equal((await elsewhere.send(getSelf)).status, 401);
      assert.equal((await somebodyElse.send(getSelf)).status, 200);
    });

    test("[ROLE-26] never combines with an access token", async () => {
      const { client } = await testApp.logInAs("admin");
      const { client: other, user } = await testApp.logInAs("user");
      const token = await other.data(createAccessToken);
      const authorization = `Bearer ${token}`;
      const both = await client.send(getSelf, { headers: { authorization } });
      assert.match(both.text, new RegExp(user.username), "the token counts");
      assert.equal((await client.send(listOptions, { headers: { authorization } })).status, 403);
      for (const wrong of ["Bearer no-such-token", "no-such-token", "Basic cm9vdDoxMjM0NTY=", "Bearer ", ""]) {
        assert.equal((await client.send(getSelf, { headers: { authorization: wrong } })).status, 401, wrong);
      }
      assert.equal((await client.send(logout, { headers: { authorization } })).status, 200);
      assert.equal((await client.send(getSelf)).status, 200, "a logout by token leaves the cookie's session alone");
    });
  });
}
