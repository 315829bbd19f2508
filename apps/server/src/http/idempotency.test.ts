import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createInvitations, listInvitations } from "@one-api/contract/accounts/invitation";
import {
  createManagementKey,
  listManagementKeys,
  rotateManagementKey,
} from "@one-api/contract/accounts/management-key";
import { getSelf } from "@one-api/contract/accounts/user";
import { createUser, listUsers, topUpUser } from "@one-api/contract/accounts/user-management";
import type { Call } from "@one-api/contract/call";
import { listCalls } from "@one-api/contract/testing/list-calls";
import { createChannel, listChannels } from "@one-api/contract/channels/channel";
import { copyChannel } from "@one-api/contract/channels/channel-bulk";
import { createAlertRule, listAlertRules } from "@one-api/contract/notifications/alert-rule";
import { createReceiver, listReceivers } from "@one-api/contract/notifications/receiver";
import { createRedemptions, listRedemptions, redeemCode } from "@one-api/contract/redemption";
import { createToken, listTokens, rollTokenKey, updateToken } from "@one-api/contract/token";
import { connectDatabase } from "@one-api/database/connect-database";
import type { OpenDatabase } from "@one-api/database/open-database";
import {
  createMigratedDatabase,
  DATABASE_KINDS,
  type TestDatabase,
  whyMissing,
} from "@one-api/database/test-databases";
import { checkBalances } from "@one-api/ledger/check-balances";
import { createTestApp, type TestApp } from "../testing/create-test-app.ts";
import type { TestClient, TestInput } from "../testing/test-client.ts";

/** Calls by POST without the header, with the reason. */
const WITHOUT_KEY: Readonly<Record<string, readonly string[]>> = {
  "a repeated call changes nothing more": [
    "/api/channel/:id/decisions/:decision/undo", "/api/channel/:id/keys", "/api/channel/:id/wake", "/api/channel/bulk/change",
    "/api/channel/bulk/delete", "/api/channel/test/stop", "/api/channel/update_abilities", "/api/configuration/apply",
    "/api/log/clearing",
    "/api/pricing/list/find", "/api/pricing/list/use", "/api/user/:id/factors/reset", "/api/user/manage",
  ],
  "it asks or tests": [
    "/api/channel/:id/keys/:key/balance", "/api/channel/models/ask", "/api/channel/test/selected", "/api/configuration/plan", "/api/option/test_mail", "/api/option/test_proxy",
    "/api/option/test_push", "/api/pricing/effect", "/api/receiver/:id/test", "/api/token/alert", "/api/what-if",
  ],
  "a person makes it": [
    "/api/oauth/oidc/begin", "/api/user/factors/passkeys", "/api/user/factors/passkeys/:id/remove",
    "/api/user/factors/passkeys/ask", "/api/user/factors/passkeys/begin", "/api/user/factors/proof",
    "/api/user/factors/recovery_codes", "/api/user/factors/totp", "/api/user/factors/totp/begin",
    "/api/user/factors/totp/remove", "/api/user/login", "/api/user/login/code", "/api/user/login/passkey",
    "/api/user/login/passkey/begin", "/api/user/register", "/api/user/reset",
  ],
}; // prettier-ignore

test("every call by POST takes an Idempotency-Key, or says why it needs none", async () => {
  const without = (await listCalls()).filter((call) => call.method === "POST" && !call.takesIdempotencyKey);
  assert.deepEqual(without.map(({ path }) => path).toSorted(), Object.values(WITHOUT_KEY).flat().toSorted());
});

const nameOf = ({ method, path }: Call) => `${method} ${path}`;

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
    const receiver = { name: "ops", kind: "mail", address: "ops@example.com", alerts: ["audit-broken"] };
    const countAudit = async (action: string, object: string) => {
      const entries = testApp.database.db.selectFrom("audit").select("id");
      return (await entries.where("action", "=", action).where("object", "=", object).execute()).length;
    };

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
      "a management key's new secret": async () => {
        const { id } = await root.data(createManagementKey, { body: { name: "one", scopes: ["logs:read"] } });
        return {
          call: rotateManagementKey,
          input: { params: { id }, body: {} },
          other: { params: { id }, body: { overlap_seconds: 0 } },
          count: async () => countAudit("management-key.rotate", `management-key:${id}`),
          step: 1,
        };
      },
      "a token's new key": async () => {
        const { client } = await testApp.logInAs("user");
        const { id } = await client.data(createToken, { body: { name: "one" } });
        return {
          call: rollTokenKey,
          client,
          input: { params: { id }, body: {} },
          other: { params: { id }, body: { overlap_seconds: 0 } },
          count: async () => countAudit("token.roll-key", `token:${id}`),
          step: 1,
        };
      },
      "a new receiver": async () => ({
        call: createReceiver,
        input: { body: receiver },
        other: { body: { ...receiver, name: "other" } },
        count: async () => (await root.data(listReceivers, { query: { size: 100 } })).length,
        step: 1,
      }),
      "a new alert rule": async () => {
        const { id } = await root.data(createReceiver, { body: receiver });
        const rule = { metric: "spend", direction: "above", threshold: 1, window_minutes: 60, receiver: id };
        return {
          call: createAlertRule,
          input: { body: rule },
          other: { body: { ...rule, threshold: 2 } },
          count: async () => (await root.data(listAlertRules)).length,
          step: 1,
        };
      },
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

    test("are all tried here", async () => {
      const tried = new Set<string>();
      for (const makeExample of Object.values(examples)) tried.add(nameOf((await makeExample()).call));
      const taking = (await listCalls()).filter((call) => call.takesIdempotencyKey).map(nameOf);
      assert.deepEqual([...tried].toSorted(), taking.toSorted());
    });

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

describe("calls with an Idempotency-Key on two servers", { skip: whyMissing("postgres") ?? false }, () => {
  const servers: { readonly app: TestApp; readonly database: OpenDatabase }[] = [];
  let made: TestDatabase;
  before(async () => {
    made = await createMigratedDatabase("postgres");
    const environment = { SECRET_KEY: "the same key of both of the servers" };
    for (let server = 0; server < 2; server += 1) {
      const database = await connectDatabase(made.location);
      servers.push({ app: await createTestApp({ kind: "postgres", database, environment }), database });
    }
  });
  after(async () => {
    for (const { app } of servers) await app.close();
    for (const { database } of servers) await database.close();
    await made.remove();
  });

  test("have one effect and one answer, with its secrets", async () => {
    const clients = await Promise.all(servers.map(async ({ app }) => (await app.logInAs("root")).client));
    const [root = assert.fail()] = clients;
    for (const [call, body] of [
      [createToken, { name: "once" }],
      [createRedemptions, { name: "once", quota: 5 }],
      [createManagementKey, { name: "once", scopes: ["logs:read"] }],
    ] as const) {
      for (let round = 0; round < 5; round += 1) {
        const headers = keyed(`${round}-${call.path}`);
        const calls = [...clients, ...clients].map((client) => client.send(call, { body, headers }));
        const answers = (await Promise.all(calls)).map(({ envelope }) => JSON.stringify(envelope));
        assert.equal(new Set(answers).size, 1, answers.join());
        assert.match(answers[0] ?? "", /"success":true/);
      }
    }
    assert.equal((await root.data(listTokens, { query: { size: 100 } })).length, 5);
    assert.equal((await root.data(listRedemptions, { query: { size: 100 } })).length, 5);
    assert.equal((await root.data(listManagementKeys, { query: { size: 100 } })).length, 5);
  });
});
