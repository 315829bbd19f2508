import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { createToken, deleteToken, getToken, listTokens, updateToken } from "@one-api/contract/token";
import { TOKEN_STATUS } from "@one-api/contract/token-constants";
import { DATABASE_KINDS, whyMissing } from "@one-api/database/test-databases";
import { sql } from "kysely";
import { checkBalances } from "@one-api/ledger/check-balances";
import { createTestApp, type TestApp } from "../../testing/create-test-app.ts";

for (const kind of DATABASE_KINDS) {
  describe(`creating tokens on ${kind}`, { skip: whyMissing(kind) ?? false }, () => {
    let testApp: TestApp;
    before(async () => {
      testApp = await createTestApp({ kind });
    });
    after(() => testApp.close());

    test("[TFORM-05] [TFORM-22] [ENT-064] [ENT-065] [CALL-66] [ENT-045..053] [ENT-056..063] a token has the defaults and a key of 48 characters", async () => {
      const { client, user } = await testApp.logInAs("user");
      const token = await client.data(createToken, { body: { name: "mine" } });
      assert.match(token.key, /^[A-Za-z0-9]{48}$/);
      const { id, key, created_time, created, ...rest } = token;
      assert.deepEqual(created, [{ id, name: "mine", key }]);
      assert.ok(id > 0 && key !== "" && created_time > 0);
      assert.deepEqual(rest, {
        user_id: user.id,
        old_key_ends_at: 0,
        name: "mine",
        status: TOKEN_STATUS.enabled,
        accessed_time: 0,
        expired_time: -1,
        remain_quota: 500_000,
        unlimited_quota: false,
        used_quota: 0,
        budget: null,
        models: "",
        group: "",
        subnet: "",
        rpm_limit: 600,
        dpm_limit: 60,
        tpm_limit: 60,
        concurrent_limit: 0,
        requests_5h_limit: 0,
        tokens_5h_limit: 0,
        requests_day_limit: 0,
        tokens_day_limit: 0,
        email: "",
        custom_contact: "",
        moderations_enable: false,
        keep_bodies: false,
        flagged_count: 0,
      });
    });

    test("[TFORM-19] [TFORM-20] [ENT-054] tokens of a batch are numbered, each with a key and an audit row", async () => {
      const { client, user } = await testApp.logInAs("user");
      const { created } = await client.data(createToken, { body: { name: "bot", batch_number: 3 } });
      const tokens = await client.data(listTokens);
      assert.deepEqual(
        tokens.map(({ name }) => name),
        ["bot-3", "bot-2", "bot-1"],
      );
      assert.equal(new Set(tokens.map(({ key }) => key)).size, 3);
      assert.deepEqual(
        created,
        tokens.toReversed().map(({ id, name, key }) => ({ id, name, key })),
        "the answer has all of them, so that each key can be shown once",
      );
      const audit = await testApp.database.db
        .selectFrom("audit")
        .select(["action", "object"])
        .where("actor_id", "=", user.id)
        .orderBy("id")
        .execute();
      assert.deepEqual(
        audit.map(({ action, object }) => [action, object]),
        tokens.toReversed().map(({ id }) => ["token.create", `token:${id}`]),
      );
    });

    test("a name is one line, also when it changes", async () => {
      const { client } = await testApp.logInAs("user");
      const body = { name: "one\r\ntwo", unlimited_quota: true };
      const refused = await client.send(createToken, { body });
      assert.deepEqual([refused.status, refused.envelope?.field], [400, "name"]);
      assert.match(refused.envelope?.message ?? "", /one line/);
      const { id } = await client.data(createToken, { body: { ...body, name: "one" } });
      const renamed = await client.send(updateToken, { body: { id, name: "one\u2028two" } });
      assert.deepEqual([renamed.status, renamed.envelope?.field], [400, "name"]);
    });

    test("[TFORM-20] a batch with too long names is refused and creates nothing", async () => {
      const { client } = await testApp.logInAs("user");
      const answer = await client.send(createToken, { body: { name: "n".repeat(64), batch_number: 2 } });
      assert.equal(answer.status, 400);
      assert.match(answer.envelope?.message ?? "", /at most 62 characters/);
      assert.deepEqual(await client.data(listTokens), []);
    });

    test("[V10] [TFORM-25] a limited token gets no more than its owner has; an unlimited one is allowed", async () => {
      const { client } = await testApp.logInAs("user", { quota: 1_000 });
      const refused = await client.send(createToken, { body: { name: "rich", remain_quota: 1_001 } });
      assert.equal(refused.status, 200);
      assert.equal(refused.envelope?.code, "token-quota-above-own");
      assert.match(refused.envelope?.message ?? "", /1001.*1000/);
      assert.deepEqual(await client.data(listTokens), []);
      assert.equal(
        (await client.data(createToken, { body: { name: "all", remain_quota: 1_000 } })).remain_quota,
        1_000,
      );
      assert.equal(
        (await client.data(createToken, { body: { name: "free", unlimited_quota: true } })).unlimited_quota,
        true,
      );
    });

    test("an expiry must be a valid time, for new and edited tokens", async () => {
      const { client } = await testApp.logInAs("user");
      const last = 253_402_300_799;
      for (const expired_time of [last + 1, Number.MAX_SAFE_INTEGER, -2]) {
        const refused = await client.send(createToken, { body: { name: "late", unlimited_quota: true, expired_time } });
        assert.deepEqual([refused.status, refused.envelope?.field], [400, "expired_time"]);
      }
      const body = { name: "late", unlimited_quota: true, expired_time: last };
      const { id } = await client.data(createToken, { body });
      const refused = await client.send(updateToken, { body: { id, expired_time: last + 1 } });
      assert.deepEqual([refused.status, refused.envelope?.field], [400, "expired_time"]);
    });

    test("the address for mails is one address or empty", async () => {
      const { client } = await testApp.logInAs("user");
      for (const email of ["nobody", "a@example.com, b@example.com", "a@example.com\r\nBcc: b@example.com", "a@b@c"]) {
        const answer = await client.send(createToken, { body: { name: "mailed", email } });
        assert.deepEqual([answer.status, answer.envelope?.field], [400, "email"], email);
      }
      const good = await client.data(createToken, { body: { name: "mailed", email: " a@example.com " } });
      assert.equal(good.email, "a@example.com");
    });

    test("[TLIMIT-27] a subnet lists IPv4 and IPv6 ranges; an invalid part is named", async () => {
      const { client } = await testApp.logInAs("user");
      const good = await client.data(createToken, {
        body: { name: "net", subnet: " 10.0.0.0/8, 2001:db8::/32 ,192.0.2.7,10.0.0.0/8" },
      });
      assert.equal(good.subnet, "10.0.0.0/8,2001:db8::/32,192.0.2.7");
      for (const wrong of [
        "10.0.0.0/33",
        "300.1.1.1/8",
        "2001:db8::/129",
        "10.0.0.0/8/8",
        "10.0.0.0/",
        "localhost",
        "fe80::1%eth0/64",
      ]) {
        const answer = await client.send(createToken, { body: { name: "net", subnet: `10.0.0.0/8,${wrong}` } });
        assert.equal(answer.status, 400, wrong);
        assert.equal(answer.envelope?.field, "subnet");
        assert.ok(answer.envelope?.message.includes(`"${wrong}"`), answer.text);
      }
    });

    test("[CALL-03] creating tokens requires a login", async () => {
      assert.equal((await testApp.client().send(createToken, { body: { name: "x" } })).status, 401);
    });

    test("[ENT-066] [CALL-64] [ROLE-05] a token exists for its owner only, also for administrators", async () => {
      const { client } = await testApp.logInAs("user");
      const { id, key } = await client.data(createToken, { body: { name: "private" } });
      for (const role of ["user", "admin", "root"] as const) {
        const other = (await testApp.logInAs(role)).client;
        const [taken, missing] = [
          await other.send(getToken, { params: { id } }),
          await other.send(getToken, { params: { id: 999_999 } }),
        ];
        assert.equal(taken.text, missing.text);
        assert.equal(taken.envelope?.code, "token-not-found");
        assert.equal((await other.send(deleteToken, { params: { id } })).envelope?.code, "token-not-found");
        assert.ok(!(await other.send(listTokens)).text.includes(key));
      }
      assert.equal((await client.data(getToken, { params: { id } })).key, key);
    });

    test("[ENT-067] [ENT-068] no key is in the database or the log in clear", async () => {
      const { client } = await testApp.logInAs("user");
      const { key } = await client.data(createToken, { body: { name: "sealed" } });
      const { db } = testApp.database;
      const rows = [
        await db.selectFrom("tokens").selectAll().execute(),
        await db.selectFrom("audit").selectAll().execute(),
      ];
      assert.ok(!JSON.stringify([rows, testApp.logLines]).includes(key));
      if (kind !== "sqlite") return;
      const { rows: files } = await sql<{ file: string }>`pragma database_list`.execute(db);
      for (const path of [`${files[0]?.file}`, `${files[0]?.file}-wal`])
        assert.ok(!readFileSync(path).includes(key), path);
    });

    test("the ledger has all quota that tokens were allotted", async () => {
      const { client } = await testApp.logInAs("user");
      await client.data(createToken, { body: { name: "booked", remain_quota: 123_456, batch_number: 2 } });
      assert.deepEqual(await checkBalances(testApp.database), []);
    });
  });
}
