import type { ChannelType } from "@one-api/contract/channels/channel-types";
import { openAiCompatible } from "../../builders/openai-compatible.ts";
import { ANY_PROVIDER } from "../../protocols/openai-chat/openai-chat-variant.ts";
import type { Provider } from "../../provider.ts";

export function aiLs(type: ChannelType): Provider {
  return openAiCompatible(type, { chat: ANY_PROVIDER });
}
