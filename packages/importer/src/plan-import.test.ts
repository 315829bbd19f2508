import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { CHANNEL_TYPES } from "@one-api/contract/channels/channel-types";
import { findChannelType } from "./old-channel-types.ts";
import { type OldProduct, openOldServer } from "./old-server.ts";
import { planImport } from "./plan-import.ts";
import { createOldFile, oldHash, type OldRows } from "./testing/old-database.ts";
import { simpleRules } from "./testing/simple-rules.ts";

const NOW = 1_800_000_000;
const CREDENTIALS = '{"type":"service_account","project_id":"my-project","private_key":"-----"}';

async function plan(rows: OldRows, product: "one-api" | "new-api" = "new-api") {
  const old = await openOldServer(createOldFile(rows, product));
  await old.close();
  const planned = planImport(old.server, simpleRules, NOW);
  const { leftOut, changed } = planned.findings;
  const report = [...leftOut, ...changed].map(({ noun, name, text }) => `${noun} ${name}: ${text}`);
  return { ...planned, report };
}

/** Returns the name of the channel type for an old number, or the reason why there is none. */
function typeOf(product: OldProduct, number: number): string {
  const found = findChannelType(product, number);
  return typeof found === "string" ? found : (CHANNEL_TYPES.find(({ type }) => type === found.type)?.name ?? "");
}

const user = (id: number, more = {}) => ({ id, username: `user${id}`, password: oldHash(), ...more });

