import {
  CHANNEL_TYPES,
  type CallableTypeName,
  type ChannelTypeName,
  type KnownChannelType,
} from "@one-api/contract/channel-types";
import { DEFAULT_SYSTEM_NAME } from "@one-api/contract/constants";
import { azure } from "./azure.ts";
import {
  aiProxyBalance,
  creditGrants,
  deepSeekBalance,
  openAiBalance,
  openAiSbBalance,
  openRouterBalance,
  siliconFlowBalance,
} from "./balances.ts";
import { openAiCompatible, type OpenAiCompatibleOptions } from "./formats/openai/openai-compatible.ts";
import { modelsOfType } from "./models/models-of-type.ts";
import type { PendingProvider, Provider } from "./provider.ts";

/** How each kind of channel that can be called behaves; what is known of it besides stands in the contract's channel-types.ts. */
const behaviours: Readonly<
  Record<CallableTypeName, OpenAiCompatibleOptions | ((type: number) => OpenAiCompatibleOptions)>
> = {
  openai: { balance: openAiBalance },
  api2d: {},
  azure,
  closeai: { balance: creditGrants("total_available") },
  "openai-sb": { balance: openAiSbBalance },
  "openai-max": {},
  ohmygpt: {},
  custom: { balance: openAiBalance },
  "ai-ls": {},
  "ai-proxy": { balance: aiProxyBalance },
  api2gpt: { balance: creditGrants("total_remaining") },
  aigc2d: { balance: creditGrants("total_available") },
  // The v4 API takes the key, `ID.SECRET`, as a plain bearer token. Source: https://docs.bigmodel.cn/cn/guide/develop/openai/introduction
  zhipu: {
    endpoints: ["chat-completions", "embeddings"],
    versionPath: "/api/paas/v4",
    streamUsage: "always",
    listModels: "none",
  },
  ai360: { endpoints: ["chat-completions", "embeddings"], listModels: "none" },
  // It attributes calls to an app by these headers. Source: https://openrouter.ai/docs/app-attribution
  openrouter: {
    endpoints: ["chat-completions", "completions", "embeddings"],
    headers: { "http-referer": "https://one-api.local/", "x-title": DEFAULT_SYSTEM_NAME },
    balance: openRouterBalance,
  },
  fastgpt: { endpoints: ["chat-completions"], listModels: "none" },
  moonshot: { endpoints: ["chat-completions"] },
  baichuan: { endpoints: ["chat-completions", "embeddings"], listModels: "none" },
  // Chat alone, with a path of its own. Source: https://platform.minimaxi.com/docs/api-reference/text-post
  minimax: { endpoints: ["chat-completions"], path: () => "/text/chatcompletion_v2" },
  // It refuses `stream_options.include_usage` and reports usage in every stream.
  mistral: { endpoints: ["chat-completions", "embeddings", "moderations"], streamUsage: "always" },
  // It reports usage in every stream, in `x_groq` too.
  groq: { endpoints: ["chat-completions"], streamUsage: "always" },
  yi: { endpoints: ["chat-completions", "completions"] },
  stepfun: { endpoints: ["chat-completions"] },
  deepseek: { endpoints: ["chat-completions"], balance: deepSeekBalance },
  together: { endpoints: ["chat-completions", "completions", "embeddings"] },
  // Volcengine Ark; models may also be ids of endpoints (`ep-…`). Source: https://www.volcengine.com/docs/82379/1298454
  doubao: { endpoints: ["chat-completions", "embeddings"], versionPath: "/api/v3", listModels: "none" },
  novita: { endpoints: ["chat-completions", "completions", "embeddings"] },
  siliconflow: { endpoints: ["chat-completions", "completions", "embeddings"], balance: siliconFlowBalance },
  xai: { endpoints: ["chat-completions", "completions", "embeddings"] },
};

function isCallable(name: ChannelTypeName): name is CallableTypeName {
  return Object.hasOwn(behaviours, name);
}

function toProvider({ type, name }: KnownChannelType): Provider | PendingProvider {
  if (!isCallable(name)) return { type, format: "pending", models: modelsOfType(type) };
  const behaviour = behaviours[name];
  return openAiCompatible(type, typeof behaviour === "function" ? behaviour(type) : behaviour);
}

/** The one list of providers, by channel type. */
export const PROVIDERS: ReadonlyMap<number, Provider | PendingProvider> = new Map(
  CHANNEL_TYPES.map((info) => [info.type, toProvider(info)]),
);

/** The provider behind a channel type; undefined for a number that is no channel type. */
export function providerOf(type: number): Provider | PendingProvider | undefined {
  return PROVIDERS.get(type);
}
