import {
  CHANNEL_TYPES,
  type ChannelType,
  type ChannelTypeName,
  type KnownChannelType,
} from "@one-api/contract/channels/channel-types";
import { DEFAULT_SYSTEM_NAME } from "@one-api/contract/constants";
import {
  aiProxyBalance,
  creditGrants,
  deepSeekBalance,
  moonshotBalance,
  novitaBalance,
  openAiBalance,
  openAiSbBalance,
  openRouterBalance,
  siliconFlowBalance,
} from "./balances.ts";
import { openAiBatches } from "./batch-api.ts";
import { miniMaxEmbeddings } from "./formats/minimax/embeddings.ts";
import { miniMaxPictures } from "./formats/minimax/pictures.ts";
import { seedreamImages, siliconFlowImages, zhipuImages } from "./formats/openai/like-openai-images.ts";
import { rerank } from "./formats/rerank/rerank.ts";
import {
  openAiCompatible,
  openAiSessions,
  type OpenAiCompatibleOptions,
  SOUND_ENDPOINTS,
} from "./vendors/openai-compatible.ts";
import type { NameRule } from "./neutral/fit/name-rule.ts";
import type { Endpoint, Provider } from "./provider.ts";
import { aiProxyKnowledge } from "./vendors/ai-proxy-library.ts";
import { anthropic } from "./vendors/anthropic.ts";
import { azure } from "./vendors/azure.ts";
import { baidu } from "./vendors/baidu.ts";
import { bedrock } from "./vendors/bedrock/bedrock.ts";
import { cloudflare } from "./vendors/cloudflare.ts";
import { cohere } from "./vendors/cohere.ts";
import { coze } from "./vendors/coze.ts";
import { deepL } from "./vendors/deepl.ts";
import { gemini } from "./vendors/gemini.ts";
import { hunyuan } from "./vendors/hunyuan/hunyuan.ts";
import { mistralBatches } from "./vendors/mistral-batches.ts";
import { novitaBatches } from "./vendors/novita-batches.ts";
import { palm } from "./vendors/palm.ts";
import { replicate } from "./vendors/replicate/replicate.ts";
import { qwen } from "./vendors/qwen/qwen.ts";
import { ollama } from "./vendors/ollama.ts";
import { spark } from "./vendors/spark/spark.ts";
import { vertex } from "./vendors/vertex/vertex.ts";
import { isThinkingKimi, thinksAtGroq } from "./models/api-facts.ts";
import { factorOfBatch } from "./formats/openai/service-tier.ts";

/** Providers of other formats than OpenAI's, or of more than one. */
const others = {
  anthropic,
  aws: bedrock,
  baidu,
  cohere,
  coze,
  deepl: deepL,
  gemini,
  hunyuan,
  ollama,
  spark,
  "ai-proxy-library": aiProxyKnowledge,
  palm,
  vertex,
  replicate,
  qwen,
  proxy: passOnly,
};

/** What passes as it is, by a path that names the channel: there are no models to ask for. */
function passOnly(type: ChannelType): Provider {
  return { type, models: [], serve: () => undefined };
}

/** Thinks when told to by `thinking`, and wants its thoughts back as a text. */
const THINKING = { limitField: "max_tokens", developerRole: false, reasoning: "thinking", thoughts: "text" } as const;
/** DeepSeek knows three. Source: https://api-docs.deepseek.com/guides/thinking_mode */
const DEEPSEEK_EFFORTS = {
  minimal: "low",
  low: "low",
  medium: "high",
  high: "high",
  xhigh: "max",
  max: "max",
} as const;
/** Knows the older limit alone, and nothing of how much to think and of how likely tokens are. */
const PLAIN = { limitField: "max_tokens", developerRole: false, reasoning: "none", logprobs: false } as const;

/** Nobody knows which of the two limits its server reads. */
const EITHER_LIMIT = { limitField: "either" } as const;
/** Passes on to whichever provider: DeepSeek and older servers know thoughts as `reasoning_content`, vLLM as `reasoning`. */
const ANY_PROVIDER = { ...EITHER_LIMIT, thoughts: "either" } as const;
/** Mistral takes ids of calls that are nine letters and digits. Source: https://mistralai.github.io/mistral-common/usage/tools/ */
const NINE_LETTERS: NameRule = { maxLength: 9, pattern: /^[a-zA-Z0-9]{9}$/, refused: /[^a-zA-Z0-9]/g, isHash: true };

