import type { ChannelType } from "@one-api/contract/channels/channel-types";
import { openAiCompatible } from "../../builders/openai-compatible.ts";
import { ANY_PROVIDER } from "../../protocols/openai-chat/openai-chat-variant.ts";
import { aiProxyBalance } from "./balance.ts";
import type { Provider } from "../../provider.ts";

export function aiProxy(type: ChannelType): Provider {
  return openAiCompatible(type, { chat: ANY_PROVIDER, balance: aiProxyBalance });
}
