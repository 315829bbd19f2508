import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { periodStart } from "@one-api/contract/budget";
import { createChannel, getChannel, listChannels, updateChannel } from "@one-api/contract/channels/channel";
import { createChannelInputSchema } from "@one-api/contract/channels/channel-input";
import { listChannelKeys } from "@one-api/contract/channels/channel-keys";
import { CHANNEL_STATUS } from "@one-api/contract/channels/channel-constants";
import * as calls from "@one-api/contract/configuration/configuration";
import { listGroupBudgets, setGroupBudget } from "@one-api/contract/limits/group-budget";
import { listOptions, listSetSecrets, updateOption } from "@one-api/contract/options/option";
import { OPTION_DEFINITIONS, OPTION_KEYS } from "@one-api/contract/options/option-definitions";
import type { OptionDefinition } from "@one-api/contract/options/define-option";
import { DATABASE_KINDS, whyMissing } from "@one-api/database/test-databases";
import { createTestApp, type TestApp, type TestLogin } from "../../testing/create-test-app.ts";
import { clientWithKey } from "../../testing/create-test-key.ts";
import type { TestClient } from "../../testing/test-client.ts";

const CHANNELS = [
  { name: "main", type: "openai", key: "sk-main", models: ["gpt-4o", "gpt-4o-mini"], priority: 5, costs: { "*": { factor: 0.8 } } },
  {
    name: "spare",
    type: "azure",
    key: "canary-azure",
    base_url: "https://spare.example",
    models: ["gpt-4o"],
    status: "disabled",
    group: ["default", "vip"],
    tags: ["eu"],
    model_mapping: { "gpt-4o": "deployment" },
    first_token_seconds: 20,
    proxy: "http://me:canary-proxy@10.0.0.1:8080",
    overrides: { headers: { set: { "x-team": "one" } } },
    idle_seconds: 40,
  },
  {
    name: "bedrock",
    type: "aws",
    key: "AKIA-of-aws|canary-sk-of-aws|us-east-1",
    models: ["claude-sonnet-4-5"],
  },
]; // prettier-ignore

const DOCUMENT = {
  version: 1,
  options: {
    RetryTimes: 5,
    SystemName: "Gate",
    Theme: "berry",
    SMTPServer: "smtp.example.com",
    SMTPAccount: "me@example.com",
    SMTPToken: "canary-smtp",
    EmailVerificationEnabled: true,
  },
  prices: {
    dollars: {
      o3: [
        { input: 2, output: 8 },
        { from: "2030-01-01", input: 1, output: 4 },
      ],
    },
    models: { "gpt-4o": 1.25 },
    completion: { "gpt-4o": 4 },
    groups: { default: 1, vip: 0.5 },
  },
  aliases: { fast: ["gpt-4o-mini", "gpt-4o"], mixed: { "gpt-4o": 90, "gpt-4o-mini": 10 } },
  limits: { vip: { rpm_limit: 60, models: { "gpt-4o": { rpm_limit: 10 } } } },
  group_budgets: { vip: { quota: 50_000_000, period: "monthly" } },
  channels: CHANNELS,
};

/** Spends this much quota of the only budget in its present period. */
async function spendOf({ database: { db }, deps }: TestApp, quota: number): Promise<void> {
  const { id: budget_id, amount } = await db.selectFrom("budgets").select(["id", "amount"]).executeTakeFirstOrThrow();
  const window_start = periodStart("monthly", Math.floor(deps.clock.nowMs() / 1_000));
  const window = { budget_id, window_start, removed: 0 };
  const { id: account } = await db
    .insertInto("budget_windows")
    .values(window)
    .returning("id")
    .executeTakeFirstOrThrow();
  await db
    .insertInto("shares")
    .values({ kind: 3, account, owner: 0, remaining: amount - quota })
    .execute();
}

