import type { ChannelType } from "@one-api/contract/channels/channel-types";
import { openAiCompatible } from "../../builders/openai-compatible.ts";
import { creditGrants } from "../../builders/balances.ts";
import { ANY_PROVIDER } from "../../protocols/openai-chat/openai-chat-variant.ts";
import type { Provider } from "../../provider.ts";

export function api2Gpt(type: ChannelType): Provider {
  return openAiCompatible(type, { chat: ANY_PROVIDER, balance: creditGrants("total_remaining") });
}
