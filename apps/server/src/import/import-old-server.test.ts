import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, describe, test } from "node:test";
import { createChannel } from "@one-api/contract/channels/channel";
import { listChannelKeys } from "@one-api/contract/channels/channel-keys";
import { finishLogin } from "@one-api/contract/accounts/factor";
import { createRedemptions, redeemCode } from "@one-api/contract/redemption";
import { createToken } from "@one-api/contract/token";
import { getSelf, login } from "@one-api/contract/accounts/user";
import { listOwnLogs } from "@one-api/contract/logs/log";
import { clearLogs } from "@one-api/contract/logs/log-clearing";
import { getOwnLogStat } from "@one-api/contract/logs/log-totals";
import { createUser } from "@one-api/contract/accounts/user-management";
import { connectDatabase } from "@one-api/database/connect-database";
import { migrate } from "@one-api/database/migrate";
import { createTestDatabase, DATABASE_KINDS, type TestDatabase, whyMissing } from "@one-api/database/test-databases";
import { startStubServer } from "@one-api/stub-server/start-stub-server";
import { sql } from "kysely";
import { TOTP } from "otpauth";
import { type Config, readConfig, StartError } from "../config.ts";
import { systemClock } from "../platform/clock.ts";
import { checkBalances } from "@one-api/ledger/check-balances";
import { createServerLedger } from "@one-api/ledger/create-server-ledger";
import { CHAT, startRelayTest } from "../testing/start-relay-test.ts";
import { createTestApp } from "../testing/create-test-app.ts";
import { importOldServer } from "./import-old-server.ts";
import {
  fillOldDatabase,
  createOldFile,
  OLD_PASSWORD,
  oldHash,
  type OldRows,
} from "@one-api/importer/testing/old-database";

const SECRET_KEY = "0123456789abcdef0123456789abcdef";
const KEY = "aB3".repeat(16);
const CODE = "0123456789abcdef0123456789abcdef";
const UPSTREAM_KEY = "sk-key-of-the-provider";
const TOTP_KEY = "JBSWY3DPEHPK3PXP";
const MODEL = "gpt-4o-mini";

const alice = {
  id: 7,
  username: "alice",
  password: oldHash(),
  email: "Alice@Example.com",
  quota: 1_000_000,
  used_quota: 5_000,
};
const USERS = [
  { ...alice, request_count: 12, aff_code: "Ab3d", inviter_id: 1, group: "vip" },
  { id: 8, username: "bob", password: oldHash(), status: 2, role: 10, quota: -30 },
  { id: 9, username: "gone", password: oldHash(), status: 3 },
]; // prettier-ignore
const TOKENS = [
  { id: 5, user_id: 7, key: KEY, name: "mine", remain_quota: 400_000, used_quota: 3_000, accessed_time: 1_700_000_100 },
  {
    id: 6,
    user_id: 7,
    key: "x".repeat(48),
    name: "free",
    unlimited_quota: true,
    remain_quota: -400,
    used_quota: 1_500,
  },
  { id: 9, user_id: 9, key: "y".repeat(48), name: "orphan" },
];
const CODES = [
  { id: 3, user_id: 1, key: CODE, name: "gift", quota: 5_000 },
  { id: 4, user_id: 1, key: "f".repeat(32), name: "spent", quota: 5_000, status: 3, redeemed_time: 1_700_000_000 },
];

const ENTRIES = [
  { id: 11, user_id: 7, created_at: 1_699_999_000, type: 1, content: "通过兑换码充值", username: "alice", quota: 500 },
  { id: 12, user_id: 7, created_at: 1_700_000_000, type: 2, content: "倍率：0.07 × 2.00", username: "alice", token_name: "mine", model_name: MODEL,
    quota: 2_400, prompt_tokens: 30, completion_tokens: 9, channel_id: 4, request_id: "one", elapsed_time: 1_200, is_stream: true },
  // Imported without the request id of another charge, without a deleted channel, and with limited numbers.
  { id: 13, user_id: 7, created_at: 1_700_000_001, type: 2, username: "alice", token_name: "mine", model_name: MODEL, quota: 600, prompt_tokens: 9_000_000_000,
    channel_id: 77, request_id: "one" },
  { id: 14, user_id: 8, created_at: 1_700_000_001, type: 2, username: "bob", token_name: "of bob", model_name: "m\u0007", quota: -5, request_id: "two" },
  { id: 15, user_id: 9, created_at: 1_700_000_002, type: 2, username: "gone", quota: 5 },
  { id: 16, user_id: 123, created_at: 1_700_000_002, type: 2, username: "never", quota: 5 },
  { id: 17, user_id: 7, created_at: 1_700_000_003, type: 9, username: "alice" },
  { id: 18, user_id: 7, created_at: 1_700_000_004, type: 2, username: null, quota: null },
  { id: 20, user_id: 7, created_at: 1_700_000_005, type: 5, username: "alice", channel_id: 4 },
]; // prettier-ignore

