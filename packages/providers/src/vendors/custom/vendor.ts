import type { ChannelType } from "@one-api/contract/channels/channel-types";
import { openAiBalance } from "../../builders/balances.ts";
import { openAiCompatible, openAiSessions } from "../../builders/openai-compatible.ts";
import { ANY_PROVIDER } from "../../protocols/openai-chat/openai-chat-variant.ts";
import type { Provider } from "../../provider.ts";

/** Any OpenAI-compatible server. One without sessions refuses them, and the relay tries another channel. */
export function custom(type: ChannelType): Provider {
  return openAiCompatible(type, {
    chat: { ...ANY_PROVIDER, developerRole: false },
    balance: openAiBalance,
    realtime: openAiSessions,
  });
}
