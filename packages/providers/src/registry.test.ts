import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChannelConnection } from "@one-api/contract/channel-connection";
import { CHANNEL_TYPES } from "@one-api/contract/channel-types";
import type { Endpoint, Provider, UpstreamCall } from "./provider.ts";
import { KeptFiles, type ProviderIo } from "./provider-io.ts";
import { PROVIDERS, providerOf } from "./registry.ts";

function connectionTo(baseUrl: string, rest: Partial<ChannelConnection> = {}): ChannelConnection {
  return { baseUrl, key: "sk-test", organization: "", other: "", config: {}, ...rest };
}

function workingProvider(type: number): Provider {
  const provider = providerOf(type);
  assert.ok(provider !== undefined, `type ${type} works`);
  return provider;
}

const body = Buffer.from("{}");
const io: ProviderIo = {
  ask: () => Promise.reject(new Error("Nothing else is asked.")),
  nowMs: () => 0,
  files: new KeptFiles(1),
};

function callOf(
  type: number,
  connection: ChannelConnection,
  endpoint: Endpoint = "chat-completions",
  formatHeaders: Readonly<Record<string, string>> = {},
  model = "some-model",
): UpstreamCall {
  const call = workingProvider(type)
    .serve(endpoint, model)
    ?.call({ body, stream: false, formatHeaders }, connection, io);
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
  [16, "https://open.bigmodel.cn/api/paas/v4/chat/completions"],
  [17, "https://dashscope.aliyuncs.com/compatible-mode/v1/chat/completions"],
  [19, "https://ai.360.cn/v1/chat/completions"],
  [20, "https://openrouter.ai/api/v1/chat/completions"],
  [22, "https://fastgpt.run/api/openapi/v1/chat/completions"],
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
  test(`type ${type} asks its provider at ${url} with a bearer token and offers models`, () => {
    const provider = workingProvider(type);
    const { address, body: sent } = callOf(type, connectionTo(""));
    assert.equal(address.url, url);
    assert.equal(address.headers.authorization, "Bearer sk-test");
    assert.equal(sent, body);
    assert.ok(provider.models.length > 0);
    assert.equal(new Set(provider.models).size, provider.models.length);
  });
}

test("a type can be called exactly where the contract says so", () => {
  for (const info of CHANNEL_TYPES) {
    const serves = workingProvider(info.type).serve("chat-completions", "m") !== undefined;
    assert.equal(serves, info.isPending !== true, info.label);
  }
});