function oldRows(upstreamUrl: string): OldRows {
  return {
    users: USERS,
    tokens: TOKENS,
    channels: [
      { id: 4, type: 1, key: UPSTREAM_KEY, name: "main", models: `${MODEL},gpt-4o`, group: "default,vip", base_url: `${upstreamUrl}/`, used_quota: 4_500, balance: 12.5 },
      { id: 5, type: 99, key: "sk-odd", name: "odd kind", models: "m" },
    ],
    redemptions: CODES,
    options: [
      { key: "ModelRatio", value: `{"${MODEL}":0.075,"openrouter/auto":-500000}` },
      { key: "GroupRatio", value: '{"default":1,"vip":2}' },
      { key: "SystemName", value: "The Old Name" },
      { key: "SMTPToken", value: "s3cr3t-of-mails" },
      { key: "ChannelDisableThreshold", value: "7.0" },
      { key: "EmailVerificationEnabled", value: "true" },
      { key: "SomethingElse", value: "1" },
    ],
  }; // prettier-ignore
}

for (const kind of DATABASE_KINDS) {
  describe(`an import into ${kind}`, { skip: whyMissing(kind) ?? false }, () => {
    const closing: (() => Promise<unknown>)[] = [];
    after(async () => {
      for (const close of closing.toReversed()) await close();
    });
    const newDatabase = async () => {
      const made = await createTestDatabase(kind);
      closing.push(() => made.remove());
      return { made, config: configOf(made) };
    };
    const open = async (made: TestDatabase) => {
      const database = await connectDatabase(made.location);
      closing.push(() => database.close());
      return database;
    };
    const bring = (config: Config, source: string, isDryRun = false) =>
      importOldServer(config, systemClock, { source, isDryRun });

    test("keeps passwords, keys, quota and codes", async () => {
      const upstream = await startStubServer();
      closing.push(() => upstream.close());
      const { made, config } = await newDatabase();
      const said = (await bring(config, createOldFile(oldRows(upstream.at("openai"))))).join("\n");
      for (const secret of [KEY, CODE, UPSTREAM_KEY, "s3cr3t-of-mails", "$2"]) assert.ok(!said.includes(secret), said);
      const database = await open(made);
      assert.deepEqual(await checkBalances(database), []);
      const gateway = await startRelayTest({ database, environment: { SECRET_KEY } });
      closing.push(() => gateway.close());
      const { testApp } = gateway;

      const self = testApp.client();
      const logIn = (username: string, password: string) =>
        testApp.client().send(login, { body: { username, password } });
      const hashOf = (id: number) =>
        database.db.selectFrom("users").select("password_hash").where("id", "=", id).executeTakeFirstOrThrow();
      assert.equal((await logIn("alice", "another")).envelope?.code, "wrong-credentials");
      assert.match((await hashOf(7)).password_hash, /^\$2/);
      const user = await self.data(login, { body: { username: "alice@example.com", password: OLD_PASSWORD } });
      assert.deepEqual([user.id, user.username, user.role], [7, "alice", 1]);
      assert.match((await hashOf(7)).password_hash, /^\$argon2id/, "hashed as all others are, once it is known");
      assert.equal((await logIn("alice", OLD_PASSWORD)).envelope?.success, true);
      assert.equal((await logIn("bob", OLD_PASSWORD)).envelope?.code, "account-disabled");
      assert.equal((await logIn("gone", OLD_PASSWORD)).envelope?.code, "wrong-credentials");

      const client = await testApp.clientOf(7);
      const before = await client.data(getSelf, {});
      assert.deepEqual([before.quota, before.used_quota, before.request_count, before.group], [1_000_000, 5_000, 12, "vip"]);
      assert.equal(before.email, "alice@example.com");
      const answer = await gateway.post(CHAT, `sk-${KEY}`, { model: MODEL, messages: [{ role: "user", content: "hi" }] });
      assert.equal(answer.status, 200, await answer.text());
      assert.equal(upstream.requests.at(-1)?.headers["authorization"], `Bearer ${UPSTREAM_KEY}`);
      const { quota: charged } = await gateway.lastLog();
      assert.ok(charged > 0);
      const later = await client.data(getSelf, {});
      assert.deepEqual([later.quota, later.used_quota], [1_000_000 - charged, 5_000 + charged]);
      const balance = await database.db.selectFrom("token_balances").select(["remaining", "used"]).where("token_id", "=", 5).executeTakeFirstOrThrow();
      assert.deepEqual({ ...balance }, { remaining: 400_000 - charged, used: 3_000 + charged });

      assert.equal(await client.data(redeemCode, { body: { key: CODE } }), 5_000);
      for (const key of [CODE, "f".repeat(32)])
        assert.equal((await client.send(redeemCode, { body: { key } })).envelope?.code, "redemption-code-used");
      assert.equal(testApp.deps.options.text("SystemName"), "The Old Name");
      assert.equal(testApp.deps.options.secret("SMTPToken"), "s3cr3t-of-mails");
      assert.equal(testApp.deps.options.number("ChannelDisableThreshold"), 7);
      assert.deepEqual([...testApp.deps.options.ratios("ModelRatio")], [[MODEL, 0.075]]);
      const channel = await database.db.selectFrom("channels").select(["id", "used_quota", "balance", "base_url"]).executeTakeFirstOrThrow();
      assert.deepEqual([channel.id, channel.balance, channel.base_url], [4, 12.5, upstream.at("openai")]);
      assert.deepEqual(await checkBalances(database), []);

      // What is made from now on has other numbers than what came over.
      const { client: root } = await testApp.logInAs("root");
      assert.ok((await root.data(createUser, { body: { username: "carol", password: "password of carol" } })).id > 8);
      assert.ok((await client.data(createToken, { body: { name: "new", remain_quota: 1 } })).id > 6);
      const made2 = await root.data(createChannel, { body: { type: 1, name: "new", key: "sk-1", models: "m" } });
      assert.ok((made2.ids[0] ?? 0) > 4);
      assert.equal((await root.data(createRedemptions, { body: { name: "new", quota: 1, count: 1 } })).length, 1);
    }); // prettier-ignore

    test("imports the log with its charges, in its order, and keeps balances", async () => {
      const { made, config } = await newDatabase();
      const said = (await bring(config, createOldFile({ ...oldRows("http://127.0.0.1:9"), logs: ENTRIES }))).join("\n");
      assert.match(said, /^ {2}log entries +6 +3 +0$/m);
      assert.match(said, /^ {2}log \(2 entries\): their users do not come over$/m);
      assert.match(said, /^ {2}log \(1 entries\): there are no entries of their kinds here$/m);
      const database = await open(made);
      assert.deepEqual(await checkBalances(database), []);
      const rows = await database.db.selectFrom("logs").selectAll().orderBy("id").execute();
      assert.deepEqual(
        rows.map(({ user_id, type, quota, request_id, channel_id, token_name }) => [user_id, type, quota, request_id, channel_id, token_name]),
        [
          [7, 1, 0, "", 0, ""],
          [7, 2, 2_400, "one", 4, "mine"],
          [7, 2, 600, "", 0, "mine"],
          [8, 2, 0, "two", 0, "of bob"],
          [7, 2, 0, "", 0, ""],
          [7, 5, 0, "", 4, ""],
        ],
      );
      const gateway = await startRelayTest({ database, environment: { SECRET_KEY } });
      closing.push(() => gateway.close());
      const client = await gateway.testApp.clientOf(7);
      const self = await client.data(getSelf, {});
      assert.deepEqual([self.quota, self.used_quota, self.request_count], [1_000_000, 5_000, 12]);
      const list = await client.data(listOwnLogs, { query: { type: 2 } });
      assert.deepEqual(list.map(({ content, elapsed_time, prompt_tokens }) => [content, elapsed_time, prompt_tokens]), [
        ["", 0, 0],
        ["", 0, 2_147_483_647],
        ["倍率：0.07 × 2.00", 1_200, 30],
      ]);
      const { quota: inLog } = await client.data(getOwnLogStat, { query: {} });
      assert.equal(inLog, 3_000);
      // What is cleared of it stays charged.
      const { client: root } = await gateway.testApp.logInAs("root");
      await root.data(clearLogs, { query: { target_timestamp: 1_700_000_001 } });
      assert.deepEqual(await checkBalances(database), []);
      assert.equal((await client.data(getOwnLogStat, { query: {} })).quota, 600);
    }); // prettier-ignore

    test("imports a log of several pages", async () => {
      const { made, config } = await newDatabase();
      const entry = { user_id: 1, type: 2, created_at: 1_700_000_000, username: "root", model_name: MODEL, quota: 3 };
      const logs = Array.from({ length: 4_100 }, (_, index) => ({ ...entry, id: index + 1, request_id: `r${index}` }));
      await bring(config, createOldFile({ logs }));
      const database = await open(made);
      const rows = database.db.selectFrom("logs").select((row) => [row.fn.countAll().as("count"), row.fn.sum("quota").as("quota")]);
      const { count, quota } = await rows.executeTakeFirstOrThrow();
      assert.deepEqual([Number(count), Number(quota)], [4_100, 12_300]);
      assert.deepEqual(await checkBalances(database), []);
    }); // prettier-ignore

    test("imports the log of another database, or no log", async () => {
      const rows = { ...oldRows("http://127.0.0.1:9"), logs: ENTRIES };
      const count = async (more: Pick<Parameters<typeof importOldServer>[2], "log" | "source">) => {
        const { made, config } = await newDatabase();
        await importOldServer(config, systemClock, { isDryRun: false, ...more });
        const database = await open(made);
        assert.deepEqual(await checkBalances(database), []);
        return (await database.db.selectFrom("logs").select("id").execute()).length;
      };
      const apart = createOldFile({ logs: ENTRIES.slice(0, 2) });
      assert.equal(await count({ source: createOldFile(rows), log: { source: apart } }), 2);
      assert.equal(await count({ source: createOldFile(rows), log: "none" }), 0);
      const { config } = await newDatabase();
      const without = new DatabaseSync(apart);
      without.exec("drop table logs");
      without.close();
      const request = { source: createOldFile(rows), log: { source: apart }, isDryRun: false };
      await assert.rejects(importOldServer(config, systemClock, request), /There is no log .* that --log names/);
      assert.match((await bring(config, apart, true)).join("\n"), /^ {2}log entries +0 +0 +0$/m);
    });

    test("reports each row that is not imported, with the reason", async () => {
      const { config } = await newDatabase();
      const said = (await bring(config, createOldFile(oldRows("http://127.0.0.1:9")))).join("\n");
      for (const line of [
        /^ {2}users +3 +0 +1$/m,
        /^ {2}tokens +2 +1 +0$/m,
        /^ {2}channels +1 +1 +0$/m,
        /^ {2}redemption codes +2 +0 +0$/m,
        /^ {2}settings +5 +3 +0$/m,
        /^ {2}token orphan \(9\): its owner does not come over$/m,
        /^ {2}channel odd kind: there are no channels of its kind here \(number 99 of One API\)$/m,
        /^ {2}setting SomethingElse: there is no such setting here$/m,
        /^ {2}setting ModelRatio, openrouter\/auto: its ratio is no number that a price can be$/m,
        /^ {2}setting EmailVerificationEnabled: Set SMTPServer, SMTPAccount before/m,
        /^ {2}user bob: had 30 quota less than nothing, and begins with nothing$/m,
      ])
        assert.match(said, line);
    });

    test("replaces the root of a first start; refuses a second import, and one into a database in use", async () => {
      const { made, config } = await newDatabase();
      const first = await createTestApp({ database: await openMigrated(made), environment: { SECRET_KEY } });
      await first.close();
      await first.database.close();
      await bring(config, createOldFile({ users: USERS }));
      const counts = async () => {
        const database = await connectDatabase(made.location);
        const users = await database.db.selectFrom("users").select(["id", "username"]).orderBy("id").execute();
        assert.deepEqual(await checkBalances(database), []);
        await database.close();
        return users.map(({ id, username }) => [id, username]);
      };
      const once = [
        [1, "root"],
        [7, "alice"],
        [8, "bob"],
      ];
      assert.deepEqual(await counts(), once);
      await assert.rejects(bring(config, createOldFile({ users: USERS })), (error) => isRefusal(error, /was filled by an import at/));
      assert.deepEqual(await counts(), once);

      const other = await newDatabase();
      const used = await createTestApp({ database: await openMigrated(other.made), environment: { SECRET_KEY } });
      await used.logInAs("user");
      await used.close();
      await used.database.close();
      await assert.rejects(bring(other.config, createOldFile({ users: USERS })), (error) => isRefusal(error, /is in use: it has users/));
    }); // prettier-ignore

    test("leaves nothing after a failure, and can be run again", async () => {
      const { made, config } = await newDatabase();
      const database = await openMigrated(made);
      const refuse =
        kind === "sqlite"
          ? "create trigger no_codes before insert on redemptions begin select raise(abort, 'no codes today'); end"
          : "alter table redemptions add constraint no_codes check (id < 0)";
      await sql.raw(refuse).execute(database.db);
      await database.close();
      const source = createOldFile(oldRows("http://127.0.0.1:9"));
      await assert.rejects(bring(config, source), /no.codes/);
      const again = await connectDatabase(made.location);
      for (const table of ["users", "user_balances", "tokens", "channels", "ledger_entries", "audit"] as const) {
        const { count } = await again.db.selectFrom(table).select((row) => row.fn.countAll<number>().as("count")).executeTakeFirstOrThrow();
        assert.equal(count, 0, table);
      }
      const allow = kind === "sqlite" ? "drop trigger no_codes" : "alter table redemptions drop constraint no_codes";
      await sql.raw(allow).execute(again.db);
      await again.close();
      await bring(config, source);
    }); // prettier-ignore

    test("keeps the keys of a channel of new-api with their states, and serves with those that are enabled", async () => {
      const upstream = await startStubServer();
      closing.push(() => upstream.close());
      const { made, config } = await newDatabase();
      const keys = ["sk-key-of-new-api-0001", "sk-key-of-new-api-0002", "sk-key-of-new-api-0003"];
      const channel_info = JSON.stringify({
        is_multi_key: true,
        multi_key_size: 3,
        multi_key_status_list: { 0: 3, 2: 2 },
        multi_key_disabled_reason: { 0: "Incorrect API key" },
        multi_key_disabled_time: { 0: 1_700_000_000 },
        multi_key_mode: "polling",
      });
      const base_url = upstream.at("openai");
      const channel = { id: 4, type: 1, name: "many", models: MODEL, group: "default,vip", base_url, channel_info };
      const tokens = TOKENS.filter(({ user_id: owner }) => owner === 7);
      const rows = { ...oldRows(base_url), users: USERS, tokens, channels: [{ ...channel, key: keys.join("\n") }] };
      const said = (await bring(config, createOldFile(rows, "new-api"))).join("\n");
      for (const key of keys) assert.ok(!said.includes(key));
      const gateway = await startRelayTest({ database: await open(made), environment: { SECRET_KEY } });
      closing.push(() => gateway.close());
      const { client } = await gateway.testApp.logInAs("root");
      const listed = await client.data(listChannelKeys, { params: { id: 4 } });
      assert.deepEqual(
        listed.map(({ end, status, reason, disabled_at, weight }) => [end, status, reason, disabled_at, weight]),
        [
          ["0001", 3, "Incorrect API key", 1_700_000_000, 1],
          ["0002", 1, "", 0, 1],
          ["0003", 2, "", 0, 1],
        ],
      );
      const messages = [{ role: "user", content: "hi" }];
      const answer = await gateway.post(CHAT, `sk-${KEY}`, { model: MODEL, messages });
      assert.equal(answer.status, 200, await answer.text());
      assert.equal(upstream.requests.at(-1)?.headers["authorization"], `Bearer ${keys[1]}`);
    });

    test("writes nothing in a dry run", async () => {
      const { config } = await newDatabase();
      const source = createOldFile(oldRows("http://127.0.0.1:9"));
      const before = readFileSync(source);
      const said = (await bring({ ...config, dataDirectory: path.join(config.dataDirectory, "new") }, source, true)).join("\n");
      assert.match(said, /nothing was written, as this is a dry run[^]*users +3 +0 +1[^]*without --dry-run/);
      assert.equal(existsSync(path.join(config.dataDirectory, "new")), false);
      assert.deepEqual(readFileSync(source), before);
    }); // prettier-ignore
  });
}

