import type { ChannelType } from "@one-api/contract/channels/channel-types";
import { DEFAULT_SYSTEM_NAME } from "@one-api/contract/constants";
import { openAiCompatible } from "../../builders/openai-compatible.ts";
import type { Provider } from "../../provider.ts";
import { openRouterBalance } from "./balance.ts";

export function openRouter(type: ChannelType): Provider {
  return openAiCompatible(type, {
    endpoints: ["chat-completions", "completions", "embeddings"],
    // OpenRouter attributes calls to an app by these headers. Source: https://openrouter.ai/docs/app-attribution
    headers: { "http-referer": "https://one-api.local/", "x-title": DEFAULT_SYSTEM_NAME },
    chat: { limitField: "max_tokens", cacheMarks: true, thoughts: "details", reasoning: "reasoning", topK: true },
    balance: openRouterBalance,
  });
}
