import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChannelConnection } from "@one-api/contract/channels/channel-connection";
import { CHANNEL_TYPES } from "@one-api/contract/channels/channel-types";
import type { Endpoint, Provider, UpstreamCall } from "./provider.ts";
import { PROVIDERS, providerOf } from "./registry.ts";
import { recordOf } from "./shared/json-fields.ts";
import { silentIo } from "./testing/silent-io.ts";

function connectionTo(baseUrl: string, rest: Partial<ChannelConnection> = {}): ChannelConnection {
  return { baseUrl, key: "sk-test", organization: "", other: "", config: {}, ...rest };
}

function workingProvider(type: number): Provider {
  const provider = providerOf(type);
  assert.ok(provider !== undefined, `type ${type} works`);
  return provider;
}

const body = Buffer.from("{}");
function callOf(
  type: number,
  connection: ChannelConnection,
  endpoint: Endpoint = "chat-completions",
  formatHeaders: Readonly<Record<string, string>> = {},
  model = "some-model",
): UpstreamCall {
  const call = workingProvider(type)
    .serve(endpoint, model)
    ?.call({ body, stream: false, formatHeaders }, connection, silentIo);
  assert.ok(call !== undefined && !(call instanceof Promise), `type ${type} serves ${endpoint}`);
  return call;
}

function urlOf(
  type: number,
  baseUrl: string,
  endpoint: Endpoint = "chat-completions",
  rest: Partial<ChannelConnection> = {},
): string {
  return callOf(type, connectionTo(baseUrl, rest), endpoint).address.url;
}

test("every channel type of the contract has its own provider, and unknown numbers have none", () => {
  for (const info of CHANNEL_TYPES) {
    assert.equal(providerOf(info.type)?.type, info.type);
  }
  assert.equal(PROVIDERS.size, CHANNEL_TYPES.length);
  assert.equal(providerOf(0), undefined);
  assert.equal(providerOf(999), undefined);
});

const chatAddresses: readonly (readonly [type: number, url: string])[] = [
  [1, "https://api.openai.com/v1/chat/completions"],
  [2, "https://oa.api2d.net/v1/chat/completions"],
  [4, "https://api.closeai-proxy.xyz/v1/chat/completions"],
  [5, "https://api.openai-sb.com/v1/chat/completions"],
  [6, "https://api.openaimax.com/v1/chat/completions"],
  [7, "https://api.ohmygpt.com/v1/chat/completions"],
  [9, "https://api.caipacity.com/v1/chat/completions"],
  [10, "https://api.aiproxy.io/v1/chat/completions"],
  [12, "https://api.api2gpt.com/v1/chat/completions"],
  [13, "https://api.aigc2d.com/v1/chat/completions"],
  [15, "https://qianfan.baidubce.com/v2/chat/completions"],
  [16, "https://open.bigmodel.cn/api/paas/v4/chat/completions"],
  [17, "https://dashscope.aliyuncs.com/compatible-mode/v1/chat/completions"],
  [18, "https://spark-api-open.xf-yun.com/v1/chat/completions"],
  [19, "https://ai.360.cn/v1/chat/completions"],
  [20, "https://openrouter.ai/api/v1/chat/completions"],
  [22, "https://fastgpt.run/api/openapi/v1/chat/completions"],
  [23, "https://api.hunyuan.cloud.tencent.com/v1/chat/completions"],
  [25, "https://api.moonshot.cn/v1/chat/completions"],
  [26, "https://api.baichuan-ai.com/v1/chat/completions"],
  [27, "https://api.minimaxi.com/v1/text/chatcompletion_v2"],
  [28, "https://api.mistral.ai/v1/chat/completions"],
  [29, "https://api.groq.com/openai/v1/chat/completions"],
  [31, "https://api.lingyiwanwu.com/v1/chat/completions"],
  [32, "https://api.stepfun.com/v1/chat/completions"],
  [36, "https://api.deepseek.com/v1/chat/completions"],
  [39, "https://api.together.ai/v1/chat/completions"],
  [40, "https://ark.cn-beijing.volces.com/api/v3/chat/completions"],
  [41, "https://api.novita.ai/openai/v1/chat/completions"],
  [44, "https://api.siliconflow.cn/v1/chat/completions"],
  [45, "https://api.x.ai/v1/chat/completions"],
];