test("a document has every field of a channel but its pause, its further keys and the end of its key, and a section for every table of options", () => {
  const { paused_until: _pause, key_expires_at: _end, more_keys: _keys, ...fields } = createChannelInputSchema.shape;
  assert.deepEqual(Object.keys(calls.documentChannelSchema.shape).toSorted(), Object.keys(fields).toSorted());
  const tables = OPTION_KEYS.filter((key) => {
    const { kind, format }: OptionDefinition = OPTION_DEFINITIONS[key];
    return kind === "ratios" || kind === "prices" || format === "limits" || format === "aliases";
  });
  assert.deepEqual(Object.values(calls.OPTION_OF_SECTION).toSorted(), tables.toSorted());
});

for (const kind of DATABASE_KINDS) {
  describe(`the configuration on ${kind}`, { skip: whyMissing(kind) ?? false }, () => {
    let testApp: TestApp;
    let root: TestLogin;
    before(async () => {
      testApp = await createTestApp({ kind });
      root = await testApp.logInAs("root");
    });
    after(() => testApp.close());

    const plan = (configuration: object, client = root.client) =>
      client.data(calls.planConfiguration, { body: { configuration } });
    const apply = (configuration: object, allow_deletions = false, client = root.client) =>
      client.data(calls.applyConfiguration, { body: { configuration, allow_deletions } });
    const refusal = async (configuration: object, client: TestClient = root.client) => {
      const { envelope } = await client.send(calls.applyConfiguration, { body: { configuration } });
      return [envelope?.code, envelope?.field];
    };
    const objects = (changes: readonly { action: string; object: string }[]) =>
      changes.map(({ action, object }) => `${action} ${object}`);
    const channelOf = async (name: string) => {
      const rows = await root.client.data(listChannels, { query: { size: 100 } });
      return rows.find((channel) => channel.name === name) ?? assert.fail(name);
    };
    const auditRows = async () => (await testApp.database.db.selectFrom("audit").select("id").execute()).length;

    test("is planned without a change, then applied once, with one audit entry for each change", async () => {
      const atFirst = await auditRows();
      const planned = await plan(DOCUMENT);
      assert.equal(await auditRows(), atFirst, "a plan leaves nothing");
      assert.deepEqual(await root.client.data(listChannels), []);
      assert.deepEqual(objects(planned).toSorted(), [
        "change group:vip", "change option:CompletionRatio", "change option:EmailVerificationEnabled", "change option:GroupLimits",
        "change option:GroupRatio", "change option:ModelAliases", "change option:ModelPrices", "change option:ModelRatio",
        "change option:RetryTimes",
        "change option:SMTPAccount", "change option:SMTPServer", "change option:SMTPToken", "change option:SystemName",
        "change option:Theme", "create channel:bedrock", "create channel:main", "create channel:spare",
      ]); // prettier-ignore
      assert.doesNotMatch(JSON.stringify(planned), /canary|sk-main/);
      assert.deepEqual(await apply(DOCUMENT), planned);
      assert.equal((await auditRows()) - atFirst, planned.length);
      assert.deepEqual(await plan(DOCUMENT), []);
      assert.deepEqual(await apply(DOCUMENT), []);
      assert.equal((await auditRows()) - atFirst, planned.length, "applied again it leaves nothing");
      const spare = await channelOf("spare");
      assert.deepEqual([spare.status, spare.group, spare.proxy], [2, "default,vip", "http://***@10.0.0.1:8080"]);
      const options = new Map((await root.client.data(listOptions)).map(({ key, value }) => [key, value]));
      assert.deepEqual([options.get("RetryTimes"), options.get("ModelRatio")], ["5", '{"gpt-4o":1.25}']);
      assert.equal(testApp.deps.options.number("RetryTimes"), 5, "it is in force");
      assert.deepEqual(await root.client.data(listSetSecrets), ["SMTPToken"]);
    });

    test("is exported without secrets, and what was exported changes nothing", async () => {
      const exported = await root.client.data(calls.exportConfiguration);
      assert.doesNotMatch(JSON.stringify(exported), /canary|sk-main/);
      assert.deepEqual(await plan(exported), []);
      const { key: _key, ...main } = CHANNELS[0] ?? assert.fail();
      assert.deepEqual(
        exported.channels?.find(({ name }) => name === "main"),
        main,
      );
      const { SMTPToken: _secret, ...options } = DOCUMENT.options;
      assert.deepEqual(exported.options, options);
      assert.deepEqual(exported.limits, DOCUMENT.limits);
      assert.deepEqual(exported.group_budgets, DOCUMENT.group_budgets);
    });

    test("shows what people changed in the console, also a secret, and sets it back", async () => {
      const { id } = await channelOf("main");
      await root.client.data(updateChannel, { body: { id, priority: 7, key: "sk-other", status: 2 } });
      await root.client.data(updateOption, { body: { key: "ModelRatio", value: '{"gpt-4o": 2, "gpt-5": 1}' } });
      const drift = await plan(DOCUMENT);
      assert.deepEqual(objects(drift), ["change option:ModelRatio", "change channel:main"]);
      assert.deepEqual(drift[0]?.fields, [
        { field: "value.gpt-4o", from: "2", to: "1.25" },
        { field: "value.gpt-5", from: "1", to: "" },
      ]);
      const changed = drift[1]?.fields.map(({ field, to }) => `${field} ${to}`);
      assert.deepEqual(changed?.toSorted(), ["key_secret (secret)", "priority 5", "status 1"]);
      await apply(DOCUMENT);
      assert.deepEqual(await plan(DOCUMENT), []);
    });

    test("sets budgets of groups, shows those that people changed, and leaves what was spent", async () => {
      const spent = async () => {
        const [first] = await root.client.data(listGroupBudgets);
        return [first?.group, first?.budget.quota, first?.budget.period, first?.budget.used];
      };
      await spendOf(testApp, 1_000);
      assert.deepEqual(await spent(), ["vip", 50_000_000, "monthly", 1_000]);
      assert.deepEqual(await plan(DOCUMENT), [], "what was spent is no drift");
      for (const [group, quota] of [["vip", 7], ["default", 8]] as const)
        await root.client.data(setGroupBudget, { body: { group, budget: { quota, period: "monthly" } } }); // prettier-ignore
      const drift = [
        {
          action: "change",
          object: "group:default",
          fields: [
            { field: "budget.quota", from: "8", to: "" },
            { field: "budget.period", from: "monthly", to: "" },
          ],
        },
        { action: "change", object: "group:vip", fields: [{ field: "budget.quota", from: "7", to: "50000000" }] },
      ];
      assert.deepEqual(await plan(DOCUMENT), drift);
      assert.equal((await root.client.data(listGroupBudgets)).length, 2, "a plan changes nothing");
      let announced = false;
      const leave = testApp.deps.changes.subscribe("users", () => (announced = true));
      assert.deepEqual(await apply(DOCUMENT), drift);
      leave();
      assert.ok(announced, "servers read the budgets of callers again");
      assert.deepEqual(await spent(), ["vip", 50_000_000, "monthly", 1_000]);
      const ofNewGroup = {
        version: 1,
        prices: { groups: { default: 1, vip: 0.5, lab: 2 } },
        group_budgets: { lab: { quota: 5, period: "daily" } },
      };
      assert.deepEqual(objects(await plan(ofNewGroup)).toSorted(), [
        "change group:lab",
        "change group:vip",
        "change option:GroupRatio",
      ]);
      assert.deepEqual(await plan({ version: 1 }), [], "an absent section stays as it is");
    });

    test("leaves what the gateway does itself: a disabled, dormant or enabled channel, and the order of JSON", async () => {
      const { id } = await channelOf("main");
      const set = (status: number) =>
        testApp.database.db.updateTable("channels").set({ status }).where("id", "=", id).execute();
      await set(CHANNEL_STATUS.autoDisabled);
      assert.deepEqual(await plan(DOCUMENT), []);
      await set(CHANNEL_STATUS.enabled);
      const reserve = { ...DOCUMENT, channels: CHANNELS.map((one) => (one.name === "main" ? { ...one, status: "reserve" } : one)) };
      assert.deepEqual(await plan(reserve), []);
      await testApp.database.db.updateTable("channels").set({ paused_until: 9_999_999_999 }).where("id", "=", id).execute();
      for (const [key, value] of [
        ["GroupRatio", '{ "vip": 0.5,\n "default": 1 }'],
        ["ModelPrices", '{ "o3": [{ "output": 8, "input": 2 }, { "from": "2030-01-01", "input": 1, "output": 4 }] }'],
      ] as const)
        await root.client.data(updateOption, { body: { key, value } });
      assert.deepEqual(await plan(DOCUMENT), []);
    }); // prettier-ignore

    test("deletes channels that it does not name only if that is allowed", async () => {
      const document = { version: 1, channels: CHANNELS.slice(0, 2) };
      assert.deepEqual(objects(await plan(document)), ["delete channel:bedrock"]);
      assert.deepEqual(await refusal(document), ["configuration-deletes", "allow_deletions"]);
      assert.deepEqual(await refusal({ version: 1, channels: [] }), ["configuration-deletes", "allow_deletions"]);
      await channelOf("bedrock");
      assert.deepEqual(objects(await apply(document, true)), ["delete channel:bedrock"]);
      assert.deepEqual(await plan({ version: 1 }), [], "an absent section stays as it is");
    });

    test("is all or nothing, and a refusal names its place", async () => {
      const [main, spare] = CHANNELS;
      const atFirst = await auditRows();
      const wrong: readonly (readonly [configuration: object, code: string, field: string])[] = [
        [{ channels: [main, spare, { name: "new", type: "openai", models: ["m"] }] }, "invalid-input", "channels.2.key"],
        [{ channels: [main, { ...spare, base_url: "https://other.example", key: undefined }] }, "channel-key-for-new-address", "channels.1.key"],
        [{ channels: [main, spare, { ...main }] }, "configuration-name-twice", "channels.2.name"],
        [{ channels: [main, spare, { ...main, name: "two", key: "sk-1\nsk-2" }] }, "configuration-several-keys", "channels.2.key"],
        [{ channels: [{ ...main, modles: [] }, spare] }, "invalid-input", "configuration.channels.0.modles"],
        [{ channels: [{ ...main, type: "openia" }, spare] }, "invalid-input", "configuration.channels.0.type"],
        [{ options: { RetryTimes: 11, SystemName: "X" } }, "option-whole-number", "options.RetryTimes"],
        [{ options: { RetryTime: 1 } }, "invalid-input", "configuration.options.RetryTime"],
        [{ options: { ModelRatio: "{}" } }, "invalid-input", "configuration.options.ModelRatio"],
        [{ options: { SystemName: "X", GitHubOAuthEnabled: true } }, "option-needs", "options.GitHubOAuthEnabled"],
        [{ prices: { models: { "gpt-4o": -1 } } }, "option-ratio", "prices.models"],
        [{ prices: { models: { "gpt-4o": "1" } } }, "invalid-input", "configuration.prices.models.gpt-4o"],
        [{ group_budgets: { vpi: { quota: 1, period: "daily" } } }, "user-group-unknown", "group_budgets.vpi"],
        [{ group_budgets: { vip: { quota: 0, period: "daily" } } }, "invalid-input", "configuration.group_budgets.vip.quota"],
        [{ group_budgets: { vip: { quota: 1, period: "daily", used: 0 } } }, "invalid-input", "configuration.group_budgets.vip.used"],
        [{ version: 2 }, "invalid-input", "configuration.version"],
      ]; // prettier-ignore
      for (const [configuration, code, field] of wrong) {
        const document = { version: 1, ...configuration };
        assert.deepEqual(await refusal(document), [code, field], JSON.stringify(configuration));
        const planned = await root.client.send(calls.planConfiguration, { body: { configuration: document } });
        assert.equal(planned.envelope?.code, code, "a plan has the same refusal");
      }
      assert.equal(await auditRows(), atFirst);
      assert.equal(testApp.deps.options.text("SystemName"), "Gate");
    });

    test("sets a secret again whose address changes, and switches in the order that they need", async () => {
      const moved = { ...DOCUMENT.options, SMTPServer: "smtp2.example.com" };
      assert.deepEqual(objects(await apply({ version: 1, options: moved })).toSorted(), [
        "change option:SMTPServer",
        "change option:SMTPToken",
      ]);
      assert.equal(testApp.deps.options.secret("SMTPToken"), "canary-smtp");
      const off = { SMTPServer: null, SMTPToken: null, SMTPAccount: null, EmailVerificationEnabled: false };
      await apply({ version: 1, options: off });
      assert.equal(testApp.deps.options.flag("EmailVerificationEnabled"), false);
      assert.equal(testApp.deps.options.text("SMTPServer"), "");
    });

    test("has the rights of its caller: no root's option by an administrator, no guess of a secret", async () => {
      const admin = await testApp.logInAs("admin");
      const smtp = { SMTPServer: "smtp.example.com", SMTPAccount: "me@example.com", SMTPToken: "canary-smtp" };
      await apply({ version: 1, options: smtp });
      for (const SMTPToken of ["canary-smtp", "a wrong guess"])
        assert.deepEqual(await refusal({ version: 1, options: { SMTPToken } }, admin.client), [
          "option-root-only",
          "options.SMTPToken",
        ]);
      assert.deepEqual(objects(await apply({ version: 1, options: { RetryTimes: 2 } }, false, admin.client)), [
        "change option:RetryTimes",
      ]);
      const reader = await clientWithKey(testApp, root.user.id, ["configuration:read"]);
      assert.deepEqual(objects(await plan({ version: 1, options: { RetryTimes: 3 } }, reader)), [
        "change option:RetryTimes",
      ]);
      assert.deepEqual(await refusal({ version: 1 }, reader), ["management-key-scope", undefined]);
    });

    test("of two at the same time is applied one after the other", async () => {
      const documents = [1, 2, 3, 4].map((RetryTimes) => ({
        version: 1,
        options: { RetryTimes },
        channels: [...CHANNELS.slice(0, 2), { ...CHANNELS[0], name: "raced" }],
      }));
      await Promise.all(documents.map((document) => apply(document)));
      const rows = await root.client.data(listChannels, { query: { size: 100 } });
      assert.equal(rows.filter(({ name }) => name === "raced").length, 1);
    });

    test("may be longer than other bodies", async () => {
      const models = Array.from({ length: 2_500 }, (_, index) => `a-rather-long-name-of-a-model-${index}`);
      const many = Array.from({ length: 30 }, (_, index) => ({
        ...CHANNELS[0],
        name: `many-${index}`,
        models: models.slice(0, 1_500),
      }));
      assert.ok(JSON.stringify(many).length > 1_300_000);
      const channels = [...CHANNELS.slice(0, 2), { ...CHANNELS[0], name: "raced" }, ...many];
      assert.equal((await plan({ version: 1, channels })).length, 30);
      const groups = ["default", "vip", "svip", "free", "paid"];
      const tooMany = { version: 1, channels: channels.map((one) => ({ ...one, group: groups })) };
      const [code, field] = await refusal(tooMany);
      assert.equal(code, "configuration-too-many-pairs");
      assert.match(String(field), /^channels\.\d+\.models$/);
    });

    test("leaves a pause and the keys of a channel that holds several", async () => {
      const body = { name: "several", type: 1, key: "sk-one", more_keys: ["sk-two"], models: "m", paused_until: 4e9 };
      const { ids } = await root.client.data(createChannel, { body });
      const id = ids[0] ?? 0;
      const { channels } = await root.client.data(calls.exportConfiguration);
      assert.ok(channels.some((channel) => channel.name === "several"));
      assert.deepEqual(await apply({ version: 1, channels }), []);
      assert.equal((await root.client.data(getChannel, { params: { id } })).paused_until, 4e9);
      assert.equal((await root.client.data(listChannelKeys, { params: { id } })).length, 2);
    });

    test("knows channels by name, so two of one name are refused", async () => {
      await root.client.data(createChannel, { body: { name: "main", type: 1, key: "sk-2", models: "m" } });
      assert.deepEqual(await refusal({ version: 1, channels: CHANNELS.slice(0, 1) }), [
        "configuration-name-twice",
        "channels.0.name",
      ]);
    });
  });
}
