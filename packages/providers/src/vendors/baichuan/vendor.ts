import type { ChannelType } from "@one-api/contract/channels/channel-types";
import { openAiCompatible } from "../../builders/openai-compatible.ts";
import { PLAIN } from "../../protocols/openai-chat/openai-chat-variant.ts";
import type { Provider } from "../../provider.ts";

export function baichuan(type: ChannelType): Provider {
  return openAiCompatible(type, { endpoints: ["chat-completions", "embeddings"], chat: PLAIN, listModels: "none" });
}