for (const [type, url] of chatAddresses) {
  test(`type ${type} calls ${url} with a bearer token and offers models`, () => {
    const provider = workingProvider(type);
    const { address, body: sent } = callOf(type, connectionTo(""));
    assert.equal(address.url, url);
    assert.equal(address.headers.authorization, "Bearer sk-test");
    assert.equal(sent, body);
    assert.ok(provider.models.length > 0);
    assert.equal(new Set(provider.models).size, provider.models.length);
  });
}

test("every type answers chats except the one that forwards paths unchanged", () => {
  for (const info of CHANNEL_TYPES) {
    const serves = workingProvider(info.type).serve("chat-completions", "m") !== undefined;
    assert.equal(serves, info.needsNoModels !== true, info.label);
  }
});

test("every compatible type whose address is known without the channel is in the table above", () => {
  const compatible = CHANNEL_TYPES.filter(
    ({ type, baseUrl, needs }) =>
      baseUrl !== "" &&
      needs === undefined &&
      workingProvider(type).serve("chat-completions", "m")?.format.name === "openai-chat",
  );
  const listed = new Set(chatAddresses.map(([type]) => type));
  assert.deepEqual(
    compatible.filter(({ type }) => !listed.has(type)).map(({ label }) => label),
    [],
  );
});

const pasted: readonly (readonly [type: number, baseUrl: string, endpoint: Endpoint, url: string])[] = [
  [1, "https://api.openai.com/v1", "embeddings", "https://api.openai.com/v1/embeddings"],
  [1, "https://api.openai.com/v1/", "completions", "https://api.openai.com/v1/completions"],
  [8, "http://localhost:8000", "moderations", "http://localhost:8000/v1/moderations"],
  [8, "https://host.example/some/path", "chat-completions", "https://host.example/some/path/v1/chat/completions"],
  [8, "https://host.example/v1?tenant=7", "chat-completions", "https://host.example/v1/chat/completions?tenant=7"],
  [
    8,
    "https://generativelanguage.googleapis.com/v1beta/openai",
    "embeddings",
    "https://generativelanguage.googleapis.com/v1beta/openai/embeddings",
  ],
  [8, "https://host.example/v1/proxy", "chat-completions", "https://host.example/v1/proxy/v1/chat/completions"],
  [20, "https://openrouter.ai/api/v1", "chat-completions", "https://openrouter.ai/api/v1/chat/completions"],
  [16, "https://open.bigmodel.cn/api/paas/v4", "embeddings", "https://open.bigmodel.cn/api/paas/v4/embeddings"],
  [
    16,
    "https://open.bigmodel.cn/api/coding/paas/v4",
    "chat-completions",
    "https://open.bigmodel.cn/api/coding/paas/v4/chat/completions",
  ],
  [27, "https://api.minimax.io/v1", "chat-completions", "https://api.minimax.io/v1/text/chatcompletion_v2"],
  [40, "https://ark.cn-beijing.volces.com/api/v3", "embeddings", "https://ark.cn-beijing.volces.com/api/v3/embeddings"],
  [27, "https://api.minimax.chat", "chat-completions", "https://api.minimax.chat/v1/text/chatcompletion_v2"],
  [41, "https://api.novita.ai/v3/openai", "embeddings", "https://api.novita.ai/v3/openai/embeddings"],
  [41, "https://api.novita.ai/openai/v1", "chat-completions", "https://api.novita.ai/openai/v1/chat/completions"],
  [
    1,
    "https://gateway.ai.cloudflare.com/v1/acc/gw/openai",
    "chat-completions",
    "https://gateway.ai.cloudflare.com/v1/acc/gw/openai/chat/completions",
  ],
];