const MINIMAX_PATHS: Readonly<Partial<Record<Endpoint, string>>> = {
  "image-generations": "/image_generation",
  embeddings: "/embeddings",
};

/** How each kind of channel of OpenAI's format behaves; what is known of it besides stands in the contract's channel-type-list.ts. */
const compatible: Readonly<
  Record<
    Exclude<ChannelTypeName, keyof typeof others>,
    OpenAiCompatibleOptions | ((type: number) => OpenAiCompatibleOptions)
  >
> = {
  openai: {
    balance: openAiBalance,
    responses: true,
    realtime: openAiSessions,
    batches: openAiBatches(factorOfBatch),
    // Many such channels name a server that only speaks OpenAI's API.
    chatElsewhere: EITHER_LIMIT,
  },
  api2d: { chat: ANY_PROVIDER },
  azure,
  closeai: { chat: ANY_PROVIDER, balance: creditGrants("total_available") },
  "openai-sb": { chat: ANY_PROVIDER, balance: openAiSbBalance },
  "openai-max": { chat: ANY_PROVIDER },
  ohmygpt: { chat: ANY_PROVIDER },
  // Whatever speaks OpenAI's API; one without sessions refuses them, and another channel is tried.
  custom: { chat: { ...ANY_PROVIDER, developerRole: false }, balance: openAiBalance, realtime: openAiSessions },
  "ai-ls": { chat: ANY_PROVIDER },
  "ai-proxy": { chat: ANY_PROVIDER, balance: aiProxyBalance },
  api2gpt: { chat: ANY_PROVIDER, balance: creditGrants("total_remaining") },
  aigc2d: { chat: ANY_PROVIDER, balance: creditGrants("total_available") },
  // The v4 API takes the key, `ID.SECRET`, as a plain bearer token. Source: https://docs.bigmodel.cn/cn/guide/develop/openai/introduction
  zhipu: {
    endpoints: ["chat-completions", "embeddings", "speech", "transcriptions"],
    pictures: { format: zhipuImages, edits: false },
    versionPath: "/api/paas/v4",
    chat: { ...THINKING, streamUsage: "always", logprobs: false },
    listModels: "none",
  },
  ai360: { endpoints: ["chat-completions", "embeddings"], chat: PLAIN, listModels: "none" },
  // It attributes calls to an app by these headers. Source: https://openrouter.ai/docs/app-attribution
  openrouter: {
    endpoints: ["chat-completions", "completions", "embeddings"],
    headers: { "http-referer": "https://one-api.local/", "x-title": DEFAULT_SYSTEM_NAME },
    chat: { limitField: "max_tokens", cacheMarks: true, thoughts: "details", reasoning: "reasoning", topK: true },
    balance: openRouterBalance,
  },
  fastgpt: { endpoints: ["chat-completions"], chat: PLAIN, listModels: "none" },
  // Usage stands in the last choice of a stream.
  // Its batches: https://platform.kimi.com/docs/guide/use-batch-api, and their price: https://platform.kimi.ai/docs/pricing/batch
  moonshot: {
    endpoints: ["chat-completions"],
    exact: false,
    // Its newer models think, and want their thoughts back: https://platform.moonshot.ai/docs/guide/use-kimi-k2-thinking-model
    chat: { ...PLAIN, thoughts: "text", needsThoughts: isThinkingKimi },
    balance: moonshotBalance,
    batches: openAiBatches((model) => (/^kimi-k2\.[56]$/.test(model) ? 0.6 : undefined)),
  },
  baichuan: { endpoints: ["chat-completions", "embeddings"], chat: PLAIN, listModels: "none" },
  // Paths and words of its own, and a `base_resp` in every answer. Source: https://platform.minimaxi.com/docs/api-reference/text-post
  minimax: {
    endpoints: ["chat-completions"],
    exact: false,
    path: (endpoint) => MINIMAX_PATHS[endpoint] ?? "/text/chatcompletion_v2",
    pictures: { format: miniMaxPictures, edits: false },
    embeddings: miniMaxEmbeddings,
    chat: { ...PLAIN, thoughts: "text" },
  },
  // It refuses `stream_options`, reports usage in every stream, and writes thoughts as parts of the content. Source: https://docs.mistral.ai/api
  mistral: {
    endpoints: ["chat-completions", "embeddings", "moderations"],
    exact: false,
    chat: {
      ...PLAIN,
      streamUsage: "always",
      thoughts: "parts",
      requiredChoice: "any",
      seedField: "random_seed",
      callIds: NINE_LETTERS,
    },
    batches: mistralBatches,
  },
  // It reports usage in every stream, in `x_groq` too, and refuses `reasoning_content`: thoughts are `reasoning`. For its least length see https://console.groq.com/docs/speech-to-text
  groq: {
    endpoints: ["chat-completions", ...SOUND_ENDPOINTS],
    exact: false,
    chat: {
      streamUsage: "always",
      logprobs: false,
      thoughts: (model) => (thinksAtGroq(model) ? "reasoning" : "dropped"),
    },
    leastSeconds: 10,
    // Source: https://console.groq.com/docs/batch
    batches: openAiBatches(() => 0.5),
  },
  yi: { endpoints: ["chat-completions", "completions"], chat: PLAIN },
  stepfun: { endpoints: ["chat-completions", "image-generations", "speech", "transcriptions"], chat: PLAIN },
  // It thinks unless it is told not to. Source: https://api-docs.deepseek.com/guides/thinking_mode
  deepseek: {
    endpoints: ["chat-completions"],
    chat: { ...THINKING, needsThoughts: () => true, efforts: DEEPSEEK_EFFORTS },
    balance: deepSeekBalance,
  },
  together: {
    endpoints: ["chat-completions", "completions", "embeddings", "image-generations"],
    chat: { ...PLAIN, topK: true, thoughts: "text" },
  },
  cloudflare,
  // Volcengine Ark; models may also be ids of endpoints (`ep-…`). Source: https://www.volcengine.com/docs/82379/1298454
  doubao: {
    endpoints: ["chat-completions", "embeddings"],
    pictures: { format: seedreamImages, edits: true },
    versionPath: "/api/v3",
    // It refuses both limits in one request. Source: https://www.volcengine.com/docs/82379/1494384
    chat: { ...THINKING, refusesTwoLimits: true },
    listModels: "none",
  },
  novita: {
    endpoints: ["chat-completions", "completions", "embeddings"],
    // Source: https://novita.ai/docs/guides/llm-interleaved-thinking
    chat: { ...PLAIN, thoughts: "text" },
    balance: novitaBalance,
    batches: novitaBatches,
  },
  siliconflow: {
    endpoints: ["chat-completions", "completions", "embeddings", "speech", "transcriptions"],
    pictures: { format: siliconFlowImages, edits: true },
    chat: { ...PLAIN, thoughts: "text" },
    // It tells what was counted in Cohere's words.
    rerank: () => ({ format: rerank, exact: false }),
    balance: siliconFlowBalance,
  },
  xai: {
    endpoints: ["chat-completions", "completions", "embeddings", "image-generations", "image-edits"],
    chat: { reasoning: "none", thoughts: "text" },
  },
};

function isOther(name: ChannelTypeName): name is keyof typeof others {
  return Object.hasOwn(others, name);
}

function toProvider({ type, name }: KnownChannelType): Provider {
  if (isOther(name)) return others[name](type);
  const options = compatible[name];
  return openAiCompatible(type, typeof options === "function" ? options(type) : options);
}

/** The one list of providers, by channel type. */
export const PROVIDERS: ReadonlyMap<number, Provider> = new Map(
  CHANNEL_TYPES.map((info) => [info.type, toProvider(info)]),
);

/** The provider behind a channel type; undefined for a number that is no channel type. */
export function providerOf(type: number): Provider | undefined {
  return PROVIDERS.get(type);
}

/** The kinds of channels whose provider is such, by their labels, as a list to read. */
export function labelsOf(isSuch: (provider: Provider) => boolean): string {
  const labels = CHANNEL_TYPES.filter((info) => isSuch(toProvider(info))).map(({ label }) => label);
  return new Intl.ListFormat("en", { type: "disjunction" }).format(labels);
}
