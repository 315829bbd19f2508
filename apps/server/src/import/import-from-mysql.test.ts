import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { connectDatabase } from "@one-api/database/connect-database";
import { createTestDatabase } from "@one-api/database/test-databases";
import { createMariadbDatabase, mariadbMissing } from "@one-api/database/testing/mariadb-test-server";
import { openOldServer } from "@one-api/importer/old-server";
import { planImport } from "@one-api/importer/plan-import";
import { noEntries, planLog } from "@one-api/importer/plan-log";
import { createOldFile, fillOldMysql, oldHash, type OldRows } from "@one-api/importer/testing/old-database";
import { checkBalances } from "@one-api/ledger/check-balances";
import { readConfig } from "../config.ts";
import { systemClock } from "../platform/clock.ts";
import { compareOldServer } from "./compare-old-server.ts";
import { gatewayRules } from "./gateway-rules.ts";
import { importOldServer } from "./import-old-server.ts";

const NOW = 1_800_000_000;
const SECRETS = { token: "aB3".repeat(16), code: "0123456789abcdef0123456789abcdef", channel: "sk-of-the-provider" };
const HASH = oldHash();
const user = (id: number, more = {}) => ({ id, username: `user${id}`, password: HASH, aff_code: `c${id}`, ...more });
const charge = (id: number, more = {}) => ({
  id,
  user_id: 2,
  type: 2,
  created_at: 1_700_000_000 + id,
  channel_id: 1,
  ...more,
});

/** Rows of One API with values that are hard to read. */
const ONE_API: OldRows = {
  users: [
    user(2, { username: "小明🚀", display_name: "小明 🎉 \\ '", quota: 900_000, used_quota: 100, group: "vip", email: null, github_id: null }),
    user(3, { quota: -30, display_name: null, inviter_id: null }),
    user(4, { status: 3, quota: 77 }),
  ],
  tokens: [
    { id: 1, user_id: 2, key: SECRETS.token, name: "🔑", unlimited_quota: true, remain_quota: -500, models: null, subnet: null },
    { id: 2, user_id: 2, key: "b".repeat(48), name: null, unlimited_quota: false, remain_quota: 5_000, expired_time: -1, accessed_time: null },
  ],
  channels: [
    { id: 1, type: 1, key: SECRETS.channel, name: "主 渠道", models: "gpt-4o,gpt-4o-mini", group: "default,vip", weight: null, balance: 12.345, priority: null,
      base_url: null, other: null, model_mapping: null, config: '{"user_id":"值"}' },
  ],
  redemptions: [{ id: 1, user_id: 1, key: SECRETS.code, name: "礼物", quota: 5_000, redeemed_time: null }],
  options: [
    { key: "ModelRatio", value: '{"gpt-4o":1.25,"gpt-4o-mini":0.075}' },
    { key: "CompletionRatio", value: '{"gpt-4o":4,"gpt-4o-mini":4}' },
    { key: "GroupRatio", value: '{"default":1,"vip":2}' },
    { key: "Notice", value: null },
    { key: "SystemName", value: "网关 🚪" },
  ],
  logs: [
    charge(1, { model_name: "gpt-4o", prompt_tokens: 100, completion_tokens: 10, quota: 350, content: "倍率：1.25 × 2.00 × 4.00", username: "小明🚀", is_stream: true }),
    charge(2, { model_name: "gpt-4o-mini", prompt_tokens: 7, completion_tokens: 0, quota: 2, content: null, username: "小明🚀" }),
    { id: 3, user_id: 2, type: 1, created_at: 1_700_000_003, content: "🎁", quota: null },
    charge(4, { user_id: 4, model_name: "gpt-4o", prompt_tokens: 1, quota: 3 }),
  ],
}; // prettier-ignore

