import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { exportAudit, listAudit, listAuditObjects } from "@one-api/contract/audit";
import { createChannel, deleteChannel } from "@one-api/contract/channels/channel";
import { createToken, deleteToken, updateToken } from "@one-api/contract/token";
import { updateUser } from "@one-api/contract/accounts/user-management";
import { updateSelf } from "@one-api/contract/accounts/user";
import { DATABASE_KINDS, whyMissing } from "@one-api/database/test-databases";
import { z } from "zod";
import { createTestApp, type TestApp, type TestLogin } from "../../../testing/create-test-app.ts";
import { setOptions } from "../../../testing/set-options.ts";
import type { TestClient } from "../../../testing/test-client.ts";

const lineSchema = z.object({ id: z.int() });

for (const kind of DATABASE_KINDS) {
  describe(`search and export of the audit trail on ${kind}`, { skip: whyMissing(kind) ?? false }, () => {
    let testApp: TestApp;
    let root: TestLogin;
    let admin: TestLogin;
    let mia: TestLogin;
    let tokenId = 0;
    let channelId = 0;
    before(async () => {
      testApp = await createTestApp({ kind });
      [root, admin, mia] = [
        await testApp.logInAs("root"),
        await testApp.logInAs("admin", { username: "grace" }),
        await testApp.logInAs("user", { username: "mia" }),
      ];
      tokenId = (await mia.client.data(createToken, { body: { name: "Laptop" } })).id;
      await mia.client.data(updateToken, { body: { id: tokenId, name: "Laptop two" } });
      const body = { type: 1, name: "Backup", key: "sk-secret", models: "m", base_url: "https://a.example" };
      [channelId = 0] = (await root.client.data(createChannel, { body })).ids;
      await setOptions(testApp, { RetryTimes: "4" });
    });
    after(() => testApp.close());

    type Query = Record<string, string | number | string[]>;
    const found = async (client: TestClient, keyword: string, query: Query = {}) =>
      (await client.data(listAudit, { query: { keyword, size: 100, ...query } })).map(
        ({ action, object }) => `${action} ${object}`,
      );

    test("finds entries by actor, object, id, type, address, setting and action, and by all words together", async () => {
      const [created, changed] = [`token.create token:${tokenId}`, `token.update token:${tokenId}`];
      assert.ok((await found(root.client, "MI")).includes(created), "part of the actor's name");
      assert.deepEqual(await found(root.client, "laptop"), [changed, created]);
      assert.deepEqual(await found(root.client, `token:${tokenId}`), [changed, created]);
      assert.ok((await found(root.client, String(tokenId))).includes(created));
      assert.ok((await found(root.client, "token")).includes(changed), "type");
      assert.ok((await found(root.client, "retry")).includes("option.update option:RetryTimes"));
      assert.deepEqual(await found(root.client, "mia token.create"), [created]);
      assert.deepEqual(await found(root.client, "mia token.create retry"), []);
      assert.ok((await found(root.client, "127.0.0.1")).includes(changed));
      assert.deepEqual(await found(root.client, "nothing-has-this"), []);
      const words = { actions: ["made:token.create,channel.create"] };
      assert.deepEqual(await found(root.client, "made mia", words), [created]);
      assert.deepEqual(await found(root.client, "Made", words), [`channel.create channel:${channelId}`, created]);
    });

    test("has pages, a total and the other filters", async () => {
      for (let edit = 0; edit < 12; edit += 1)
        await mia.client.data(updateToken, { body: { id: tokenId, name: `Laptop ${edit}` } });
      const query = { keyword: "laptop mia", size: 10 };
      const first = await root.client.send(listAudit, { query });
      assert.equal(String(first.headers["x-total-count"]), "14");
      const second = await root.client.data(listAudit, { query: { ...query, p: 1 } });
      assert.deepEqual(
        second.map(({ action }) => action),
        ["token.update", "token.update", "token.update", "token.create"],
      );
      assert.deepEqual(await found(root.client, "laptop", { kind: "channel" }), []);
      assert.equal((await root.client.send(listAudit, { query: { keyword: "a b c d e f g" } })).status, 400);
      assert.equal((await root.client.send(listAudit, { query: { keyword: "a", actions: "a" } })).status, 400);
    });

    test("shows administrators no more than the list, nor who used an address that they may not see", async () => {
      await root.client.data(updateSelf, { body: { display_name: "Boss" } });
      assert.deepEqual(await found(admin.client, "root"), []);
      assert.deepEqual(await found(admin.client, "option:RetryTimes"), []);
      await root.client.data(updateUser, { body: { id: admin.user.id, display_name: "By root" } });
      const change = `user.update user:${admin.user.id}`;
      assert.deepEqual(await found(admin.client, "user.update"), [change]);
      assert.deepEqual(await found(admin.client, "user.update 127.0.0.1"), [], "root's address");
      assert.deepEqual(await found(root.client, "user.update 127.0.0.1"), [change]);
      assert.ok((await found(admin.client, "mia")).length > 0);
      const objects = await admin.client.data(listAuditObjects, { query: { keyword: "retry" } });
      assert.deepEqual(objects, []);
      assert.equal((await mia.client.send(listAuditObjects)).status, 403);
    });

    test("names objects, deleted ones by their last name, and offers those with entries", async () => {
      const objects = (keyword = "") => root.client.data(listAuditObjects, { query: { keyword } });
      assert.deepEqual(await objects("backup"), [{ object: `channel:${channelId}`, name: "Backup" }]);
      assert.deepEqual(await objects("RetryTim"), [{ object: "option:RetryTimes", name: "" }]);
      assert.ok((await objects()).some(({ object, name }) => object === `token:${tokenId}` && name === "Laptop 11"));
      await root.client.data(deleteChannel, { params: { id: channelId } });
      await mia.client.data(deleteToken, { params: { id: tokenId } });
      const entries = await root.client.data(listAudit, { query: { object: `channel:${channelId}`, size: 10 } });
      assert.deepEqual(
        entries.map(({ action, object_name, object_exists }) => [action, object_name, object_exists]),
        [
          ["channel.delete", "Backup", false],
          ["channel.create", "Backup", false],
        ],
      );
      const [ofToken] = await root.client.data(listAudit, { query: { object: `token:${tokenId}`, size: 10, p: 1 } });
      assert.equal(ofToken?.object_name, "Laptop 11");
    });

    test("exports what the filters match, as a table and as JSON lines, and records it", async () => {
      const query = { keyword: "root", kind: "channel" };
      const listed = await root.client.data(listAudit, { query: { ...query, size: 100 } });
      const { text, headers } = await root.client.send(exportAudit, { query: { ...query, format: "jsonl" } });
      assert.match(String(headers["content-disposition"]), /filename="audit-\d{4}-\d\d-\d\d\.jsonl"$/);
      const lines = text.trimEnd().split("\n");
      assert.deepEqual(
        lines.map((line) => lineSchema.parse(JSON.parse(line)).id),
        listed.map(({ id }) => id),
      );
      assert.ok(!text.includes("sk-secret"));
      const table = await root.client.send(exportAudit, { query });
      const [head = "", ...rows] = table.text.trimEnd().split("\r\n");
      assert.match(head, /^\uFEFFid,time,actor_name,/);
      assert.equal(rows.length, listed.length);
      assert.match(
        rows[0] ?? "",
        /,root,1,100,session,,127\.0\.0\.1,.*,channel\.delete,channel:\d+,Backup,"\[\{""field""/,
      );
      const [entry] = await root.client.data(listAudit, { query: { kind: "audit", size: 10 } });
      assert.deepEqual(
        [entry?.action, entry?.details],
        ["audit.export", Object.entries({ format: "csv", ...query }).map(([field, to]) => ({ field, to }))],
      );
      assert.equal((await mia.client.send(exportAudit)).status, 403);
      assert.equal((await testApp.client().send(exportAudit)).status, 401);
      const ofAdmin = await admin.client.send(exportAudit, { query: { keyword: "root", kind: "channel" } });
      assert.equal(ofAdmin.text.trimEnd().split("\r\n").length, 1, "none of root's");
    });

    test("exports more entries than are read at once, and masks secrets of older rows", async () => {
      const row = {
        created_at: 1,
        actor_id: 1,
        actor_name: "root",
        actor_role: 100,
        address: "",
        action: "option.update",
      };
      const detail = JSON.stringify({ password: { from: "", to: "canary42" } });
      const rows = Array.from({ length: 250 }, () => ({ ...row, kind: "option", object: "option:Old", detail }));
      await testApp.database.db.insertInto("audit").values(rows).execute();
      const { text } = await root.client.send(exportAudit, { query: { object: "option:Old" } });
      assert.equal(text.trimEnd().split("\r\n").length, 251);
      assert.ok(!text.includes("canary42"));
    });
  });
}
