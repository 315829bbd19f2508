import assert from "node:assert/strict";
import { test } from "node:test";
import { CHANNEL_TYPES } from "@one-api/contract/channels/channel-types";
import type { Endpoint } from "./provider.ts";
import { PROVIDERS, providerOf } from "./registry.ts";
import { callOf, connectionTo, EMPTY_BODY, urlOf, workingProvider } from "./testing/call-provider.ts";

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
    assert.equal(sent, EMPTY_BODY);
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

test("sessions are opened at OpenAI's path, and at Azure's of the deployment or of its newer API", () => {
  const base = "https://res.openai.azure.com";
  const query = "api-version=2024-10-21&deployment=some-model";
  assert.equal(urlOf(3, base, "realtime", { other: "2024-10-21" }), `${base}/openai/realtime?${query}`);
  assert.equal(urlOf(3, `${base}/openai/v1`, "realtime"), `${base}/openai/v1/realtime?model=some-model`);
  assert.equal(urlOf(1, "", "realtime"), "https://api.openai.com/v1/realtime?model=some-model");
  assert.equal(urlOf(8, "https://host.example/v1", "realtime"), "https://host.example/v1/realtime?model=some-model");
  assert.equal(workingProvider(14).serve("realtime", "some-model"), undefined);
});

test("a channel without a required address is an error that names it", () => {
  assert.throws(() => urlOf(8, ""), /Fill in base_url/);
  assert.throws(() => urlOf(3, "not an address"), /Fill in base_url/);
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