/** Rows of new-api with groups of tokens, prices of requests and cached tokens, and zero dates. */
const NEW_API: OldRows = {
  users: [
    user(1, { role: 100, quota: 2_000_000_000, discord_id: "d1" }),
    user(2, { discord_id: "d2", quota: 900_000, used_quota: 100, group: "vip", aff_quota: 40 }),
    user(3, { deleted_at: "2025-01-01 00:00:00" }),
    user(4, { deleted_at: "0000-00-00 00:00:00" }),
  ],
  tokens: [
    { id: 1, user_id: 2, key: SECRETS.token, name: "🔑", unlimited_quota: true, model_limits_enabled: null, group: "premium" },
    { id: 2, user_id: 2, key: "b".repeat(48), name: "gone", deleted_at: "2025-01-01 00:00:00" },
  ],
  channels: [
    { id: 1, type: 1, key: `${SECRETS.channel}\nsk-two`, name: "多 key", models: "gpt-4o,dall-e-3,chat-by-request,gpt-4", group: "default,vip", weight: 3, auto_ban: 0,
      channel_info: '{"is_multi_key":true,"multi_key_size":2,"multi_key_status_list":{"1":2},"multi_key_mode":"polling"}', model_mapping: '{"gpt-4":"gpt-4o"}' },
  ],
  redemptions: [{ id: 1, user_id: 1, key: SECRETS.code, name: "礼物", quota: 5_000, expired_time: NOW * 2 }],
  options: [
    { key: "ModelRatio", value: '{"gpt-4o":1.25,"gpt-4":15}' },
    { key: "CompletionRatio", value: '{"gpt-4o":4}' },
    { key: "CacheRatio", value: '{"gpt-4o":0.25}' },
    { key: "ModelPrice", value: '{"dall-e-3":0.04,"chat-by-request":0.01}' },
    { key: "GroupRatio", value: '{"default":1,"vip":1,"premium":3}' },
    { key: "GroupGroupRatio", value: '{"vip":{"premium":2}}' },
  ],
  top_ups: [{ id: 1, user_id: 2, amount: 10, money: 9.5, trade_no: "t1" }],
  logs: [
    charge(1, { model_name: "gpt-4o", prompt_tokens: 100, completion_tokens: 10, quota: 175, group: "vip",
      other: '{"model_ratio":1.25,"group_ratio":1,"completion_ratio":4,"cache_tokens":0,"cache_ratio":0.25,"model_price":-1}' }),
    charge(2, { model_name: "gpt-4o", prompt_tokens: 100, completion_tokens: 10, quota: 128, group: "vip",
      other: '{"model_ratio":1.25,"group_ratio":1,"completion_ratio":4,"cache_tokens":50,"cache_ratio":0.25,"model_price":-1}' }),
    charge(3, { model_name: "dall-e-3", prompt_tokens: 1, quota: 20_000, group: "vip", other: '{"model_ratio":0,"model_price":0.04,"group_ratio":1}' }),
    charge(4, { model_name: "chat-by-request", prompt_tokens: 9, quota: 5_000, group: "vip", other: '{"model_ratio":0,"model_price":0.01,"group_ratio":1}' }),
    charge(5, { model_name: "gpt-4o", prompt_tokens: 100, quota: 250, group: "premium",
      other: '{"model_ratio":1.25,"group_ratio":2,"user_group_ratio":2,"completion_ratio":4,"model_price":-1}' }),
    charge(6, { model_name: "gpt-4", prompt_tokens: 100, quota: 1_500, group: "vip",
      other: '{"model_ratio":15,"group_ratio":1,"completion_ratio":2,"model_price":-1,"is_model_mapped":true,"upstream_model_name":"gpt-4o"}' }),
    { id: 7, user_id: 2, type: 5, content: "error", created_at: 1 },
  ],
}; // prettier-ignore

