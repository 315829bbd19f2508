import type { ChannelType } from "@one-api/contract/channels/channel-types";
import { openAiCompatible } from "../../builders/openai-compatible.ts";
import { PLAIN } from "../../protocols/openai-chat/openai-chat-variant.ts";
import type { Provider } from "../../provider.ts";
import { novitaBalance } from "./balance.ts";
import { novitaBatches } from "./batches.ts";

export function novita(type: ChannelType): Provider {
  return openAiCompatible(type, {
    endpoints: ["chat-completions", "completions", "embeddings"],
    // Source: https://novita.ai/docs/guides/llm-interleaved-thinking
    chat: { ...PLAIN, thoughts: "text" },
    balance: novitaBalance,
    batches: novitaBatches,
  });
}