test(
  "refuses a database on which a server runs, but not one whose server was killed",
  { skip: whyMissing("postgres") ?? false },
  async (t) => {
    const made = await createTestDatabase("postgres");
    t.after(() => made.remove());
    const database = await openMigrated(made);
    const server = createServerLedger({ database, clock: systemClock, warn: () => undefined, onOutdated: assert.fail });
    await server.start();
    const bring = () => importOldServer(configOf(made), systemClock, { source: createOldFile({}), isDryRun: false });
    await assert.rejects(bring, (error) => isRefusal(error, /^A server runs on this database/));
    await server.ledger.close();
    await database.db.insertInto("owners").values({ id: 5000, heartbeat: 3 }).execute();
    await database.close();
    assert.match((await bring()).join("\n"), /^Brought over/);
  },
);

test("keeps nothing if a balance would be another", async (t) => {
  const made = await createTestDatabase("sqlite");
  t.after(() => made.remove());
  const database = await openMigrated(made);
  const cut = "begin update shares set remaining = remaining - 1 where kind = new.kind and account = new.account; end";
  await sql.raw(`create trigger cut after update on shares when new.remaining = 1000000 ${cut}`).execute(database.db);
  await database.close();
  const bring = importOldServer(configOf(made), systemClock, {
    source: createOldFile({ users: USERS }),
    isDryRun: false,
  });
  await assert.rejects(bring, /^Error: The balance of user 7 is not the one of the old server\.$/);
  const again = await connectDatabase(made.location);
  t.after(() => again.close());
  assert.deepEqual(await again.db.selectFrom("users").select("id").execute(), []);
});

