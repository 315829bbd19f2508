import type { ChannelType } from "@one-api/contract/channels/channel-types";
import { openAiBatches } from "../../batch-api.ts";
import { openAiCompatible } from "../../builders/openai-compatible.ts";
import { isThinkingKimi } from "../../model-facts/api-facts.ts";
import { PLAIN } from "../../protocols/openai-chat/openai-chat-variant.ts";
import type { Provider } from "../../provider.ts";
import { moonshotBalance } from "./balance.ts";

/** Batches: https://platform.kimi.com/docs/guide/use-batch-api. Their price: https://platform.kimi.ai/docs/pricing/batch */
export function moonshot(type: ChannelType): Provider {
  return openAiCompatible(type, {
    endpoints: ["chat-completions"],
    // The last choice of a stream has the usage.
    exact: false,
    // Newer models think and require their thoughts back: https://platform.moonshot.ai/docs/guide/use-kimi-k2-thinking-model
    chat: { ...PLAIN, thoughts: "text", needsThoughts: isThinkingKimi },
    balance: moonshotBalance,
    batches: openAiBatches((model) => (/^kimi-k2\.[56]$/.test(model) ? 0.6 : undefined)),
  });
}