for (const [type, baseUrl, endpoint, url] of pasted) {
  test(`a channel of type ${type} at ${baseUrl} calls ${url}`, () => {
    assert.equal(urlOf(type, baseUrl, endpoint), url);
  });
}

test("Azure names the deployment like the model and takes the API version from config, other, or the default", () => {
  const base = "https://res.openai.azure.com";
  const path = `${base}/openai/deployments/some-model`;
  assert.equal(urlOf(3, base), `${path}/chat/completions?api-version=2024-03-01-preview`);
  assert.equal(urlOf(3, base, "embeddings", { other: "2024-10-21" }), `${path}/embeddings?api-version=2024-10-21`);
  const config = { api_version: "2025-01-01-preview" };
  assert.equal(
    urlOf(3, base, "completions", { other: "2024-10-21", config }),
    `${path}/completions?api-version=2025-01-01-preview`,
  );
  assert.equal(urlOf(3, `${base}/openai/v1`), `${base}/openai/v1/chat/completions`);
  const gateway = "https://gateway.ai.cloudflare.com/v1/acc/gw/azure-openai/res";
  assert.equal(urlOf(3, gateway), `${gateway}/some-model/chat/completions?api-version=2024-03-01-preview`);
  assert.deepEqual(callOf(3, connectionTo(base)).address.headers, {
    "api-key": "sk-test",
  });
});

test("sessions are opened at OpenAI's path, and at Azure's of the deployment or of its newer API", () => {
  const base = "https://res.openai.azure.com";
  const query = "api-version=2024-10-21&deployment=some-model";
  assert.equal(urlOf(3, base, "realtime", { other: "2024-10-21" }), `${base}/openai/realtime?${query}`);
  assert.equal(urlOf(3, `${base}/openai/v1`, "realtime"), `${base}/openai/v1/realtime?model=some-model`);
  assert.equal(urlOf(1, "", "realtime"), "https://api.openai.com/v1/realtime?model=some-model");
  assert.equal(urlOf(8, "https://host.example/v1", "realtime"), "https://host.example/v1/realtime?model=some-model");
  assert.equal(workingProvider(14).serve("realtime", "some-model"), undefined);
});

function sentBy(type: number, request: object, { model = "some-model", stream = true, rest = {} }): unknown {
  const service = workingProvider(type).serve("chat-completions", model);
  const asked = { body: Buffer.from(JSON.stringify(request)), stream, formatHeaders: {} };
  const call = service?.call(asked, connectionTo("https://host.example", rest), silentIo);
  assert.ok(call !== undefined && !(call instanceof Promise));
  return JSON.parse(call.body.toString());
}

test("Azure reports a stream's usage where its API version supports that, unless the caller declines", () => {
  const usage = { stream_options: { include_usage: true } };
  const version = (other: string) => ({ rest: { other } });
  const request = { messages: [], stream: true };
  assert.deepEqual(sentBy(3, request, version("2024-10-21")), { ...request, ...usage });
  assert.deepEqual(sentBy(3, request, version("2024-09-01-preview")), { ...request, ...usage });
  assert.deepEqual(sentBy(3, request, {}), request);
  assert.deepEqual(sentBy(3, request, version("2025-01-01-preview")), { ...request, ...usage });
  const own = { stream: true, stream_options: { include_usage: false } };
  assert.deepEqual(sentBy(3, own, version("2024-10-21")), own);
  assert.deepEqual(sentBy(3, { messages: [] }, { stream: false, ...version("2024-10-21") }), { messages: [] });
});

test("Qwen searches the web for One API's names with the suffix", () => {
  const asked = sentBy(17, { model: "qwen-max-internet", messages: [] }, { model: "qwen-max-internet" });
  assert.deepEqual(asked, { model: "qwen-max", messages: [], enable_search: true });
  assert.deepEqual(sentBy(17, { model: "qwen-max" }, { model: "qwen-max" }), { model: "qwen-max" });
});

