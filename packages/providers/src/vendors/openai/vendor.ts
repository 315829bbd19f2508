import type { ChannelType } from "@one-api/contract/channels/channel-types";
import { openAiBatches } from "../../batch-api.ts";
import { openAiBalance } from "../../builders/balances.ts";
import { openAiCompatible, openAiSessions } from "../../builders/openai-compatible.ts";
import { EITHER_LIMIT } from "../../protocols/openai-chat/openai-chat-variant.ts";
import { factorOfBatch } from "../../protocols/openai/service-tier.ts";
import type { Provider } from "../../provider.ts";

export function openAi(type: ChannelType): Provider {
  return openAiCompatible(type, {
    balance: openAiBalance,
    responses: true,
    realtime: openAiSessions,
    batches: openAiBatches(factorOfBatch),
    // Many channels of this type use another OpenAI-compatible server.
    chatElsewhere: EITHER_LIMIT,
  });
}