test("keeps authenticator apps of new-api", async (t) => {
  const made = await createTestDatabase("sqlite");
  t.after(() => made.remove());
  const rows = {
    users: [{ id: 2, username: "dora", password: oldHash() }],
    two_fas: [{ id: 1, user_id: 2, secret: TOTP_KEY, is_enabled: true }],
  };
  await importOldServer(configOf(made), systemClock, { source: createOldFile(rows, "new-api"), isDryRun: false });
  const testApp = await createTestApp({ database: await openMigrated(made), environment: { SECRET_KEY } });
  t.after(async () => {
    await testApp.close();
    await testApp.database.close();
  });
  const client = testApp.client();
  const begun = await client.send(login, { body: { username: "dora", password: OLD_PASSWORD } });
  assert.equal(begun.envelope?.code, "second-factor-needed");
  const code = new TOTP({ secret: TOTP_KEY }).generate({ timestamp: testApp.clock.nowMs() });
  assert.equal((await client.data(finishLogin, { body: { code } })).username, "dora");
});

describe("an import from PostgreSQL", { skip: whyMissing("postgres") ?? false }, () => {
  test("reads keys, flags and numbers as from SQLite", async (t) => {
    const [old, made] = [await createTestDatabase("postgres"), await createTestDatabase("sqlite")];
    t.after(() => Promise.all([old.remove(), made.remove()]));
    // PostgreSQL's column cannot hold larger numbers.
    const logs = ENTRIES.filter(({ prompt_tokens = 0 }) => prompt_tokens < 2 ** 31);
    await fillOldDatabase(old.location, { ...oldRows("http://127.0.0.1:9"), logs }, "one-api");
    await importOldServer(configOf(made), systemClock, { source: old.location.databaseUrl, isDryRun: false });
    const database = await connectDatabase(made.location);
    t.after(() => database.close());
    const tokens = await database.db.selectFrom("tokens").select(["name", "unlimited_quota"]).orderBy("id").execute();
    assert.deepEqual(
      tokens.map((token) => ({ ...token })),
      [
        { name: "mine", unlimited_quota: 0 },
        { name: "free", unlimited_quota: 1 },
      ],
    );
    const entries = await database.db.selectFrom("logs").select(["quota", "is_stream"]).orderBy("id").execute();
    assert.deepEqual([entries.length, entries[1]?.quota, entries[1]?.is_stream], [5, 2_400, 1]);
    assert.deepEqual(await checkBalances(database), []);
    await assert.rejects(
      importOldServer(configOf(old), systemClock, { source: old.location.databaseUrl, isDryRun: false }),
      /the database of another program[^]*Point DATABASE_URL at a new database/,
    );
  });
});

function configOf({ location }: TestDatabase): Config {
  return readConfig({ DATA_DIR: location.dataDirectory, DATABASE_URL: location.databaseUrl, SECRET_KEY });
}

async function openMigrated(made: TestDatabase) {
  const database = await connectDatabase(made.location);
  await migrate(database);
  return database;
}

function isRefusal(error: unknown, message: RegExp): boolean {
  assert.ok(error instanceof StartError);
  assert.match(error.message, message);
  return true;
}
