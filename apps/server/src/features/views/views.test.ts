import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { chooseDefaultView, deleteView, listViews, saveView, shareView, VIEW_LIMITS } from "@one-api/contract/view";
import { DATABASE_KINDS, whyMissing } from "@one-api/database/test-databases";
import type { TestClient } from "../../testing/test-client.ts";
import { createTestApp, type TestApp } from "../../testing/create-test-app.ts";

for (const kind of DATABASE_KINDS) {
  describe(`saved views on ${kind}`, { skip: whyMissing(kind) ?? false }, () => {
    let testApp: TestApp;
    before(async () => {
      testApp = await createTestApp({ kind });
    });
    after(() => testApp.close());

    test("belong to their user, and a view of the same name is replaced", async () => {
      const { client } = await testApp.logInAs("user");
      const { client: other } = await testApp.logInAs("admin");
      const save = (name: string, search: Record<string, string>) =>
        client.data(saveView, { body: { page: "logs", name, search } });
      const list = async () => client.data(listViews, { query: { page: "logs" } });
      const slow = await save(" slow ", { model_name: "o3" });
      await save("errors", { result: "provider-failed", range: "day" });
      assert.deepEqual(await save("slow", { model_name: "o4", type: "2" }), {
        id: slow.id,
        name: "slow",
        search: { model_name: "o4", type: "2" },
        is_shared: false,
        is_own: true,
        is_default: false,
      });
      assert.deepEqual(
        (await list()).map(({ name, search }) => [name, search]),
        [
          ["errors", { result: "provider-failed", range: "day" }],
          ["slow", { model_name: "o4", type: "2" }],
        ],
      );
      assert.deepEqual(await other.data(listViews, { query: { page: "logs" } }), []);
      assert.equal((await other.send(deleteView, { params: { id: slow.id } })).envelope?.code, "not-found");
      await client.data(deleteView, { params: { id: slow.id } });
      assert.deepEqual(
        (await list()).map(({ name }) => name),
        ["errors"],
      );
    });

    test("a preset of the playground has a long system prompt, a filter has not", async () => {
      const { client } = await testApp.logInAs("user");
      const save = (name: string, length: number) =>
        client.send(saveView, {
          body: { page: "playground" as const, name: "p", search: { [name]: "x".repeat(length) } },
        });
      assert.equal((await save("system", VIEW_LIMITS.longValueLength)).status, 200);
      const refused = [await save("system", VIEW_LIMITS.longValueLength + 1), await save("model", 1_025)];
      for (const { envelope } of refused) {
        assert.equal(envelope?.message, "A field of search may have at most 1024 characters, system and tools 10000.");
      }
    });

    test("are shared by administrators, seen by all, and withdrawn, which is audited", async () => {
      const { client: admin } = await testApp.logInAs("admin");
      const { client: second } = await testApp.logInAs("admin");
      const { client: user } = await testApp.logInAs("user");
      const body = { page: "logs" as const, name: "failures", search: { result: "timeout" } };
      const { id } = await admin.data(saveView, { body });
      const seen = async (client: TestClient) =>
        (await client.data(listViews, { query: { page: "logs" } }))
          .filter((view) => view.id === id)
          .map(({ is_own, is_shared, is_default }) => ({ is_own, is_shared, is_default }));
      const share = (client: TestClient, is_shared: boolean) =>
        client.send(shareView, { params: { id }, body: { is_shared } });
      const choose = (client: TestClient, chosen: number) =>
        client.send(chooseDefaultView, { body: { page: "logs", id: chosen } });
      assert.equal((await share(second, true)).envelope?.code, "not-found");
      assert.equal((await share(user, true)).status, 403);
      assert.equal((await choose(user, id)).envelope?.code, "not-found");
      assert.equal((await share(admin, true)).envelope?.success, true);
      assert.deepEqual(await seen(user), [{ is_own: false, is_shared: true, is_default: false }]);
      assert.equal((await choose(user, id)).envelope?.success, true);
      assert.equal((await choose(admin, id)).envelope?.success, true);
      assert.deepEqual(await seen(user), [{ is_own: false, is_shared: true, is_default: true }]);
      assert.deepEqual(await seen(second), [{ is_own: false, is_shared: true, is_default: false }]);
      assert.equal((await user.send(deleteView, { params: { id } })).envelope?.code, "not-found");
      assert.equal((await share(second, false)).envelope?.success, true);
      assert.deepEqual(await seen(user), []);
      assert.deepEqual(await seen(admin), [{ is_own: true, is_shared: false, is_default: true }]);
      const { db } = testApp.database;
      assert.equal((await db.selectFrom("default_views").select("user_id").execute()).length, 1);
      const rows = await db
        .selectFrom("audit")
        .select("action")
        .where("object", "=", `view:${id}`)
        .orderBy("id")
        .execute();
      assert.deepEqual(
        rows.map(({ action }) => action),
        ["view.share", "view.unshare"],
      );
    });

    test("are audited when a shared one is changed or deleted", async () => {
      const { client: admin } = await testApp.logInAs("admin");
      const save = (result: string) =>
        admin.data(saveView, { body: { page: "logs" as const, name: "shown", search: { result } } });
      const { id } = await save("timeout");
      await admin.data(shareView, { params: { id }, body: { is_shared: true } });
      await save("network");
      await admin.data(deleteView, { params: { id } });
      const query = testApp.database.db.selectFrom("audit").select(["action", "detail"]);
      const rows = await query.where("object", "=", `view:${id}`).orderBy("id").execute();
      assert.deepEqual(
        rows.map(({ action, detail }) => [action, /timeout|network/.exec(detail)?.[0]]),
        [
          ["view.share", "timeout"],
          ["view.share", "network"],
          ["view.unshare", "network"],
        ],
      );
    });

    test("a preset of the playground stays private, and its prompt out of the audit", async () => {
      const { client: admin } = await testApp.logInAs("admin");
      const { db } = testApp.deps.database;
      const body = { page: "playground" as const, name: "Support", search: { system: "A secret prompt" } };
      const { id } = await admin.data(saveView, { body });
      const share = (is_shared: boolean) => admin.send(shareView, { params: { id }, body: { is_shared } });
      assert.equal((await share(true)).envelope?.code, "not-supported");
      assert.equal((await admin.data(saveView, { body })).is_shared, false);
      // As an earlier release left it.
      await db.updateTable("saved_views").set({ is_shared: 1 }).where("id", "=", id).execute();
      await admin.data(saveView, { body });
      assert.equal((await share(false)).envelope?.success, true);
      const rows = await db.selectFrom("audit").select("detail").where("object", "=", `view:${id}`).execute();
      assert.equal(rows.length, 2);
      assert.ok(rows.every(({ detail }) => !detail.includes("secret")));
    });

    test("one is the list's default until none is chosen or it is deleted", async () => {
      const { client } = await testApp.logInAs("user");
      const save = (name: string) => client.data(saveView, { body: { page: "logs", name, search: { type: "2" } } });
      const chosen = async () =>
        (await client.data(listViews, { query: { page: "logs" } }))
          .filter(({ is_default }) => is_default)
          .map(({ name }) => name);
      const choose = (id: number) => client.data(chooseDefaultView, { body: { page: "logs", id } });
      const [first, second] = [await save("first"), await save("second")];
      await choose(first.id);
      await choose(second.id);
      assert.deepEqual(await chosen(), ["second"]);
      assert.equal((await save("second")).is_default, true);
      await choose(0);
      assert.deepEqual(await chosen(), []);
      await choose(first.id);
      await client.data(deleteView, { params: { id: first.id } });
      assert.deepEqual(await chosen(), []);
    });

    test("are limited in number and size", async () => {
      const { client } = await testApp.logInAs("user");
      const save = (name: string, search: Record<string, string> = {}) =>
        client.send(saveView, { body: { page: "logs", name, search } });
      for (let count = 0; count < VIEW_LIMITS.views; count += 1) await save(`view ${count}`);
      const more = await save("one more");
      assert.deepEqual([more.envelope?.code, more.envelope?.values], ["views-full", { limit: VIEW_LIMITS.views }]);
      assert.equal((await save("view 3", { type: "2" })).envelope?.success, true);
      assert.equal((await save(" ")).status, 400);
      assert.equal((await save("x", { model_name: "x".repeat(VIEW_LIMITS.valueLength + 1) })).status, 400);
      const many = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`f${index}`, "1"]));
      assert.equal((await save("x", many)).status, 400);
    });
  });
}