describe("a plan for new-api", () => {
  test("imports users that are not deleted, with those sign-in ids that are certain", async () => {
    const { users, report, findings } = await plan({
      users: [
        user(2, { github_id: "583231", oidc_id: "subject-2", created_at: 1_700_000_000 }),
        user(3, { github_id: "octocat", wechat_id: "w3" }),
        user(4, { deleted_at: "2025-01-01 00:00:00" }),
        user(5, { oidc_id: "subject-2", password: "plain words" }),
        user(6, { username: "user2@example.com" }),
        user(7, { email: "User2@Example.com", group: "" }),
      ],
      two_fas: [
        { id: 1, user_id: 2, secret: "JBSWY3DPEHPK3PXP", is_enabled: true },
        { id: 2, user_id: 3, secret: "JBSWY3DPEHPK3PXQ", is_enabled: false },
        { id: 3, user_id: 7, secret: "in another way", is_enabled: true },
      ],
      options: [
        { key: "oidc.well_known", value: "https://id.example.com/.well-known/openid-configuration" },
        { key: "oidc.enabled", value: "true" },
        { key: "ModelPrice", value: '{"dall-e-3":0.04}' },
      ],
    });
    assert.deepEqual([...users.keys()], [1, 2, 3, 5, 7]);
    const two = users.get(2);
    assert.deepEqual(
      [two?.github_id, two?.oidc_id, two?.created_at],
      ["https://github.com 583231", "https://id.example.com subject-2", 1_700_000_000],
    );
    assert.deepEqual([users.get(5)?.password_hash, users.get(7)?.email], ["", "user2@example.com"]);
    assert.deepEqual(
      [2, 3, 7].map((id) => users.get(id)?.totpKey),
      ["JBSWY3DPEHPK3PXP", "", ""],
    );
    assert.equal(findings.deletedOf("user"), 1);
    assert.deepEqual(report, [
      "setting OidcEnabled: needs a client",
      "user user2@example.com: its username is another user's e-mail address, and would take that login",
      "setting ModelPrices: has 1 price, from ModelPrice and the ratios of cache, images and audio",
      "user user3: is no longer bound at GitHub: only a name was kept, and names there change hands",
      "user user3: is no longer bound at WeChat: no setting says which server that is",
      "user user5: its password is kept in an unknown form: it needs a new one",
      "user user5: is no longer bound at OpenID Connect: the id there is another user's, or none",
      "user user7: has no second factor any more: its app's key could not be read",
    ]);
  });

  test("keeps the limits of tokens, and disables those with unreadable limits", async () => {
    const token = (id: number, more = {}) => ({ id, user_id: 2, key: `key${id}`, name: `t${id}`, unlimited_quota: true, ...more });
    const { tokens, report } = await plan({
      users: [user(2, { group: "default,vip" })],
      tokens: [
        token(1, { model_limits_enabled: true, model_limits: "gpt-4o, gpt-4o-mini" }),
        token(2, { model_limits: "gpt-4o", allow_ips: "192.0.2.1\n10.0.0.0/8", group: "vip" }),
        token(3, { model_limits_enabled: true, model_limits: "" }),
        token(4, { allow_ips: "somewhere", group: "svip" }),
        token(5, { status: 3, expired_time: NOW + 100 }),
        token(6, { status: 3, expired_time: NOW - 100 }),
        token(7, { deleted_at: "2025-01-01" }),
        token(8, { key: "a-b" }),
        token(9, { key: "key1" }),
        token(10, { status: 4, unlimited_quota: false, remain_quota: 5 }),
        token(11, { key: "sk-key11", status: 4, unlimited_quota: false, remain_quota: -5 }),
      ],
    });
    assert.deepEqual(
      tokens.map(({ id, key, status, models, subnet }) => [id, key, status, models, subnet]),
      [
        [1, "key1", 1, "gpt-4o,gpt-4o-mini", ""],
        [2, "key2", 1, "", "192.0.2.1,10.0.0.0/8"],
        [3, "key3", 2, "", ""],
        [4, "key4", 2, "", ""],
        [5, "key5", 2, "", ""],
        [6, "key6", 1, "", ""],
        [10, "key10", 2, "", ""],
        [11, "key11", 1, "", ""],
      ],
    );
    assert.deepEqual(report.slice(0, 3), [
      "token t8 (8): its key has a hyphen or a blank, so that nobody could call with it",
      "token t9 (9): another token has the same key",
      "token t3 of user2: is disabled: it was bound to models, and none is named",
    ]);
    assert.deepEqual(report.slice(3), [
      "token number 4: had the group svip: here its owner's group counts, default,vip, and the ratio is the same, 1",
      "token t4 of user2: is disabled: no network",
    ]);
  }); // prettier-ignore

  test("keeps the group of a token that its owner is in", async () => {
    const token = (id: number, group: string) => ({ id, user_id: 2, key: `key${id}`, name: `t${id}`, group });
    const { tokens } = await plan({
      users: [user(2, { group: "default,vip" })],
      tokens: [token(1, "vip"), token(2, ""), token(3, "premium"), token(4, "auto")],
    });
    assert.deepEqual(
      tokens.map(({ group }) => group),
      ["vip", "", "", ""],
    );
  });

  test("keeps prices that ratios can express, and sums up the rest", async () => {
    const token = (id: number, group: string) => ({ id, user_id: 2, key: `key${id}`, name: `t${id}`, group });
    const { settings, report } = await plan({
      users: [user(2, { group: "vip" })],
      tokens: [token(1, "premium"), token(2, "premium"), token(3, ""), token(4, "vip"), token(5, "auto"), token(6, "premium")],
      options: [
        { key: "ModelRatio", value: '{"gpt-4o":1.25,"sound":2}' },
        { key: "ModelPrice", value: '{"picture-1":0.04,"chat-by-request":0.1,"broken":-1,"tiny":1e-9}' },
        { key: "GroupRatio", value: '{"default":1,"vip":1,"premium":3}' },
        { key: "GroupGroupRatio", value: '{"vip":{"vip":0.8,"premium":2}}' },
        { key: "CacheRatio", value: '{"gpt-4o":0.25,"unset":0.1,"same":0.5}' },
        { key: "CreateCacheRatio", value: '{"gpt-4o":1.5}' },
        { key: "AudioRatio", value: '{"sound":4}' },
        { key: "AudioCompletionRatio", value: '{"sound":2}' },
        { key: "billing_setting.billing_mode", value: '{"gpt-5":"tiered_expr"}' },
      ],
    });
    assert.deepEqual(JSON.parse(settings.get("ModelRatio") ?? ""), { "gpt-4o": 1.25, sound: 2 });
    assert.deepEqual(JSON.parse(settings.get("ModelPrices") ?? ""), {
      "picture-1": { per_image: 0.04 },
      "chat-by-request": { per_request: 0.1 },
      "gpt-4o": { input: 2.5, output: 2.5, cached_input: 0.625, cache_write: 3.75 },
      sound: { input: 4, output: 4, cached_input: 2, cache_write: 5, audio_input: 16, audio_output: 32 },
    });
    assert.deepEqual(JSON.parse(settings.get("GroupRatio") ?? ""), { default: 1, vip: 0.8, premium: 3 });
    assert.deepEqual(report, [
      "setting billing_setting.billing_mode: there is no such price here: the maintained list has these prices",
      "setting ModelPrice, tiny: $1e-9 is no price that a model can have here",
      "setting unset, ratios of cache, images or audio: has no ModelRatio that they are multiples of",
      "setting ModelPrices: has 4 prices, from ModelPrice and the ratios of cache, images and audio",
      "setting GroupRatio, vip: is 0.8, as GroupGroupRatio has it for users of this group",
      "token number 1-2, 6: 3 of them: had the group premium: here its owner's group counts, vip, and the ratio is 0.8 instead of 2",
      "token number 5: had the group auto: here its owner's group counts, vip, and the ratio is 0.8",
    ]);
  }); // prettier-ignore

  test("maps channels to types and keys of this product", async () => {
    const channel = (id: number, type: number, more = {}) => ({ id, type, key: `k${id}`, name: `c${id}`, models: "m", ...more });
    const { channels, report } = await plan({
      channels: [
        channel(1, 1, { key: "one\ntwo\nthree", channel_info: '{"is_multi_key":true,"multi_key_status_list":{"1":3,"2":2},"multi_key_disabled_reason":{"1":"two was refused"},"multi_key_disabled_time":{"1":1700000000},"multi_key_mode":"polling"}', used_quota: 9, weight: 5 }),
        channel(2, 43, { tag: "cheap", setting: '{"proxy":"http://me:word@p:3128/","system_prompt":"Be brief.","force_format":true,"thinking_to_content":false}', priority: 7 }),
        channel(3, 41, { key: CREDENTIALS, other: '{"default":"us-east5","m":"global"}' }),
        channel(4, 39, { other: "account-4" }),
        channel(5, 8, { base_url: "https://example.com/api/v1/chat/completions", param_override: '{"temperature":0}', header_override: '{"X-App":"a"}' }),
        channel(6, 36),
        channel(7, 14, { setting: '{"proxy":"p:3128"}', param_override: '{"model":"dear"}' }),
        channel(8, 33, { key: "access|secret|us-east-1", status: 2 }),
        channel(9, 14, { models: "", status: 3 }),
        channel(10, 14, { status: 3, model_mapping: '{"a":"b","c":""}' }),
      ],
    });
    assert.deepEqual(
      channels.map(({ id, fields, key, status, used_quota }) => [id, fields.type, key, status, used_quota]),
      [
        [1, 1, "one", 1, 9],
        [2, 36, "k2", 1, 0],
        [3, 42, `us-east5|my-project|${CREDENTIALS}`, 1, 0],
        [4, 37, "k4", 1, 0],
        [5, 8, "k5", 1, 0],
        [7, 14, "k7", 1, 0],
        [8, 33, "access|secret|us-east-1", 2, 0],
        [10, 14, "k10", 3, 0],
      ],
    );
    assert.deepEqual(channels[0]?.keys, [
      { key: "one", status: 1, status_reason: "", disabled_at: 0 },
      { key: "two", status: 3, status_reason: "*** was refused", disabled_at: 1_700_000_000 },
      { key: "three", status: 2, status_reason: "", disabled_at: 0 },
    ]);
    assert.deepEqual(channels[1]?.keys, []);
    const [, deepseek, , cloudflare, custom, unread] = channels;
    assert.deepEqual([deepseek?.fields.proxy, unread?.fields.proxy], ["http://me:word@p:3128", ""]);
    assert.deepEqual([deepseek?.fields.tags, deepseek?.fields.system_prompt, deepseek?.fields.priority], ["cheap", "Be brief.", 7]);
    assert.equal(cloudflare?.fields.config, '{"user_id":"account-4"}');
    assert.equal(custom?.fields.base_url, "https://example.com/api/v1");
    assert.equal(custom?.fields.overrides, '{"headers":{"set":{"X-App":"a"}},"body":{"set":{"temperature":0}}}');
    assert.equal(channels.at(-1)?.fields.model_mapping, '{"a":"b"}');
    assert.deepEqual(report, [
      "channel c6: there are no channels of the kind Suno here",
      "channel c9: no model",
      "channel c2: its setting force_format had no place here",
      "channel c7: its param_override had no place here",
      "channel c7: its proxy could not be read: it uses the setting HttpProxy until you set its own",
    ]);
  }); // prettier-ignore

  test("a channel of more keys than fit becomes several, and one whose keys are all disabled serves nothing", async () => {
    const many = Array.from({ length: 201 }, (_key, index) => `key-${index}`).join("\n");
    const channel = (id: number, more: object) => ({ id, type: 1, name: `c${id}`, models: "m", ...more });
    const { channels, report } = await plan({
      channels: [
        channel(1, { key: many, used_quota: 9, weight: 5, channel_info: '{"is_multi_key":true,"multi_key_mode":"random"}' }),
        channel(2, { key: "a\nb", channel_info: '{"is_multi_key":true,"multi_key_status_list":{"0":3,"1":2}}' }),
        channel(3, { key: "a\na", channel_info: '{"is_multi_key":true}' }),
      ],
    });
    assert.deepEqual(
      channels.map(({ id, fields, keys, status, used_quota }) => [id, fields.name, keys.length, status, used_quota]),
      [
        [1, "c1", 200, 1, 9],
        [4, "c1-2", 0, 1, 0],
        [2, "c2", 2, 3, 0],
        [3, "c3", 0, 1, 0],
      ],
    );
    assert.deepEqual(report, [
      "channel c1: has 201 keys: it became 2 channels of 200 keys at most, each of its whole weight, 5",
    ]);
  }); // prettier-ignore

  test("knows every channel type", () => {
    const types = Array.from({ length: 57 }, (_, index) => typeOf("new-api", index + 1));
    const none = (name: string) => `there are no channels of the kind ${name} here`;
    assert.deepEqual(types, [
      "openai", none("Midjourney"), "azure", "ollama", none("Midjourney Plus"), "openai-max", "ohmygpt", "custom", "ai-ls", "ai-proxy",
      "palm", "api2gpt", "aigc2d", "anthropic", "baidu", "zhipu", "qwen", "spark", "ai360", "openrouter",
      "ai-proxy-library", "fastgpt", "hunyuan", "gemini", "moonshot", "zhipu", none("Perplexity"),
      // Unused in new-api: such rows come from a database of One API, with its meaning.
      "mistral", "groq", "ollama",
      "yi", "stepfun", "aws", "cohere", "minimax", none("Suno"), none("Dify"), none("Jina"), "cloudflare", "siliconflow",
      "vertex", "mistral", "deepseek", none("MokaAI"), "doubao", "baidu", "custom", "xai", "coze", none("Kling"),
      none("Jimeng"), none("Vidu"), "custom", none("Doubao Video"), none("Sora"), "replicate", none("Codex"),
    ]);
    assert.equal(typeOf("new-api", 58), "there are no channels of its kind here (number 58 of new-api)");
  }); // prettier-ignore

  test("keeps base URLs of channel types, and resolves names of plans", async () => {
    const channel = (id: number, type: number, base_url = "") => ({ id, type, base_url, key: "k", name: `c${id}`, models: "m" });
    const { channels, report } = await plan({
      channels: [
        channel(1, 49),
        channel(2, 53),
        channel(3, 26, "glm-coding-plan"),
        channel(4, 45, "doubao-coding-plan"),
        channel(5, 25, "kimi-coding-plan"),
        channel(6, 49, "https://api.coze.com"),
      ],
    });
    assert.deepEqual(report, []);
    assert.deepEqual(
      channels.map(({ fields: { type, base_url } }) => [type, base_url]),
      [
        [34, "https://api.coze.cn"],
        [8, "https://llm.submodel.ai"],
        [16, "https://open.bigmodel.cn/api/coding/paas/v4"],
        [40, "https://ark.cn-beijing.volces.com/api/coding/v3"],
        [25, "https://api.kimi.com/coding/v1"],
        [34, "https://api.coze.com"],
      ],
    );
  }); // prettier-ignore

  test("reports codes that would expire, and keeps the user of used ones", async () => {
    const code = (id: number, more = {}) => ({ id, user_id: 99, key: `code${id}`, name: `r${id}`, quota: 10, ...more });
    const { redemptions, report } = await plan({
      users: [user(2)],
      redemptions: [
        code(1, { status: 3, used_user_id: 2, redeemed_time: 5 }),
        code(2, { expired_time: NOW - 1 }),
        code(3, { expired_time: NOW + 1 }),
        code(4, { quota: 0 }),
        code(5, { deleted_at: "2025-01-01" }),
        code(6, { expired_time: NOW + 1 }),
        code(7, { expired_time: NOW + 2 }),
      ],
    });
    assert.deepEqual(
      redemptions.map(({ id, user_id, status, redeemed_by }) => [id, user_id, status, redeemed_by]),
      [
        [1, 1, 3, 2],
        [2, 1, 2, null],
        [3, 1, 1, null],
        [6, 1, 1, null],
        [7, 1, 1, null],
      ],
    );
    assert.deepEqual(report, [
      "redemption code r4 (4): it is worth nothing",
      "redemption code number 3, 6-7: 3 of them: would have expired: here codes do not (worth 30 quota in all)",
    ]);
  });
});

