import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import {
  type AuditEntry,
  getAuditEntry,
  listAudit,
  listOptionChanges,
  listOptionHistory,
  readOptionBefore,
} from "@one-api/contract/audit";
import { createChannel, updateChannel } from "@one-api/contract/channels/channel";
import { updateOption } from "@one-api/contract/options/option";
import { createToken, updateToken } from "@one-api/contract/token";
import { login, updateSelf } from "@one-api/contract/accounts/user";
import { updateUser } from "@one-api/contract/accounts/user-management";
import { DATABASE_KINDS, whyMissing } from "@one-api/database/test-databases";
import { sql } from "kysely";
import { createTestApp, type TestApp, type TestLogin } from "../../testing/create-test-app.ts";
import { setOptions } from "../../testing/set-options.ts";
import type { TestClient } from "../../testing/test-client.ts";
import { sealAudit } from "./seals/seal-audit.ts";
import { forgetOldAudit } from "./forget-old-audit.ts";

for (const kind of DATABASE_KINDS) {
  describe(`the audit trail on ${kind}`, { skip: whyMissing(kind) ?? false }, () => {
    let testApp: TestApp;
    let root: TestLogin;
    let admin: TestLogin;
    let peer: TestLogin;
    let user: TestLogin;
    before(async () => {
      testApp = await createTestApp({ kind });
      [root, admin, peer, user] = [
        await testApp.logInAs("root"),
        await testApp.logInAs("admin"),
        await testApp.logInAs("admin"),
        await testApp.logInAs("user"),
      ];
    });
    after(() => testApp.close());

    const list = (client: TestClient, query: Record<string, string | number> = {}) =>
      client.data(listAudit, { query: { size: 100, ...query } });
    const newest = async (client: TestClient, query: Record<string, string | number> = {}): Promise<AuditEntry> => {
      const [entry] = await list(client, { size: 10, ...query });
      assert.ok(entry);
      return client.data(getAuditEntry, { params: { id: entry.id } });
    };

    test("has actor, action, time, address and previous values", async () => {
      await root.client.data(updateUser, { body: { id: user.user.id, display_name: "New name", quota: 7 } });
      const { id, created_at, request_id, ...entry } = await newest(root.client);
      assert.ok(id > 0 && created_at === Math.floor(testApp.clock.nowMs() / 1000) && request_id !== "");
      assert.deepEqual(entry, {
        actor_id: 1,
        actor_name: "root",
        actor_role: 100,
        via: "session",
        via_name: "",
        address: "127.0.0.1",
        action: "user.update",
        object: `user:${user.user.id}`,
        object_name: user.user.username,
        object_exists: true,
        details: [
          { field: "display_name", from: user.user.username, to: "New name" },
          { field: "quota", from: "5000000", to: "7" },
        ],
        detail_count: 2,
      });
      await root.client.data(updateUser, { body: { id: user.user.id, quota: 5_000_000 } });
    });

    test("compares texts that contain objects member by member", async () => {
      const set = (value: string) => root.client.data(updateOption, { body: { key: "GroupRatio", value } });
      await set('{"default":1,"vip":1,"svip":1}');
      await set('{"default":1,"vip":0.5,"gold":2}');
      assert.deepEqual((await newest(root.client)).details, [
        { field: "value.vip", from: "1", to: "0.5" },
        { field: "value.svip", from: "1", to: "" },
        { field: "value.gold", from: "", to: "2" },
      ]);
    });

    test("lists the members of added and removed objects", async () => {
      const set = (budget: { quota: number; period: "daily" } | null) =>
        root.client.data(updateUser, { body: { id: user.user.id, budget } });
      await set({ quota: 7, period: "daily" });
      assert.deepEqual((await newest(root.client)).details, [
        { field: "budget.quota", from: "", to: "7" },
        { field: "budget.period", from: "", to: "daily" },
      ]);
      await set(null);
      assert.deepEqual((await newest(root.client)).details, [
        { field: "budget.quota", from: "7", to: "" },
        { field: "budget.period", from: "daily", to: "" },
      ]);
    });

    test("names who changed each option last, but hides root from administrators", async () => {
      const set = (client: TestClient, key: string, value: string) =>
        client.data(updateOption, { body: { key, value } });
      await set(admin.client, "RetryTimes", "4");
      await set(root.client, "RetryTimes", "5");
      await set(admin.client, "Notice", "Hello");
      const whoSet = async ({ client }: TestLogin) => {
        const changes = await client.data(listOptionChanges);
        const nameOf = (key: string) => changes.find((change) => change.key === key)?.actor_name;
        return [nameOf("RetryTimes"), nameOf("Notice"), nameOf("Footer")];
      };
      assert.deepEqual(await whoSet(root), ["root", admin.user.username, undefined]);
      assert.deepEqual(await whoSet(admin), ["", admin.user.username, undefined]);
      assert.deepEqual(await whoSet(peer), ["", "", undefined]);
      assert.equal((await user.client.send(listOptionChanges)).status, 403);
    });

    test("has the history of each option, whose earlier values can be read", async () => {
      const set = (key: string, value: string) => root.client.data(updateOption, { body: { key, value } });
      const history = (client: TestClient, key: string) => client.data(listOptionHistory, { params: { key } });
      await set("PoolMode", "polling");
      await set("PoolMode", "random");
      await set("GroupRatio", '{"default":1,"vip":1}');
      await set("GroupRatio", '{"default":1,"vip":0.5,"gold":2}');
      const [last, first] = await history(root.client, "PoolMode");
      assert.deepEqual(last?.details, [{ field: "", from: "polling", to: "random" }]);
      assert.deepEqual([first?.actor_name, first?.can_revert], ["root", true]);
      const [ratios] = await history(admin.client, "GroupRatio");
      assert.deepEqual([ratios?.actor_name, ratios?.detail_count], ["", 2]);
      assert.deepEqual(ratios?.details, [
        { field: "vip", from: "1", to: "0.5" },
        { field: "gold", from: "", to: "2" },
      ]);
      const valueBefore = (key: string, id: number) => admin.client.send(readOptionBefore, { params: { key, id } });
      assert.deepEqual((await valueBefore("GroupRatio", ratios?.id ?? 0)).envelope?.data, {
        value: '{"default":1,"vip":1}',
      });
      assert.equal((await valueBefore("PoolMode", ratios?.id ?? 0)).envelope?.code, "not-found");
      assert.equal((await user.client.send(listOptionHistory, { params: { key: "PoolMode" } })).status, 403);
      assert.deepEqual(await history(root.client, "NoSuchOption"), []);
    });

    test("has of secrets only who changed them, and of masked texts no value to restore", async () => {
      await setOptions(testApp, { SMTPToken: "word", Notice: "Bearer abcdefghijklmnop" });
      await setOptions(testApp, { SMTPToken: "", Notice: "" });
      for (const key of ["SMTPToken", "Notice"]) {
        const [change] = await root.client.data(listOptionHistory, { params: { key } });
        assert.ok(change);
        assert.equal(change.can_revert, false, key);
        assert.deepEqual(change.details.length, key === "Notice" ? 1 : 0);
        const answer = await root.client.send(readOptionBefore, { params: { key, id: change.id } });
        assert.equal(answer.envelope?.code, "not-found");
      }
    });

    test("contains no secrets of channels, options, tokens and passwords", async () => {
      const canary = "canaryCANARYcanary42";
      const { ids } = await root.client.data(createChannel, {
        body: { type: 1, name: "c", key: `sk-${canary}`, models: "m", base_url: "https://a.example" },
      });
      const [id = 0] = ids;
      await root.client.data(updateChannel, { body: { id, key: `sk-new${canary}`, system_prompt: "Be brief." } });
      const { details } = await newest(root.client);
      assert.deepEqual(
        details,
        [
          { field: "system_prompt", from: "", to: "Be brief." },
          { field: "key_secret", from: "(secret)", to: "(secret)" },
        ].toSorted((left, right) => names(details).indexOf(left.field) - names(details).indexOf(right.field)),
      );
      await setOptions(testApp, {
        SMTPToken: canary,
        HttpProxy: `http://me:${canary}@10.0.0.1:80`,
        Notice: `Call https://me:${canary}@a.example/?api_key=${canary} with Bearer ${canary} or sk-${canary}`,
        About: JSON.stringify({ deep: [{ password: canary }] }),
      });
      await user.client.data(updateSelf, { body: { password: canary } });
      await testApp.client().send(login, { body: { username: canary, password: canary } });
      const { key } = await user.client.data(createToken, { body: { name: "t" } });
      const rows = JSON.stringify(await testApp.database.db.selectFrom("audit").select(["object", "detail"]).execute());
      assert.ok(!rows.includes(canary), rows);
      assert.ok(!rows.includes(key));
      assert.match(rows, /https:\/\/me:\(secret\)@a\.example/);
    });

    test("shows all to root, own entries and those of lower roles to administrators, nothing to others", async () => {
      await user.client.data(createToken, { body: { name: "seen" } });
      await peer.client.data(updateSelf, { body: { display_name: "Peer" } });
      await admin.client.data(updateSelf, { body: { display_name: "Me" } });
      await root.client.data(updateUser, { body: { id: admin.user.id, display_name: "By root" } });
      await testApp.client().send(login, { body: { username: "root", password: "wrong wrong" } });
      await testApp.client().send(login, { body: { username: peer.user.username, password: "wrong wrong" } });
      await testApp.client().send(login, { body: { username: admin.user.username, password: "wrong wrong" } });
      const seen = await list(admin.client);
      for (const entry of seen) {
        const isOwn = entry.actor_id === admin.user.id || entry.object === `user:${admin.user.id}`;
        assert.ok(isOwn || entry.actor_role < 10, JSON.stringify(entry));
        assert.ok(![`user:1`, `user:${peer.user.id}`].includes(entry.object), JSON.stringify(entry));
      }
      const said = seen.map(({ action, actor_name }) => `${action} by ${actor_name}`);
      for (const expected of [
        `token.create by ${user.user.username}`,
        `user.update-self by ${admin.user.username}`,
        "user.update by root",
        "session.refuse by ",
      ])
        assert.ok(said.includes(expected), expected);
      assert.equal(seen.find(({ actor_name }) => actor_name === "root")?.address, "", "where root is, is root's");
      const all = await list(root.client);
      const ofPeer = all.find(({ actor_id }) => actor_id === peer.user.id);
      assert.ok(ofPeer !== undefined && all.some(({ object }) => object === "user:1"));
      const refused = await admin.client.send(getAuditEntry, { params: { id: ofPeer.id } });
      assert.equal(refused.envelope?.code, "not-found");
      assert.equal((await user.client.send(listAudit)).status, 403);
      assert.equal((await testApp.client().send(listAudit)).status, 401);
    });

    test("is filtered by actor, kind, object and time, with stable pages", async () => {
      testApp.clock.advanceSeconds(1_000);
      const since = Math.floor(testApp.clock.nowMs() / 1000);
      const { id } = await user.client.data(createToken, { body: { name: "one" } });
      for (let edit = 0; edit < 12; edit += 1)
        await user.client.data(updateToken, { body: { id, name: `name ${edit}` } });
      await admin.client.data(updateSelf, { body: { display_name: "Later" } });
      const ofToken = { object: `token:${id}`, size: 10 };
      const first = await list(root.client, ofToken);
      assert.deepEqual([first.length, first[0]?.action], [10, "token.update"]);
      await user.client.data(updateToken, { body: { id, name: "while reading" } });
      const second = await list(root.client, { ...ofToken, p: 1, up_to: first[0]?.id ?? 0 });
      assert.deepEqual([second.length, second[2]?.action], [3, "token.create"]);
      const total = (await root.client.send(listAudit, { query: ofToken })).headers["x-total-count"];
      assert.equal(String(total), "14");
      const by = await list(root.client, { actor: admin.user.username.toUpperCase(), start_timestamp: since });
      assert.deepEqual(names(by.flatMap(({ details }) => details)), ["display_name"]);
      const kinds = new Set(
        (await list(root.client, { kind: "user", start_timestamp: since })).map(({ action }) => action),
      );
      assert.deepEqual([...kinds], ["user.update-self"]);
      assert.deepEqual(await list(root.client, { kind: "token", end_timestamp: since - 1, object: `token:${id}` }), []);
      assert.equal((await root.client.send(listAudit, { query: { kind: "nonsense" } })).status, 400);
    });

    test("limits the recorded failed logins of an account from all networks", async () => {
      testApp.clock.advanceSeconds(7_200);
      const { db } = testApp.database;
      const refusals = () => list(root.client, { kind: "session", object: "user:unknown", start_timestamp: since });
      const since = Math.floor(testApp.clock.nowMs() / 1000);
      for (let attempt = 0; attempt < 60; attempt += 1) {
        await testApp.client().send(login, { body: { username: `nobody-${attempt}`, password: "wrong wrong" } });
        // From different networks and times, so that no throttle applies.
        testApp.clock.advanceSeconds(1);
        await db.deleteFrom("login_failures").execute();
      }
      const rows = await refusals();
      assert.equal(rows.length, 50);
      assert.deepEqual(rows[0]?.details, [{ field: "not_recorded_after_this_seconds", to: "3600" }]);
      testApp.clock.advanceSeconds(3_600);
      await testApp.client().send(login, { body: { username: "nobody", password: "wrong wrong" } });
      assert.equal((await refusals()).length, 51);
    });

    test("never changes, and loses entries only after the retention", async () => {
      const { database, clock, deps } = testApp;
      const sealing = { database, clock, secrets: deps.secrets };
      await assert.rejects(sql`update audit set actor_name = 'somebody else'`.execute(database.db), /never change/);
      const keeping = { ...sealing, options: deps.options };
      const count = async () => (await list(root.client)).length;
      assert.equal(await forgetOldAudit(keeping), 0, "for ever by default");
      await sealAudit(sealing);
      testApp.clock.advanceSeconds(40 * 24 * 3600);
      const { client } = await testApp.logInAs("root");
      const refused = await admin.client.send(updateOption, { body: { key: "AuditRetentionDays", value: "1" } });
      assert.notEqual(refused.envelope?.success, true);
      await client.data(updateOption, { body: { key: "AuditRetentionDays", value: "30" } });
      assert.ok((await forgetOldAudit(keeping)) > 50);
      root = { ...root, client };
      assert.equal(await count(), 1, "what is younger stays: who set it to 30");
    });
  });
}

function names(details: readonly { readonly field: string }[]): string[] {
  return details.map(({ field }) => field);
}
