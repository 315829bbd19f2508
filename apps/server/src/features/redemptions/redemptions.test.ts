import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { TOTAL_COUNT_HEADER } from "@one-api/contract/constants";
import * as calls from "@one-api/contract/redemption";
import { DATABASE_KINDS, whyMissing } from "@one-api/database/test-databases";
import { createTestApp, type TestApp, type TestLogin } from "../../testing/create-test-app.ts";

for (const kind of DATABASE_KINDS) {
  describe(`redemption codes on ${kind}`, { skip: whyMissing(kind) ?? false }, () => {
    let testApp: TestApp;
    let admin: TestLogin;
    before(async () => {
      testApp = await createTestApp({ kind });
      admin = await testApp.logInAs("admin");
    });
    after(() => testApp.close());

    const rows = () =>
      testApp.database.db
        .selectFrom("redemptions")
        .select(["id", "name", "status", "quota", "key_hmac", "key_cipher"])
        .orderBy("id")
        .execute();
    const audit = async (id: number) => {
      const found = await testApp.database.db
        .selectFrom("audit")
        .select(["action", "detail"])
        .where("object", "=", `redemption:${id}`)
        .orderBy("id")
        .execute();
      return found.map(({ action, detail }): [string, unknown] => [action, JSON.parse(detail)]);
    };
    const make = (name: string, count = 1, quota = 5) =>
      admin.client.data(calls.createRedemptions, { body: { name, quota, count } });
    const found = async (query: Record<string, string | number>) =>
      (await admin.client.data(calls.searchRedemptions, { query })).map(({ name }) => name).join(" ");

    test("[CALL-73] [REDEEM-18..21] [ENT-074..076] [ENT-078..081] the given number of distinct codes is created and encrypted; the default is one of 100000", async () => {
      const codes = await make("spring", 300, 7);
      assert.equal(new Set(codes).size, 300);
      for (const code of codes) assert.match(code, /^[A-Za-z0-9]{32}$/);
      const stored = JSON.stringify(await rows());
      assert.ok(codes.every((code) => !stored.includes(code)));
      const [last] = await admin.client.data(calls.listRedemptions);
      assert.deepEqual([last?.name, last?.key, last?.quota, last?.status], ["spring", codes.at(-1), 7, 1]);
      const single = await admin.client.data(calls.createRedemptions, { body: { name: "plain" } });
      const [plain] = await admin.client.data(calls.listRedemptions);
      assert.equal(single.length, 1);
      const { id, created_time, ...rest } = plain ?? { id: 0, created_time: 0 };
      assert.ok(id > 300 && created_time > 0);
      const fresh = { status: 1, redeemed_time: 0, redeemed_by: "", batch_count: 1, batch_used: 0 };
      assert.deepEqual([last?.batch_count, last?.batch_used], [300, 0]);
      assert.deepEqual(rest, { name: "plain", key: single[0], quota: 100_000, ...fresh });
      assert.deepEqual(await audit(1), [["redemption.create", { name: "spring", quota: 7, count: 300, last_id: 300 }]]);
    });

    test("[CONST-22] invalid input is refused by field, and creates no code", async () => {
      const stored = (await rows()).length;
      for (const [body, field] of [
        [{ name: " ", quota: 5 }, "name"],
        [{ quota: 5 }, "name"],
        [{ name: "x", quota: 0 }, "quota"],
        [{ name: "x", quota: -5 }, "quota"],
        [{ name: "x", quota: 1.5 }, "quota"],
        [{ name: "x", quota: "5" }, "quota"],
        [{ name: "x", count: 0 }, "count"],
        [{ name: "x", count: 1_001 }, "count"],
        [{ name: "x", count: 1.5 }, "count"],
      ] as const) {
        const { status, envelope } = await admin.client.send(calls.createRedemptions, { body });
        assert.deepEqual([status, envelope?.field], [400, field], JSON.stringify(body));
      }
      assert.equal((await rows()).length, stored);
    });

    test("[CALL-67] [CALL-68] [REDEEM-01..03] lists pages, finds by id and by the beginning of the name, orders by every column", async () => {
      await testApp.database.db.deleteFrom("redemptions").execute();
      await make("Beta", 1, 9);
      await make("alpha", 1, 3);
      await make("alpha_2", 1, 5);
      const all = await admin.client.data(calls.listRedemptions);
      const beta = all.find(({ name }) => name === "Beta")?.id ?? 0;
      await admin.client.data(calls.updateRedemption, { query: { status_only: "1" }, body: { id: beta, status: 2 } });
      const page = await admin.client.send(calls.listRedemptions, { query: { size: 10 } });
      assert.equal(page.headers[TOTAL_COUNT_HEADER], "3");
      assert.deepEqual(
        [await found({}), await found({ order: "name" }), await found({ order: "quota" })],
        ["alpha_2 alpha Beta", "alpha alpha_2 Beta", "Beta alpha_2 alpha"],
      );
      assert.deepEqual(
        [await found({ order: "status" }), await found({ order: "id", direction: "asc" })],
        ["Beta alpha_2 alpha", "Beta alpha alpha_2"],
      );
      assert.deepEqual(
        [await found({ keyword: String(beta) }), await found({ keyword: "ALPHA" }), await found({ keyword: "alpha_" })],
        ["Beta", "alpha_2 alpha", "alpha_2"],
      );
      assert.deepEqual([await found({ keyword: "%" }), await found({ status: 2 })], ["", "Beta"]);
    });

    test("[CALL-69] [CALL-72] [CALL-70] [REDEEM-09] [REDEEM-10] [CALL-71] an unused code is edited, switched and deleted; a used one stays used", async () => {
      await make("edit me", 1, 5);
      const [{ id } = { id: 0 }] = await admin.client.data(calls.listRedemptions);
      const edited = await admin.client.data(calls.updateRedemption, {
        body: { id, name: "edited", quota: 8, status: 3 },
      });
      assert.deepEqual([edited.name, edited.quota, edited.status], ["edited", 8, 1]);
      const toggle = (status: unknown) =>
        admin.client.send(calls.updateRedemption, { query: { status_only: "true" }, body: { id, status } });
      for (const status of [2, 1]) assert.equal((await toggle(status)).envelope?.success, true);
      for (const status of [3, undefined])
        assert.deepEqual(
          [(await toggle(status)).status, (await toggle(status)).envelope?.code],
          [400, "redemption-status"],
        );
      const user = await testApp.logInAs("user");
      await user.client.data(calls.redeemCode, { body: { key: edited.key } });
      assert.equal((await toggle(1)).envelope?.code, "redemption-code-used");
      const refused = await admin.client.send(calls.updateRedemption, { body: { id, quota: 1_000 } });
      assert.equal(refused.envelope?.code, "redemption-code-used");
      await admin.client.data(calls.deleteRedemption, { params: { id } });
      for (const answer of [
        await admin.client.send(calls.deleteRedemption, { params: { id } }),
        await admin.client.send(calls.getRedemption, { params: { id } }),
        await admin.client.send(calls.updateRedemption, { body: { id, name: "x" } }),
        await toggle(2),
      ])
        assert.equal(answer.envelope?.code, "redemption-not-found");
      assert.deepEqual(
        (await audit(id)).map(([action]) => action),
        ["create", "update", "set-status", "set-status", "redeem", "delete"].map((verb) => `redemption.${verb}`),
      );
    });

    test("a code has the size of its batch and how many of it are redeemed", async () => {
      const keys = await make("batch", 3);
      const user = await testApp.logInAs("user");
      await user.client.data(calls.redeemCode, { body: { key: keys[0] ?? "" } });
      await make("other");
      const rowsOf = (keyword: string) => admin.client.data(calls.searchRedemptions, { query: { keyword } });
      const sizes = (await rowsOf("batch")).map((code) => [code.batch_count, code.batch_used]);
      assert.deepEqual(sizes, [
        [3, 1],
        [3, 1],
        [3, 1],
      ]);
      const [other] = await rowsOf("other");
      assert.deepEqual([other?.batch_count, other?.batch_used], [1, 0]);
    });

    test("[ROLE-09] every call is refused to users and anonymous clients, and leaves no trace", async () => {
      await make("kept");
      const [{ id } = { id: 0 }] = await admin.client.data(calls.listRedemptions);
      const [user, visitor] = [(await testApp.logInAs("user")).client, testApp.client()];
      const stored = await rows();
      for (const [call, input] of [
        [calls.listRedemptions, {}],
        [calls.searchRedemptions, { query: { keyword: "kept" } }],
        [calls.getRedemption, { params: { id } }],
        [calls.createRedemptions, { body: { name: "mine", quota: 1 } }],
        [calls.updateRedemption, { body: { id, quota: 999 } }],
        [calls.updateRedemption, { query: { status_only: "true" }, body: { id, status: 2 } }],
        [calls.deleteRedemption, { params: { id } }],
      ] as const) {
        assert.equal((await user.send(call, input)).status, 403, call.path);
        assert.equal((await visitor.send(call, input)).status, 401, call.path);
      }
      assert.deepEqual(await rows(), stored);
    });
  });
}