describe("a plan for One API", () => {
  test("reads the config of newer versions", async () => {
    const { channels } = await plan(
      {
        channels: [
          { id: 1, type: 3, key: "k", name: "azure", models: "m", base_url: "https://a.openai.azure.com", config: '{"api_version":"2024-10-21"}' },
          { id: 2, type: 42, key: "", name: "vertex", models: "m", config: JSON.stringify({ region: "global", vertex_ai_project_id: "p", vertex_ai_adc: CREDENTIALS }) },
          { id: 3, type: 51, key: "k", name: "gemini", models: "m" },
          { id: 4, type: 50, key: "k", name: "compatible", models: "m", base_url: "https://example.com/v1" },
        ],
      },
      "one-api",
    );
    assert.deepEqual(
      channels.map(({ key, fields: { type, other, base_url } }) => [type, key, other, base_url]),
      [
        [3, "k", "2024-10-21", "https://a.openai.azure.com"],
        [42, `global|p|${CREDENTIALS}`, "", ""],
        [8, "k", "", "https://generativelanguage.googleapis.com/v1beta/openai"],
        [8, "k", "", "https://example.com/v1"],
      ],
    );
    for (const { type } of CHANNEL_TYPES) assert.deepEqual(findChannelType("One API", type), { type, baseUrl: "" });
    const added = [47, 48, 49, 50, 51, 52].map((number) => typeOf("One API", number));
    assert.deepEqual(added, ["baidu", "spark", "qwen", "custom", "custom", "there are no channels of its kind here (number 52 of One API)"]);
  }); // prettier-ignore

  test("uses defaults for columns that older versions lack", async () => {
    const { users, tokens, channels } = await plan(
      { users: [user(2)], tokens: [{ id: 1, user_id: 2, key: "k1", name: "" }], channels: [{ id: 1, type: 1, key: "k", name: "", models: "m" }] },
      "one-api",
    );
    assert.deepEqual([users.get(2)?.display_name, users.get(2)?.group, users.get(2)?.role], ["user2", "default", 1]);
    assert.deepEqual([tokens[0]?.name, tokens[0]?.expired_time, tokens[0]?.rpm_limit], ["token 1", -1, 0]);
    assert.equal(channels[0]?.fields.name, "channel 1");
  }); // prettier-ignore
});