test("Cloudflare is called below the account, or behind its AI gateway", () => {
  const rest = { config: { user_id: "acc/1" } };
  const base = "https://api.cloudflare.com/client/v4/accounts/acc%2F1/ai/v1";
  assert.equal(urlOf(37, "", "chat-completions", rest), `${base}/chat/completions`);
  assert.equal(urlOf(37, "", "embeddings", rest), `${base}/embeddings`);
  const gateway = "https://gateway.ai.cloudflare.com/v1/acc/gw/workers-ai";
  assert.equal(urlOf(37, gateway), `${gateway}/v1/chat/completions`);
  assert.throws(() => urlOf(37, ""), /user_id/);
});

test("a model's name cannot escape its segment of Azure's path", () => {
  const base = connectionTo("https://res.openai.azure.com");
  const { url } = callOf(3, base, "chat-completions", {}, "../../x?y").address;
  assert.match(
    url,
    /^https:\/\/res\.openai\.azure\.com\/openai\/deployments\/\.\.%2F\.\.%2Fx%3Fy\/chat\/completions\?api-version=/,
  );
});

test("a channel without a required address is an error that names it", () => {
  assert.throws(() => urlOf(8, ""), /Fill in base_url/);
  assert.throws(() => urlOf(3, "not an address"), /Fill in base_url/);
});

test("[CHFORM-26] an organization is sent as OpenAI-Organization, and only where there is one", () => {
  const headersOf = (rest: Partial<ChannelConnection>) => callOf(1, connectionTo("", rest)).address.headers;
  assert.equal(headersOf({ organization: "org-1" })["openai-organization"], "org-1");
  assert.ok(!("openai-organization" in headersOf({})));
});

test("OpenRouter receives the product's name", () => {
  assert.equal(callOf(20, connectionTo("")).address.headers["x-title"], "One API");
});

test("providers that refuse stream_options do not receive them", () => {
  const asks = (type: number) => {
    const edits = { model: "m", systemPrompt: "", maxTokens: undefined, reportUsage: true };
    const format = workingProvider(type).serve("chat-completions", "m")?.format;
    assert.ok(format !== undefined && "edit" in format);
    return format.edit({ model: "m" }, edits).has("stream_options");
  };
  assert.deepEqual([28, 3, 1].map(asks), [false, false, true]);
});

test("providers with answers similar to OpenAI's are inexact for chats only", () => {
  const chats = [...PROVIDERS.values()].map(({ type }) => ({
    type,
    served: workingProvider(type).serve("chat-completions", "m"),
  }));
  const isOf = (name: string) => chats.filter(({ served }) => served?.format.name === name);
  assert.deepEqual(
    isOf("openai-chat").flatMap(({ type, served }) => (served?.exact === false ? [type] : [])),
    [25, 27, 28, 29],
  );
  const callers = new Set(["openai-chat", "anthropic-messages", "gemini-content"]);
  for (const { type, served } of chats) {
    if (served !== undefined && !callers.has(served.format.name)) assert.equal(served.exact, false, `type ${type}`);
  }
  assert.equal(workingProvider(28).serve("embeddings", "m")?.exact, true);
});

test("Ollama is called by its own API, also with a pasted path of its other one", () => {
  assert.equal(urlOf(30, ""), "http://localhost:11434/api/chat");
  assert.equal(urlOf(30, "http://gpu:11434/v1/", "embeddings"), "http://gpu:11434/api/embed");
});

test("Cohere is called by version 2 of its API, also with another pasted version", () => {
  assert.equal(urlOf(35, ""), "https://api.cohere.com/v2/chat");
  assert.equal(urlOf(35, "https://api.cohere.ai/v1", "embeddings"), "https://api.cohere.ai/v2/embed");
});