describe("an import from MySQL", { skip: mariadbMissing() ?? false }, () => {
  const closing: (() => Promise<unknown>)[] = [];
  after(async () => {
    for (const close of closing.toReversed()) await close();
  });

  const makeOld = async (rows: OldRows, product: "one-api" | "new-api") => {
    const database = await createMariadbDatabase();
    await fillOldMysql(database, rows, product);
    return database;
  };
  const makeNew = async () => {
    const made = await createTestDatabase("sqlite");
    closing.push(() => made.remove());
    return { made, config: readConfig({ DATA_DIR: made.location.dataDirectory }) };
  };
  const planFrom = async (source: string) => {
    const old = await openOldServer(source);
    const plan = planImport(old.server, gatewayRules, NOW);
    const entries = [];
    for await (const page of planLog(old.log ?? [], plan, noEntries())) entries.push(...page);
    const charges = (await old.lastCharges(10)).length;
    await old.close();
    return { ...plan, findings: [plan.findings.leftOut, plan.findings.changed], entries, charges };
  };

  for (const [product, rows] of [
    ["one-api", ONE_API],
    ["new-api", NEW_API],
  ] as const)
    test(`plans ${product} as from SQLite`, async () => {
      const { url } = await makeOld(rows, product);
      const [fromMysql, fromSqlite] = [await planFrom(url), await planFrom(createOldFile(rows, product))];
      assert.ok(fromMysql.users.size > 1 && fromMysql.entries.length > 1);
      assert.deepEqual(fromMysql, fromSqlite);
    });

  test("keeps the balances and texts of One API, and agrees in each charge", async () => {
    const old = await makeOld(ONE_API, "one-api");
    const { made, config } = await makeNew();
    const source = old.url;
    await assert.rejects(compareOldServer(config, systemClock, { source }));
    const report = (await importOldServer(config, systemClock, { source, isDryRun: false })).join("\n");
    for (const line of [
      /^ {2}users +3 +0 +1$/m,
      /^ {2}there +500,000,000,899,970$/m,
      /^ {2}debts of 1 that became 0 +30$/m,
      /^ {2}here +500,000,000,900,000$/m,
      /^ {2}equal 2, equal but for rounding 0, different 0, not comparable 1$/m,
    ])
      assert.match(report, line);
    for (const secret of [...Object.values(SECRETS), old.password, "$2"]) assert.ok(!report.includes(secret), report);
    const database = await connectDatabase(made.location);
    assert.deepEqual(await checkBalances(database), []);
    const users = await database.db.selectFrom("users").select(["username", "display_name"]).where("id", ">", 1).orderBy("id").execute();
    assert.deepEqual(users.map((row) => ({ ...row })), [
      { username: "小明🚀", display_name: "小明 🎉 \\ '" },
      { username: "user3", display_name: "user3" },
    ]);
    await database.close();
    assert.equal((await compareOldServer(config, systemClock, { source })).agrees, true);
  }); // prettier-ignore

  test("lists what new-api charges otherwise", async () => {
    const { url: source } = await makeOld(NEW_API, "new-api");
    const { config } = await makeNew();
    const report = (await importOldServer(config, systemClock, { source, isDryRun: false })).join("\n");
    for (const line of [
      /^ {2}users +2 +0 +2$/m,
      /^ {2}table top_ups: 1 row has values that have no place here$/m,
      /^ {2}column users\.discord_id: 2 rows have values that have no place here$/m,
      /^ {2}column channels\.auto_ban: 1 row has values that have no place here$/m,
      /^ {2}token number 1: had the group premium: here its owner's group counts, vip, and the ratio is 1 instead of 2$/m,
      /^ {2}redemption code number 1: would have expired: here codes do not \(worth 5000 quota\)$/m,
      /^ {2}setting ModelPrices: has 3 prices, from ModelPrice/m,
      /^ {2}Rewards for invitations that users had not taken, 40 in all, stay behind \(aff_quota\)\.$/m,
      /^ {2}gpt-4 \(gpt-4o\): model ratio 15 there, 1\.25 here$/m,
      /^ {2}equal 3, equal but for rounding 1, different 2, not comparable 0$/m,
      /^ {2}gpt-4, 1 charge, 1500 quota there, 125 here \(-92 %\): model ratio: 15 there, 1\.25 here; priced as gpt-4o here, the provider's model$/m,
      /^ {2}gpt-4o, 1 charge, 250 quota there, 125 here \(-50 %\): group ratio: 2 there, 1 here$/m,
    ])
      assert.match(report, line);
    assert.equal((await compareOldServer(config, systemClock, { source })).agrees, false);
    assert.equal((await compareOldServer(config, systemClock, { source, log: "none" })).agrees, true);
  }); // prettier-ignore
});
