import assert from "node:assert/strict";
import { test } from "node:test";
import { channelTypeInfo, CHANNEL_TYPES, effectiveBaseUrl, effectiveOther } from "./channel-types.ts";

/** In the order of the lines TYPE-01 to TYPE-37. */
const LABELS: readonly [type: number, label: string][] = [
  [1, "OpenAI"], [3, "Azure OpenAI"], [8, "Custom"], [11, "Google PaLM2"], [14, "Anthropic Claude"], [15, "Baidu"],
  [16, "Zhipu ChatGLM"], [17, "Alibaba Qwen"], [18, "iFlytek Spark"], [19, "360"], [20, "OpenRouter"],
  [21, "AI Proxy (knowledge base)"], [22, "FastGPT (knowledge base)"], [23, "Tencent Hunyuan"], [24, "Google Gemini"],
  [25, "Moonshot"], [26, "Baichuan"], [27, "MiniMax"], [28, "Mistral"], [29, "Groq"], [30, "Ollama"], [31, "01.AI"],
  [32, "StepFun"], [33, "AWS"], [34, "Coze"], [35, "Cohere"], [36, "DeepSeek"], [37, "Cloudflare"], [38, "DeepL"],
  [39, "together.ai"], [40, "ByteDance Doubao"], [41, "Novita"], [42, "VertexAI"], [43, "Proxy"], [44, "SiliconFlow"],
  [45, "xAI"], [46, "Replicate"],
]; // prettier-ignore
const RESELLERS = [2, 4, 5, 6, 7, 9, 10, 12, 13];

test("[TYPE-01..37] every kind of provider has its number and its name", () => {
  const own = CHANNEL_TYPES.filter(({ reseller }) => reseller !== true);
  // Those that came later stand behind them.
  assert.deepEqual(
    own.slice(0, LABELS.length).map(({ type, label }) => [type, label]),
    LABELS,
  );
});

test("[TYPE-38..46] resellers are those", () => {
  const resellers = CHANNEL_TYPES.filter(({ reseller }) => reseller === true);
  assert.deepEqual(
    resellers.map(({ type }) => type),
    RESELLERS,
  );
});

test("types, names and labels stand once, by number, and every type has an address, a region or must be given one", () => {
  const numbers = CHANNEL_TYPES.map(({ type }) => type);
  assert.deepEqual(
    numbers,
    [...new Set(numbers)].toSorted((one, other) => one - other),
  );
  for (const unique of [(info: (typeof CHANNEL_TYPES)[number]) => info.name, (info: { label: string }) => info.label]) {
    assert.equal(new Set(CHANNEL_TYPES.map(unique)).size, CHANNEL_TYPES.length);
  }
  for (const { baseUrl, needsBaseUrl, key, label } of CHANNEL_TYPES) {
    const hasRegion = key?.parts.some(({ config }) => config === "region") === true;
    assert.ok((baseUrl !== "") !== (needsBaseUrl === true || hasRegion), label);
    assert.ok(baseUrl === "" || URL.canParse(baseUrl), label);
  }
});

test("[CHFORM-15] an empty address or `other` stands for the type's own", () => {
  assert.equal(effectiveBaseUrl(1, ""), "https://api.openai.com");
  assert.equal(effectiveBaseUrl(1, "https://mine.example"), "https://mine.example");
  assert.equal(effectiveBaseUrl(999, ""), "");
  assert.equal(effectiveBaseUrl(15, "", "bce-v3/a/b"), "https://qianfan.baidubce.com");
  assert.equal(effectiveBaseUrl(15, "", "api|secret"), "https://aip.baidubce.com");
  assert.equal(effectiveBaseUrl(15, "https://mine.example", "api|secret"), "https://mine.example");
  assert.equal(effectiveOther(3, ""), "2024-03-01-preview");
  assert.equal(effectiveOther(3, "2025-01-01"), "2025-01-01");
  assert.equal(effectiveOther(18, ""), "");
});

test("[CHFORM-16] [CHFORM-17] Azure's models are deployments at an endpoint that the channel names", () => {
  const azure = channelTypeInfo(3);
  assert.deepEqual([azure?.deployments, azure?.needsBaseUrl], [true, true]);
});

test("[CHFORM-11..14] `other` is what the type needs besides", () => {
  const meanings = [3, 18, 21, 17].map((type) => channelTypeInfo(type)?.other);
  assert.deepEqual(meanings, ["api-version", "model-version", "knowledge-base", "plugin"]);
});
