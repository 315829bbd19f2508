import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { deleteView, listViews, saveView, VIEW_LIMITS } from "@one-api/contract/view";
import { DATABASE_KINDS, whyMissing } from "@one-api/database/test-databases";
import { createTestApp, type TestApp } from "../../testing/create-test-app.ts";

for (const kind of DATABASE_KINDS) {
  describe(`saved views on ${kind}`, { skip: whyMissing(kind) ?? false }, () => {
    let testApp: TestApp;
    before(async () => {
      testApp = await createTestApp({ kind });
    });
    after(() => testApp.close());

    test("are each user's own, by name, and a name that is taken is replaced", async () => {
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

    test("are bounded in number and size", async () => {
      const { client } = await testApp.logInAs("user");
      const save = (name: string, search: Record<string, string> = {}) =>
        client.send(saveView, { body: { page: "logs", name, search } });
      for (let count = 0; count < VIEW_LIMITS.views; count += 1) await save(`view ${count}`);
      const more = await save("one more");
      assert.deepEqual([more.envelope?.code, more.envelope?.values], ["views-full", { limit: VIEW_LIMITS.views }]);
      assert.equal((await save("view 3", { type: "2" })).envelope?.success, true);
      assert.equal((await save(" ")).status, 400);
      assert.equal((await save("x", { model_name: "x".repeat(1_000) })).status, 400);
      const many = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`f${index}`, "1"]));
      assert.equal((await save("x", many)).status, 400);
    });
  });
}
