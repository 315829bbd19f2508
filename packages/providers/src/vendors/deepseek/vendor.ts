import type { ChannelType } from "@one-api/contract/channels/channel-types";
import { openAiCompatible } from "../../builders/openai-compatible.ts";
import { THINKING } from "../../protocols/openai-chat/openai-chat-variant.ts";
import type { Provider } from "../../provider.ts";
import { deepSeekBalance } from "./balance.ts";

/** DeepSeek has three efforts. Source: https://api-docs.deepseek.com/guides/thinking_mode */
const EFFORTS = {
  minimal: "low",
  low: "low",
  medium: "high",
  high: "high",
  xhigh: "max",
  max: "max",
} as const;

/** DeepSeek's models think by default. Source: https://api-docs.deepseek.com/guides/thinking_mode */
export function deepSeek(type: ChannelType): Provider {
  return openAiCompatible(type, {
    endpoints: ["chat-completions"],
    chat: { ...THINKING, needsThoughts: () => true, efforts: EFFORTS },
    balance: deepSeekBalance,
  });
}