test("PaLM 2 is replaced by another model at the same address; current models are unchanged", () => {
  const urlWith = (model: string) => callOf(11, connectionTo(""), "chat-completions", {}, model).address.url;
  const base = "https://generativelanguage.googleapis.com/v1beta/models";
  assert.deepEqual(
    ["PaLM-2", "chat-bison-001", "gemini-3-flash-preview"].map(urlWith),
    ["gemini-3.5-flash-lite", "gemini-3.5-flash-lite", "gemini-3-flash-preview"].map(
      (m) => `${base}/${m}:generateContent`,
    ),
  );
});

test("AI Proxy's knowledge base is the channel's, by its configuration or its older field", () => {
  const libraryOf = (rest: object) => sentBy(21, { query: "a" }, { rest });
  assert.deepEqual(libraryOf({ other: "old" }), { query: "a", libraryId: "old" });
  assert.deepEqual(libraryOf({ other: "old", config: { library_id: "new" } }), { query: "a", libraryId: "new" });
  assert.equal(urlOf(21, "", "chat-completions", { other: "x" }), "https://api.aiproxy.io/api/library/ask");
  assert.throws(() => urlOf(21, ""), /knowledge base/);
});

test("Coze receives the channel's user, never the caller's", () => {
  assert.equal(urlOf(34, ""), "https://api.coze.com/v3/chat");
  assert.equal(urlOf(34, "https://api.coze.cn/"), "https://api.coze.cn/v3/chat");
  const userOf = (config: ChannelConnection["config"]) => sentBy(34, { bot_id: "1" }, { rest: { config } });
  assert.deepEqual(userOf({ user_id: " u-1 " }), { user_id: "u-1", bot_id: "1" });
  assert.deepEqual(userOf({}), { user_id: "one-api", bot_id: "1" });
});

test("DeepL's address depends on the key, unless the channel has its own", () => {
  const urlWith = (key: string, baseUrl = "") => callOf(38, connectionTo(baseUrl, { key })).address.url;
  assert.equal(urlWith("a:fx"), "https://api-free.deepl.com/v2/translate");
  assert.equal(urlWith("a"), "https://api.deepl.com/v2/translate");
  assert.equal(urlWith("a", "https://api-free.deepl.com"), "https://api.deepl.com/v2/translate");
  assert.equal(urlWith("a:fx", "https://deepl.host.example/v2"), "https://deepl.host.example/v2/translate");
  assert.equal(urlWith("a", "https://api.deepl.com.host.example"), "https://api.deepl.com.host.example/v2/translate");
  assert.equal(callOf(38, connectionTo("")).address.headers.authorization, "DeepL-Auth-Key sk-test");
});

