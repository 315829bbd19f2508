import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { endAllSessions, endSession, listSessions } from "@one-api/contract/accounts/session";
import {
  createAccessToken,
  getAccessTokenState,
  getSelf,
  login,
  revokeAccessToken,
} from "@one-api/contract/accounts/user";
import { updateUser } from "@one-api/contract/accounts/user-management";
import { DATABASE_KINDS, openTestDatabase, whyMissing } from "@one-api/database/test-databases";
import type { OpenDatabase } from "@one-api/database/open-database";
import { createTestApp, type TestApp } from "../../testing/create-test-app.ts";
import { createTestClient } from "../../testing/test-client.ts";

for (const kind of DATABASE_KINDS) {
  describe(`one's own sessions on ${kind}`, { skip: whyMissing(kind) ?? false }, () => {
    let database: OpenDatabase;
    let testApp: TestApp;
    before(async () => {
      database = await openTestDatabase(kind);
      testApp = await createTestApp({
        database,
        environment: { SECRET_KEY: "one and the same key for both of the servers" },
      });
    });
    after(async () => {
      await testApp.close();
      await database.close();
    });

    test("are listed with address, time and browser, the current one marked", async () => {
      const { client, user } = await testApp.logInAs("user", { username: "mia", password: "correct horse" });
      testApp.clock.advanceSeconds(12 * 3600);
      const fresh = testApp.client();
      const headers = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64) Chrome/141" };
      await fresh.data(login, { body: { username: "mia", password: "correct horse" }, headers });
      const other = await testApp.clientOf(user.id);
      const now = Math.floor(testApp.clock.nowMs() / 1000);
      const listed = await fresh.data(listSessions);
      const of = (agent: string) => listed.find(({ user_agent: own }) => own === agent);
      assert.equal(listed.length, 2);
      assert.equal(of(headers["user-agent"])?.is_current, true);
      assert.equal(of("test")?.is_current, false);
      for (const { address, created_at: at } of listed) assert.deepEqual([address, at], ["127.0.0.1", now]);
      assert.equal((await client.send(getSelf)).status, 401);
      for (const { id } of listed) {
        assert.equal(
          (await createTestClient(testApp.app, { sessionId: id }).send(getSelf)).status,
          401,
          "a name is no key",
        );
      }
      assert.equal((await other.data(listSessions)).length, 2);
    });

    test("end one by one on every server, by their user only", async () => {
      const { client, user } = await testApp.logInAs("user");
      const lost = await testApp.clientOf(user.id);
      const another = await createTestApp({
        database,
        environment: { SECRET_KEY: "one and the same key for both of the servers" },
      });
      const lostThere = createTestClient(another.app, { sessionId: lost.sessionId() ?? "" });
      assert.equal((await lostThere.send(getSelf)).status, 200);
      const id = (await client.data(listSessions)).find(({ is_current: isCurrent }) => !isCurrent)?.id ?? "";
      const stranger = (await testApp.logInAs("admin")).client;
      const refused = await stranger.send(endSession, { params: { id } });
      assert.equal(refused.envelope?.code, "session-not-found");
      await client.data(endSession, { params: { id } });
      assert.equal((await lostThere.send(getSelf)).status, 401);
      assert.equal((await client.send(getSelf)).status, 200);
      assert.equal((await client.send(endSession, { params: { id } })).envelope?.code, "session-not-found");
      await another.close();
    });

    test("end all together, including the current one", async () => {
      const { client, user } = await testApp.logInAs("user");
      const elsewhere = await testApp.clientOf(user.id);
      const stranger = (await testApp.logInAs("user")).client;
      const foreign = await client.send(endAllSessions, { headers: { "sec-fetch-site": "cross-site" } });
      assert.equal(foreign.status, 403);
      const cookie = client.sessionId() ?? "";
      await client.data(endAllSessions);
      assert.equal(client.sessionId(), undefined, "the cookie is taken back");
      for (const gone of [createTestClient(testApp.app, { sessionId: cookie }), elsewhere])
        assert.equal((await gone.send(getSelf)).status, 401);
      assert.equal((await stranger.send(getSelf)).status, 200);
      const rows = database.db.selectFrom("audit").select("action").where("actor_id", "=", user.id);
      assert.deepEqual(await rows.execute(), [{ action: "session.end-all" }]);
    });

    test("end with the access token when an administrator sets the password", async () => {
      const { client, user } = await testApp.logInAs("user");
      const script = createTestClient(testApp.app, { accessToken: await client.data(createAccessToken) });
      assert.equal((await script.send(getSelf)).status, 200);
      const admin = (await testApp.logInAs("admin")).client;
      await admin.data(updateUser, { body: { id: user.id, display_name: "Renamed" } });
      assert.equal((await script.send(getSelf)).status, 200, "another change ends nothing");
      await admin.data(updateUser, { body: { id: user.id, password: "set by another" } });
      for (const gone of [client, script]) assert.equal((await gone.send(getSelf)).status, 401);
    });

    test("the access token has creation and last use, and can be revoked", async () => {
      const { client, user } = await testApp.logInAs("user");
      const state = () => client.data(getAccessTokenState);
      assert.deepEqual(await state(), { is_set: false, created_at: 0, last_used_at: 0 });
      const token = await client.data(createAccessToken);
      const created_at = Math.floor(testApp.clock.nowMs() / 1000);
      assert.deepEqual(await state(), { is_set: true, created_at, last_used_at: 0 });
      testApp.clock.advanceSeconds(90);
      const script = createTestClient(testApp.app, { accessToken: token });
      await script.data(getSelf);
      assert.deepEqual(await state(), { is_set: true, created_at, last_used_at: created_at + 90 });
      await client.data(revokeAccessToken);
      assert.equal((await script.send(getSelf)).status, 401);
      assert.equal((await state()).is_set, false);
      const rows = database.db
        .selectFrom("audit")
        .select("action")
        .where("actor_id", "=", user.id)
        .orderBy("id", "desc");
      assert.equal((await rows.executeTakeFirst())?.action, "user.revoke-access-token");
    });
  });
}
