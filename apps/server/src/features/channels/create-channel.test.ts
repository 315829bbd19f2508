import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { CHANNEL_LIMITS } from "@one-api/contract/channels/channel-constants";
import {
  createChannel,
  getChannel,
  listChannels,
  searchChannels,
  updateChannel,
} from "@one-api/contract/channels/channel";
import { createAccessToken } from "@one-api/contract/accounts/user";
import { DATABASE_KINDS, whyMissing } from "@one-api/database/test-databases";
import { sql } from "kysely";
import { createTestClient } from "../../testing/test-client.ts";
import { loadChannelForRelay } from "./index.ts";
import { type ChannelTestApp, createChannelTestApp } from "./testing/create-channel-test-app.ts";

for (const kind of DATABASE_KINDS) {
  describe(`creating channels on ${kind}`, { skip: whyMissing(kind) ?? false }, () => {
    let app: ChannelTestApp;
    before(async () => {
      app = await createChannelTestApp(kind);
    });
    after(() => app.close());

    const good = { type: 1, name: "one", key: "sk-good-key-123", models: "gpt-4o" };
    const refusal = async (body: object) =>
      (await (await app.clientAs("admin")).send(createChannel, { body })).envelope;
    const modelIndex = (id: number) =>
      app.testApp.database.db
        .selectFrom("channel_models")
        .select(["group", "model"])
        .where("channel_id", "=", id)
        .orderBy("group")
        .orderBy("model")
        .execute();

    test("[CHFORM-28] [CHFORM-29] [ENT-015..017] [ENT-019..029] [ENT-037..043] a new channel has the defaults and is in the model index", async () => {
      const admin = await app.clientAs("admin");
      const id = await app.addChannel(admin, { models: " b, a ,,a", group: "vip, default" });
      const channel = await admin.data(getChannel, { params: { id } });
      const { created_time, ...rest } = channel;
      assert.ok(created_time > 0);
      assert.deepEqual(rest, {
        id,
        type: 1,
        name: "one",
        key: "",
        status: 1,
        status_reason: "",
        base_url: "",
        other: "",
        models: "b,a",
        group: "vip,default",
        model_mapping: "",
        system_prompt: "",
        costs: "",
        dialect_urls: "",
        overrides: "",
        first_token_seconds: 0,
        idle_seconds: 0,
        total_seconds: 0,
        paused_until: 0,
        key_expires_at: 0,
        tags: "",
        test_model: "",
        scheduled_checks: true,
        test_minutes: -1,
        balance_minutes: -1,
        models_minutes: -1,
        probe_time: 0,
        failed_probes: 0,
        organization: "",
        proxy: "",
        soft_limit_usd: 0,
        calc_prompt: true,
        config: "",
        priority: 0,
        weight: 0,
        test_time: 0,
        response_time: 0,
        balance: 0,
        balance_updated_time: 0,
        awake_time: 0,
        used_quota: 0,
        sleeping_models: [],
      });
      assert.deepEqual(
        (await modelIndex(id)).map(({ group, model }) => `${group}/${model}`),
        ["default/a", "default/b", "vip/a", "vip/b"],
      );
    });

    test("[CHFORM-05] [ENT-018] one channel for each line of the key, with an audit row each", async () => {
      const admin = await app.clientAs("admin");
      await admin.data(createChannel, {
        body: { ...good, name: "batch", key: "sk-first-one\n\n  sk-second-one  \r\nsk-third-one\n" },
      });
      const channels = await admin.data(searchChannels, { query: { keyword: "batch" } });
      assert.deepEqual(
        channels.map(({ name }) => name),
        ["batch-3", "batch-2", "batch-1"],
      );
      const keys = await Promise.all(channels.map(async ({ id }) => (await load(id))?.connection.key));
      assert.deepEqual(keys, ["sk-third-one", "sk-second-one", "sk-first-one"]);
      for (const { id } of channels) {
        assert.deepEqual(
          (await modelIndex(id)).map(({ group, model }) => `${group}/${model}`),
          ["default/gpt-4o"],
        );
        const audit = await app.testApp.database.db
          .selectFrom("audit")
          .select("action")
          .where("object", "=", `channel:${id}`)
          .execute();
        assert.deepEqual(
          audit.map(({ action }) => action),
          ["channel.create"],
        );
      }
    });

    test("[CHFORM-05] a repeated key makes one channel, without a number in its name", async () => {
      const admin = await app.clientAs("admin");
      const { ids } = await admin.data(createChannel, { body: { ...good, name: "twice", key: "sk-same\nsk-same\n" } });
      assert.equal(ids.length, 1);
      assert.deepEqual(
        (await admin.data(searchChannels, { query: { keyword: "twice" } })).map(({ name }) => name),
        ["twice"],
      );
      const long = "x".repeat(CHANNEL_LIMITS.nameLength);
      await admin.data(createChannel, { body: { ...good, name: long, key: "sk-a\nsk-b" } });
      const named = await admin.data(searchChannels, { query: { keyword: "xxxx" } });
      assert.deepEqual(
        named.map(({ name }) => [name.length, name.slice(-3)]),
        [
          [CHANNEL_LIMITS.nameLength, "x-2"],
          [CHANNEL_LIMITS.nameLength, "x-1"],
        ],
      );
    });

    test("[CHFORM-05] a batch with an invalid line creates no channel", async () => {
      const body = { ...good, name: "spark", type: 18, key: "app|secret|key\napp|secret" };
      const refused = await refusal(body);
      assert.deepEqual([refused?.code, refused?.field], ["channel-key-line-form", "key"]);
      assert.match(refused?.message ?? "", /Line 2 .*APPID\|APISecret\|APIKey/);
      assert.deepEqual(await (await app.clientAs("admin")).data(searchChannels, { query: { keyword: "spark" } }), []);
    });

    test("[CHFORM-32] [CHFORM-34] [CHFORM-35] keys have the form of their type", async () => {
      for (const [type, key, fits] of [
        [15, "api|secret", true],
        [15, "bce-v3/ALTAK-1/2", true],
        [15, "api|", false],
        [23, "app|id|secret", true],
        [23, "app|id|secret|more", false],
      ] as const) {
        const refused = await refusal({ ...good, type, key });
        assert.equal(refused?.success, fits, `${type} ${key}`);
      }
    });

    test("[CHFORM-37] credentials of type 42 may have several lines", async () => {
      const admin = await app.clientAs("admin");
      const key = 'us-east1|project|{\n  "private_key": "line"\n}';
      const id = await app.addChannel(admin, { type: 42, key });
      assert.equal((await load(id))?.connection.key, key);
      assert.equal(
        (await admin.data(searchChannels, { query: { keyword: "one" } })).filter((channel) => channel.type === 42)
          .length,
        1,
      );
    });

    test("[CHFORM-36] [CHFORM-37] [ENT-030..036] parts of an assembled key fill the config, for each line", async () => {
      const admin = await app.clientAs("admin");
      const key = "AKFIRST|canary-sk-first|us-east-1\nAKSECOND|canary-sk-second|eu-central-1\nsk-one-secret-only";
      const body = { ...good, type: 33, name: "bedrock", key, config: '{"region":"ap-south-1"}' };
      await admin.data(createChannel, { body });
      const shown = await admin.data(searchChannels, { query: { keyword: "bedrock" } });
      assert.deepEqual(
        shown.map(({ config }) => config),
        [
          '{"region":"ap-south-1"}',
          '{"region":"eu-central-1","ak":"AKSECOND"}',
          '{"region":"us-east-1","ak":"AKFIRST"}',
        ],
      );
      assert.equal((await load(shown[1]?.id ?? 0))?.connection.config.sk, "canary-sk-second");
      assert.ok(!(await app.everythingStored()).includes("canary-sk"));
      const vertex = await app.addChannel(admin, { type: 42, key: 'us-east1|project-1|{"a":"b|c"}' });
      assert.deepEqual((await load(vertex))?.connection.config, {
        region: "us-east1",
        vertex_ai_project_id: "project-1",
        vertex_ai_adc: '{"a":"b|c"}',
      });
      assert.equal((await refusal({ ...good, type: 33, key: "a|b|evil.example/" }))?.field, "config");
      const others = '{"user_id":"account-1","api_version":"2024-10-21"}';
      const other = await app.addChannel(admin, { config: others });
      assert.equal((await admin.data(getChannel, { params: { id: other } })).config, others);
    });

    test("[CHFORM-03] [CHFORM-04] [CHFORM-18] name, key and models are required; a proxy needs no models", async () => {
      assert.equal((await refusal({ ...good, name: "" }))?.field, "name");
      assert.equal((await refusal({ ...good, key: " \n " }))?.field, "key");
      const noModels = await refusal({ ...good, models: " , " });
      assert.deepEqual([noModels?.field, noModels?.message], ["models", "Choose at least one model."]);
      assert.equal(
        (await refusal({ ...good, type: 43, models: "", base_url: "https://proxy.example" }))?.success,
        true,
      );
      const unknown = await refusal({ ...good, type: 47 });
      assert.equal(unknown?.field, "type");
      assert.match(unknown?.message ?? "", /47.*1 OpenAI.*46 Replicate/);
    });

    test("[CHFORM-15] [CHFORM-16] type 3 requires an endpoint and gets an API version", async () => {
      const admin = await app.clientAs("admin");
      const azure = { ...good, type: 3 };
      assert.equal((await refusal(azure))?.field, "base_url");
      assert.equal((await refusal({ ...good, type: 8 }))?.field, "base_url");
      assert.equal((await refusal({ ...good, type: 43 }))?.field, "base_url");
      const id = await app.addChannel(admin, { ...azure, base_url: "https://x.openai.azure.com/" });
      const channel = await admin.data(getChannel, { params: { id } });
      assert.deepEqual([channel.other, channel.base_url], ["2024-03-01-preview", "https://x.openai.azure.com"]);
    });

    test("[CHFORM-09] [CHFORM-10] private addresses are allowed, metadata addresses are refused in every notation", async () => {
      for (const base_url of [
        "http://127.0.0.1:11434",
        "http://10.0.0.5/v1",
        "http://[::1]:8000",
        "http://localhost",
        "http://[fd00::1]",
      ]) {
        assert.equal((await refusal({ ...good, base_url }))?.success, true, base_url);
      }
      for (const base_url of [
        "http://169.254.169.254",
        "http://169.254.1.1:8080/v1",
        "http://2852039166",
        "http://0xA9FEA9FE",
        "http://0251.0376.0251.0376",
        "http://169.254.43518",
        "http://169.254.169.254.",
        "http://[::ffff:169.254.169.254]",
        "http://[::ffff:a9fe:a9fe]",
        "http://[::169.254.169.254]",
        "http://[64:ff9b::a9fe:a9fe]",
        "http://[2002:a9fe:a9fe::1]",
        "http://[fe80::1]",
        "http://[febf::1]",
        "http://[fd00:ec2::254]",
        "http://metadata.google.internal",
        "http://METADATA.google.internal./computeMetadata",
        "http://１６９.254.169.254",
        "http://100.100.100.200",
        "http://[::ffff:100.100.100.200]",
        "http://168.63.129.16",
        "http://192.0.0.192",
        "http://metadata.google.internal..",
      ]) {
        const refused = await refusal({ ...good, base_url });
        assert.deepEqual([refused?.success, refused?.field], [false, "base_url"], base_url);
      }
      for (const base_url of [
        "ftp://x.example",
        "javascript:alert(1)",
        "https://user:pw@x.example",
        "https://x.example/?a=b",
        "nonsense",
      ]) {
        assert.equal((await refusal({ ...good, base_url }))?.field, "base_url", base_url);
      }
    });

    test("[CHSTATE-10] status 5 can be set; statuses of the gateway are refused", async () => {
      const admin = await app.clientAs("admin");
      const id = await app.addChannel(admin, { status: 5 });
      assert.equal((await admin.data(getChannel, { params: { id } })).status, 5);
      for (const status of [3, 4]) assert.equal((await refusal({ ...good, status }))?.field, "status");
    });

    test("[CHFORM-31] [CHFORM-30] a negative weight becomes 0, a missing priority 0", async () => {
      const admin = await app.clientAs("admin");
      const id = await app.addChannel(admin, { weight: -5, priority: null });
      const channel = await admin.data(getChannel, { params: { id } });
      assert.deepEqual([channel.weight, channel.priority], [0, 0]);
    });

    test("[CHFORM-24] [CHFORM-38] mapping and config must be JSON objects; a region names no other host", async () => {
      assert.equal((await refusal({ ...good, model_mapping: "{a" }))?.field, "model_mapping");
      assert.equal((await refusal({ ...good, config: "[1]" }))?.field, "config");
      assert.equal((await refusal({ ...good, config: '{"region":"x.evil.example/"}' }))?.field, "config");
    });

    test("[START-07] a script of One API creates, changes and reads a channel with its access token", async () => {
      const { client } = await app.testApp.logInAs("admin");
      const script = createTestClient(app.testApp.app, { accessToken: await client.data(createAccessToken) });
      const { ids } = await script.data(createChannel, {
        body: {
          id: 0,
          type: 1,
          key: "sk-script-1",
          name: "by script",
          base_url: "",
          other: "",
          model_mapping: "",
          system_prompt: "",
          models: "gpt-4o",
          groups: ["default"],
          group: "default",
          config: "{}",
        },
      });
      const [id = 0] = ids;
      await script.data(updateChannel, { body: { id, status: 2 } });
      const [found] = await script.data(searchChannels, { query: { keyword: "by script" } });
      assert.deepEqual([found?.id, found?.status, found?.group], [id, 2, "default"]);
    });

    test("an invalid field is refused with its name and the fix", async () => {
      for (const [body, field, message] of [
        [{ models: "gpt-4o，gpt-4o-mini" }, "models", /separate the names by commas/],
        [{ models: "gpt-4o;gpt-4o-mini" }, "models", /separate the names by commas/],
        [{ models: "gpt-4o\ngpt-4o-mini" }, "models", /separate the names by commas/],
        [{ key: "Bearer sk-good-key-123" }, "key", /Line 1 of key begins with "Bearer"\. Leave that out/],
        [{ key: "sk-good-key-123\nsk-“good”-key" }, "key", /Line 2 of key has a character/],
        [{ key: "sk-good\u0007key-123" }, "key", /Line 1 of key has a character/],
        [{ organization: "org\r\nx-evil: 1" }, "organization", /one line/],
        [{ organization: "组织" }, "organization", /one line/],
        [{ costs: '{"gpt-4o":{"input":2.5},"b":{"factor":1}}' }, "costs", /costs must .* Look at "gpt-4o"/],
        [{ costs: '{"b":{"factor":1},"gpt-4o":{"factor":-1}}' }, "costs", /Look at "gpt-4o/],
        [{ config: '{"region":"us-east-1","ak":5}' }, "config", /config must .* Look at "ak"/],
        [{ model_mapping: '{"a":"b","c":7}' }, "model_mapping", /Look at "c"/],
        [{ costs: "{" }, "costs", /^costs must be a JSON object of prices, for example .*}\.$/],
      ] as const) {
        const refused = await refusal({ ...good, ...body });
        assert.deepEqual([refused?.success, refused?.field], [false, field], JSON.stringify(body));
        assert.match(refused?.message ?? "", message);
      }
    });

    test("a save with too many rows of the model index is refused", async () => {
      const models = Array.from({ length: 5_000 }, (_, index) => `m${index}`).join(",");
      const group = Array.from({ length: 41 }, (_, index) => `g${index}`).join(",");
      assert.match((await refusal({ ...good, models, group }))?.message ?? "", /205000 pairs/);
    });

    test("[ENT-069] [ENT-071] no answer, log or table contains a key or a secret of the config", async () => {
      const admin = await app.clientAs("admin");
      const secrets = ["sk-canary-key-9876", "canary-sk-5432", "canary-adc-1111", "canary-header-2222"];
      const config = {
        region: "us-east-1",
        ak: "AKID",
        sk: secrets[1],
        vertex_ai_adc: secrets[2],
        extra: { api_key: secrets[3] },
        plain: 1,
      };
      const id = await app.addChannel(admin, { key: secrets[0], config: JSON.stringify(config) });
      const answers = [
        await admin.send(getChannel, { params: { id } }),
        await admin.send(listChannels),
        await admin.send(searchChannels, { query: { keyword: String(id) } }),
      ].map(({ text }) => text);
      assert.ok(answers.every((text) => text.includes("us-east-1") && text.includes("AKID")));
      const stored = await app.everythingStored();
      for (const secret of secrets) for (const text of [...answers, stored]) assert.ok(!text.includes(secret), secret);
      const loaded = await load(id);
      assert.equal(loaded?.connection.key, secrets[0]);
      assert.deepEqual(loaded?.connection.config, config);
      if (kind !== "sqlite") return;
      const { rows } = await sql<{ file: string }>`pragma database_list`.execute(app.testApp.database.db);
      for (const path of [`${rows[0]?.file}`, `${rows[0]?.file}-wal`]) {
        for (const secret of secrets) assert.ok(!readFileSync(path).includes(secret), path);
      }
    });

    test("[CALL-48] only administrators create channels", async () => {
      const count = async () => (await app.testApp.database.db.selectFrom("channels").select("id").execute()).length;
      const stored = await count();
      assert.equal((await (await app.clientAs("user")).send(createChannel, { body: good })).status, 403);
      assert.equal((await app.testApp.client().send(createChannel, { body: good })).status, 401);
      assert.equal(await count(), stored);
      assert.equal((await (await app.clientAs("root")).send(createChannel, { body: good })).envelope?.success, true);
    });

    function load(id: number) {
      return loadChannelForRelay(app.testApp.database.db, app.testApp.deps.secrets, id);
    }
  });
}