test("Bedrock is called in the region of the key, by the id or the profile of the model, with a signature or with a key of its own", async () => {
  const keyed = (key: string, config: ChannelConnection["config"] = {}) => connectionTo("", { key, config });
  const pair = keyed("AKIDEXAMPLE|secret|eu-central-1");
  const base = "https://bedrock-runtime.eu-central-1.amazonaws.com/model";
  const callFor = async (model: string, connection = pair, endpoint: Endpoint = "chat-completions") => {
    const request = { body, stream: false, formatHeaders: {} };
    const call = await workingProvider(33).serve(endpoint, model)?.call(request, connection, silentIo);
    return call?.address ?? assert.fail(`Bedrock does not serve ${model}`);
  };
  const urls = [
    ["claude-3-haiku-20240307", "anthropic.claude-3-haiku-20240307-v1%3A0/converse"],
    ["claude-2.1", "anthropic.claude-v2%3A1/converse"],
    ["llama3-8b-8192", "meta.llama3-8b-instruct-v1%3A0/converse"],
    ["claude-3-7-sonnet-latest", "eu.anthropic.claude-3-7-sonnet-20250219-v1%3A0/converse"],
    ["claude-sonnet-4-5", "eu.anthropic.claude-sonnet-4-5-20250929-v1%3A0/converse"],
    ["claude-opus-5-5", "eu.anthropic.claude-opus-5-5/converse"],
    ["us.amazon.nova-pro-v1:0", "us.amazon.nova-pro-v1%3A0/converse"],
    ["arn:aws:bedrock:x:1:inference-profile/../y", "arn%3Aaws%3Abedrock%3Ax%3A1%3Ainference-profile%2F..%2Fy/converse"],
  ];
  for (const [model = "", path] of urls) assert.equal((await callFor(model)).url, `${base}/${path}`);
  assert.equal((await callFor("cohere.embed-v4:0", pair, "embeddings")).url, `${base}/cohere.embed-v4%3A0/invoke`);
  assert.equal(workingProvider(33).serve("embeddings", "claude-opus-5"), undefined);
  const { authorization = "" } = (await callFor("claude-opus-5")).headers;
  assert.match(
    authorization,
    /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/19700101\/eu-central-1\/bedrock\/aws4_request, /,
  );
  const bearer = await callFor("claude-opus-4-1", keyed("bedrock-api-key-1", { region: "cn-north-1" }));
  const china = "https://bedrock-runtime.cn-north-1.amazonaws.com.cn/model";
  assert.equal(bearer.url, `${china}/us.anthropic.claude-opus-4-1-20250805-v1%3A0/converse`);
  assert.deepEqual(bearer.headers, { authorization: "Bearer bedrock-api-key-1" });
  const at = async (region: string, model: string) =>
    (await callFor(model, keyed(`a|b|${region}`))).url.replace(/^.*model\/|%3A.*|\/converse/g, "");
  assert.deepEqual(
    await Promise.all(
      ["us-gov-west-1", "ap-northeast-1", "ap-southeast-2", "sa-east-1"].map((region) => at(region, "claude-opus-5-5")),
    ),
    ["us-gov", "jp", "au", "global"].map((place) => `${place}.anthropic.claude-opus-5-5`),
  );
  assert.equal(await at("ap-northeast-1", "claude-sonnet-4-0"), "apac.anthropic.claude-sonnet-4-20250514-v1");
  await assert.rejects(callFor("m", keyed("bedrock-api-key-1")), /config: region/);
  await assert.rejects(callFor("m", keyed("a|b|evil.example/x")), /a region of the provider/);
});

test("Vertex AI is called in the region and project of the key, by the publisher of the model", async () => {
  const urlFor = async (model: string, region = "global", endpoint: Endpoint = "chat-completions", stream = false) => {
    const config = { region, vertex_ai_project_id: "p" };
    const asked = { body, stream, formatHeaders: {} };
    const call = await workingProvider(42).serve(endpoint, model)?.call(asked, connectionTo("", { config }), silentIo);
    assert.deepEqual(call?.address.headers, { "x-goog-api-key": "sk-test" });
    return call.address.url.replace("https://", "");
  };
  const globally = "aiplatform.googleapis.com/v1/projects/p/locations/global";
  assert.equal(
    await urlFor("gemini-3.5-flash", "us", "chat-completions", true),
    "aiplatform.us.rep.googleapis.com/v1beta1/projects/p/locations/us/publishers/google/models/gemini-3.5-flash:streamGenerateContent?alt=sse",
  );
  assert.equal(
    await urlFor("text-embedding-005", "europe-west4", "embeddings"),
    "europe-west4-aiplatform.googleapis.com/v1beta1/projects/p/locations/europe-west4/publishers/google/models/text-embedding-005:predict",
  );
  const claude = `${globally}/publishers/anthropic/models`;
  assert.equal(await urlFor("claude-3-5-sonnet-20241022"), `${claude}/claude-3-5-sonnet-v2@20241022:rawPredict`);
  assert.equal(await urlFor("claude-opus-4-1@20250805"), `${claude}/claude-opus-4-1@20250805:rawPredict`);
  assert.equal(await urlFor("anthropic/claude-opus-5"), `${claude}/claude-opus-5:rawPredict`);
  assert.equal(await urlFor("claude-../x:y"), `${claude}/claude-..%2Fx%3Ay:rawPredict`);
  assert.equal(await urlFor("meta/llama-4"), `${globally}/endpoints/openapi/chat/completions`);
  await assert.rejects(async () => urlFor("m", "evil.example/"), /a region of the provider/);
  await assert.rejects(async () => urlFor("m", ""), /config: region/);
});

