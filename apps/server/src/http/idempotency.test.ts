import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createInvitations, listInvitations } from "@one-api/contract/accounts/invitation";
import { createManagementKey, listManagementKeys } from "@one-api/contract/accounts/management-key";
import { getSelf } from "@one-api/contract/accounts/user";
import { createUser, listUsers, topUpUser } from "@one-api/contract/accounts/user-management";
import type { Call } from "@one-api/contract/call";
import { createChannel, listChannels } from "@one-api/contract/channels/channel";
import { copyChannel } from "@one-api/contract/channels/channel-bulk";
import { createRedemptions, listRedemptions, redeemCode } from "@one-api/contract/redemption";
import { createToken, listTokens, updateToken } from "@one-api/contract/token";
import { DATABASE_KINDS, whyMissing } from "@one-api/database/test-databases";
import { checkBalances } from "@one-api/ledger/check-balances";
import { createTestApp, type TestApp } from "../testing/create-test-app.ts";
import type { TestClient, TestInput } from "../testing/test-client.ts";

const keyed = (key: string) => ({ "idempotency-key": key });

for (const kind of DATABASE_KINDS) {
  describe(`calls with an Idempotency-Key on ${kind}`, { skip: whyMissing(kind) ?? false }, () => {
    let testApp: TestApp;
    let root: TestClient;
    before(async () => {
      testApp = await createTestApp({ kind });
      root = (await testApp.logInAs("root")).client;
    });
    after(async () => {
      assert.deepEqual(await checkBalances(testApp.database), []);
      await testApp.close();
    });

    const newCode = async () => (await root.data(createRedemptions, { body: { name: "gift", quota: 700 } }))[0] ?? "";
    const channel = { name: "one", type: 1, key: "sk-canary", models: "m", group: "default" };
    const password = "correct horse";

    /** Each call that takes a key: one request, another one, and the number that one effect changes. */
    const examples: Record<
      string,
      () => Promise<{
        call: Call;
        input: TestInput;
        other: TestInput;
        client?: TestClient;
        count: () => Promise<number>;
        step: number;
      }>
    > = {
      "a top-up": async () => {
        const { client, user } = await testApp.logInAs("user");
        return {
          call: topUpUser,
          input: { body: { user_id: user.id, quota: 500 } },
          other: { body: { user_id: user.id, quota: 501 } },
          count: async () => (await client.data(getSelf)).quota,
          step: 500,
        };
      },
      "a redemption": async () => {
        const { client } = await testApp.logInAs("user");
        return {
          call: redeemCode,
          client,
          input: { body: { key: await newCode() } },
          other: { body: { key: await newCode() } },
          count: async () => (await client.data(getSelf)).quota,
          step: 700,
        };
      },
      "new redemption codes": async () => ({
        call: createRedemptions,
        input: { body: { name: "once", quota: 5, count: 2 } },
        other: { body: { name: "once", quota: 6, count: 2 } },
        count: async () => (await root.data(listRedemptions, { query: { size: 100 } })).length,
        step: 2,
      }),
      "new invitations": async () => ({
        call: createInvitations,
        input: { body: { name: "once", count: 2 } },
        other: { body: { name: "twice", count: 2 } },
        count: async () => (await root.data(listInvitations, { query: { size: 100 } })).length,
        step: 2,
      }),
      "a new token": async () => {
        const { client } = await testApp.logInAs("user");
        return {
          call: createToken,
          client,
          input: { body: { name: "once" } },
          other: { body: { name: "other" } },
          count: async () => (await client.data(listTokens)).length,
          step: 1,
        };
      },
      "a token's recharge": async () => {
        const { client, user } = await testApp.logInAs("user");
        await root.data(topUpUser, { body: { user_id: user.id, quota: 50_000_000 } });
        const { id } = await client.data(createToken, { body: { name: "one", remain_quota: 1 } });
        return {
          call: updateToken,
          client,
          input: { body: { id, recharge_quota: 1 } },
          other: { body: { id, recharge_quota: 2 } },
          count: async () => (await client.data(listTokens)).find((token) => token.id === id)?.remain_quota ?? 0,
          step: 500_000,
        };
      },
      "a new user": async () => ({
        call: createUser,
        input: { body: { username: "once", password } },
        other: { body: { username: "other", password } },
        count: async () => (await root.data(listUsers, { query: { size: 100 } })).length,
        step: 1,
      }),
      "a new channel": async () => ({
        call: createChannel,
        input: { body: channel },
        other: { body: { ...channel, key: "sk-another" } },
        count: async () => (await root.data(listChannels, { query: { size: 100 } })).length,
        step: 1,
      }),
      "a new management key": async () => ({
        call: createManagementKey,
        input: { body: { name: "once", scopes: ["logs:read"] } },
        other: { body: { name: "once", scopes: ["logs:read", "users:read"] } },
        count: async () => (await root.data(listManagementKeys, { query: { size: 100 } })).length,
        step: 1,
      }),
      "a copied channel": async () => {
        const [id = 0, another = 0] = [
          ...(await root.data(createChannel, { body: channel })).ids,
          ...(await root.data(createChannel, { body: channel })).ids,
        ];
        return {
          call: copyChannel,
          input: { params: { id } },
          other: { params: { id: another } },
          count: async () => (await root.data(listChannels, { query: { size: 100 } })).length,
          step: 1,
        };
      },
    };

    for (const [name, makeExample] of Object.entries(examples)) {
      test(`${name} has one effect and the first answer, also at the same time, and the key serves no other request`, async () => {
        const { call, client = root, input, other, count, step } = await makeExample();
        assert.equal(call.takesIdempotencyKey, true);
        const countAtFirst = await count();
        const headers = keyed(`key-of-${name.replaceAll(" ", "-")}`);
        const answers = await Promise.all([1, 2, 3].map(() => client.send(call, { ...input, headers })));
        const later = await client.send(call, { ...input, headers });
        for (const answer of [...answers, later]) {
          assert.equal(answer.envelope?.success, true, answer.text);
          assert.deepEqual(answer.envelope?.data, later.envelope?.data);
        }
        assert.equal(later.headers["idempotency-replayed"], "true");
        assert.equal((await count()) - countAtFirst, step);
        const refused = await client.send(call, { ...other, headers });
        assert.deepEqual([refused.status, refused.envelope?.code], [422, "idempotency-key-reused"]);
        assert.equal((await count()) - countAtFirst, step);
      });
    }

    test("are told apart by their caller, and served anew after a day", async () => {
      const [one, two] = [await testApp.logInAs("user"), await testApp.logInAs("user")];
      const create = ({ client }: typeof one) =>
        client.data(createToken, { body: { name: "same" }, headers: keyed("same") });
      const [first, second] = [await create(one), await create(two)];
      assert.notEqual(first.id, second.id);
      assert.equal((await create(one)).id, first.id);
      testApp.clock.advanceSeconds(24 * 3600);
      root = (await testApp.logInAs("root")).client;
      assert.notEqual((await create({ ...one, client: await testApp.clientOf(one.user.id) })).id, first.id);
    });

    test("that were refused store nothing: the same key serves the corrected request", async () => {
      const { user } = await testApp.logInAs("user");
      const body = { user_id: 999_999, quota: 5 };
      const headers = keyed("corrected");
      assert.equal((await root.send(topUpUser, { body, headers })).envelope?.code, "user-not-found");
      assert.equal(
        (await root.send(topUpUser, { body: { ...body, user_id: user.id }, headers })).envelope?.success,
        true,
      );
    });

    test("are refused with a malformed key, by the header's name", async () => {
      for (const key of ["", "two words", "x".repeat(256)]) {
        const refused = await root.send(createUser, { body: { username: "never", password }, headers: keyed(key) });
        assert.deepEqual([refused.status, refused.envelope?.field], [400, "Idempotency-Key"], key);
      }
    });

    test("leave no secret in the database", async () => {
      const rows = JSON.stringify(await testApp.database.db.selectFrom("idempotent_answers").selectAll().execute());
      assert.doesNotMatch(rows, /canary|correct horse|key-of/);
    });
  });
}