test("every working type is in the table above or needs an address of its own", () => {
  const working = [...PROVIDERS.values()]
    .filter((provider) => provider.serve("chat-completions", "m") !== undefined)
    .map(({ type }) => type);
  assert.deepEqual(
    [...chatAddresses.map(([type]) => type), 3, 8, 14, 24, 30, 35, 37].toSorted((a, b) => a - b),
    working,
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
  test(`a channel of type ${type} at ${baseUrl} asks ${url}`, () => {
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

/** What a provider is sent for a body. */
function sentBy(type: number, request: object, { model = "some-model", stream = true, rest = {} }): unknown {
  const service = workingProvider(type).serve("chat-completions", model);
  const asked = { body: Buffer.from(JSON.stringify(request)), stream, formatHeaders: {} };
  const call = service?.call(asked, connectionTo("https://host.example", rest), io);
  assert.ok(call !== undefined && !(call instanceof Promise));
  return JSON.parse(call.body.toString());
}

test("Azure is asked for the usage of a stream where its API version knows how, and never against the caller's word", () => {
  const usage = { stream_options: { include_usage: true } };
  const version = (other: string) => ({ rest: { other } });
  const request = { messages: [], stream: true };
  assert.deepEqual(sentBy(3, request, version("2024-10-21")), { ...request, ...usage });
  assert.deepEqual(sentBy(3, request, version("2024-09-01-preview")), { ...request, ...usage });
  assert.deepEqual(sentBy(3, request, {}), request);
  assert.deepEqual(sentBy(3, {}, version("2025-01-01-preview")), usage);
  const own = { stream: true, stream_options: { include_usage: false } };
  assert.deepEqual(sentBy(3, own, version("2024-10-21")), own);
  assert.deepEqual(sentBy(3, { messages: [] }, { stream: false, ...version("2024-10-21") }), { messages: [] });
});

test("Qwen searches the web for One API's names that end so", () => {
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
  assert.throws(() => urlOf(37, ""), /account id is empty/);
});

test("a model's name cannot leave its place in Azure's path", () => {
  const base = connectionTo("https://res.openai.azure.com");
  const { url } = callOf(3, base, "chat-completions", {}, "../../x?y").address;
  assert.match(
    url,
    /^https:\/\/res\.openai\.azure\.com\/openai\/deployments\/\.\.%2F\.\.%2Fx%3Fy\/chat\/completions\?api-version=/,
  );
});

test("a channel that needs an address says so", () => {
  assert.throws(() => urlOf(8, ""), /base_url is empty/);
  assert.throws(() => urlOf(3, "not an address"), /base_url is not an address/);
});

test("[CHFORM-26] an organization is sent as OpenAI-Organization, and only where there is one", () => {
  const headersOf = (rest: Partial<ChannelConnection>) => callOf(1, connectionTo("", rest)).address.headers;
  assert.equal(headersOf({ organization: "org-1" })["openai-organization"], "org-1");
  assert.ok(!("openai-organization" in headersOf({})));
});

test("OpenRouter hears the product's name", () => {
  assert.equal(callOf(20, connectionTo("")).address.headers["x-title"], "One API");
});

test("streams of providers that refuse stream_options are not given them", () => {
  const asks = (type: number) => {
    const edits = { model: "m", systemPrompt: "", maxTokens: undefined, reportUsage: true };
    const format = workingProvider(type).serve("chat-completions", "m")?.format;
    assert.ok(format !== undefined && "edit" in format);
    return format.edit({ model: "m" }, edits).has("stream_options");
  };
  assert.deepEqual([28, 3, 1].map(asks), [false, false, true]);
});

test("providers whose answers are only nearly OpenAI's say so, for chat alone", () => {
  const inexact = [...PROVIDERS.values()].filter(
    (provider) => provider.serve("chat-completions", "m")?.exact === false,
  );
  assert.deepEqual(
    inexact.map(({ type }) => type).toSorted((a, b) => a - b),
    [25, 27, 28, 29, 30, 35],
  );
  assert.equal(workingProvider(28).serve("embeddings", "m")?.exact, true);
});

test("Ollama is called by its own API, whatever end of its other one was pasted", () => {
  assert.equal(urlOf(30, ""), "http://localhost:11434/api/chat");
  assert.equal(urlOf(30, "http://gpu:11434/v1/", "embeddings"), "http://gpu:11434/api/embed");
});

test("Cohere is called by version 2 of its API, whatever version was pasted", () => {
  assert.equal(urlOf(35, ""), "https://api.cohere.com/v2/chat");
  assert.equal(urlOf(35, "https://api.cohere.ai/v1", "embeddings"), "https://api.cohere.ai/v2/embed");
});

test("Anthropic gets the key where the version has it, and the caller's version and trials", () => {
  const older = callOf(14, connectionTo("")).address;
  assert.equal(older.url, "https://api.anthropic.com/v1/messages");
  assert.deepEqual(older.headers, { "x-api-key": "sk-test", "anthropic-version": "2023-06-01" });
  const named = { "anthropic-version": "2026-10-21", "anthropic-beta": "x-1" };
  const newer = callOf(14, connectionTo("https://host.example/anthropic/v1"), "token-counts", named).address;
  assert.equal(newer.url, "https://host.example/anthropic/v1/messages/count_tokens");
  assert.deepEqual(newer.headers, { authorization: "Bearer sk-test", ...named });
  assert.equal(workingProvider(14).serve("embeddings", "m"), undefined);
});