test("Spark is called with its own model names, at the model's API version, with either kind of key", () => {
  const asked = (model: string, rest: Partial<ChannelConnection> = {}) => {
    const call = callOf(18, connectionTo("", rest), "chat-completions", {}, model);
    const named: unknown = JSON.parse(call.body.toString());
    return [
      recordOf(named).model ?? model,
      new URL(call.address.url).pathname.slice(0, 3),
      call.address.headers.authorization,
    ];
  };
  assert.deepEqual(asked("Spark-Max"), ["generalv3.5", "/v1", "Bearer sk-test"]);
  assert.deepEqual(asked("SparkDesk-v3.1-128K"), ["pro-128k", "/v1", "Bearer sk-test"]);
  assert.deepEqual(asked("SparkDesk"), ["lite", "/v1", "Bearer sk-test"]);
  assert.deepEqual(asked("SparkDesk", { other: "v4.0" }), ["4.0Ultra", "/v1", "Bearer sk-test"]);
  assert.deepEqual(asked("Spark-X1"), ["spark-x", "/v2", "Bearer sk-test"]);
  assert.deepEqual(asked("mine", { key: "app|secret|key" }), ["mine", "/v1", "Bearer key:secret"]);
  assert.equal(
    urlOf(18, "https://spark-api-open.xf-yun.com/v2/"),
    "https://spark-api-open.xf-yun.com/v2/chat/completions",
  );
});

test("Tencent's cloud API is called with its own signature, also with a pasted version", () => {
  const connection = connectionTo("", { key: "app|id|secret" });
  const service = workingProvider(23).serve("embeddings", "hunyuan-embedding", undefined, connection);
  const call = service?.call({ body, stream: false, formatHeaders: {} }, connection, silentIo);
  assert.ok(call !== undefined && !(call instanceof Promise));
  assert.equal(call.address.url, "https://hunyuan.tencentcloudapi.com/");
  assert.equal(call.address.headers["x-tc-action"], "GetEmbedding");
  assert.match(
    call.address.headers.authorization ?? "",
    /^TC3-HMAC-SHA256 Credential=id\/1970-01-01\/hunyuan\/tc3_request, /,
  );
});

test("Anthropic receives the key in the version's header, and the caller's version and betas", () => {
  const older = callOf(14, connectionTo("")).address;
  assert.equal(older.url, "https://api.anthropic.com/v1/messages");
  assert.deepEqual(older.headers, { "x-api-key": "sk-test", "anthropic-version": "2023-06-01" });
  const named = { "anthropic-version": "2026-10-21", "anthropic-beta": "x-1" };
  const newer = callOf(14, connectionTo("https://host.example/anthropic/v1"), "token-counts", named).address;
  assert.equal(newer.url, "https://host.example/anthropic/v1/messages/count_tokens");
  assert.deepEqual(newer.headers, { authorization: "Bearer sk-test", ...named });
  assert.equal(workingProvider(14).serve("embeddings", "m"), undefined);
});

test("the role developer becomes system except at providers that accept it", () => {
  const asked = { model: "m", messages: [{ role: "developer", content: "Be brief." }] };
  const edits = { model: "m", systemPrompt: "", maxTokens: undefined, reportUsage: false };
  const knowing: string[] = [];
  for (const { type, name, reseller } of CHANNEL_TYPES) {
    const service = providerOf(type)?.serve("chat-completions", "m");
    if (service === undefined || !service.exact || service.format.name !== "openai-chat") continue;
    const written = service.format.edit(asked, edits).get("messages");
    if (written === undefined) knowing.push(reseller === true ? "resellers" : name);
    else assert.equal(written, JSON.stringify([{ role: "system", content: "Be brief." }]));
  }
  assert.deepEqual([...new Set(knowing)].toSorted(), ["azure", "openai", "openrouter", "resellers", "xai"]);
});
