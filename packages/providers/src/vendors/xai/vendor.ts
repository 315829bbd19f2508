import type { ChannelType } from "@one-api/contract/channels/channel-types";
import { openAiCompatible } from "../../builders/openai-compatible.ts";
import type { Provider } from "../../provider.ts";

export function xAi(type: ChannelType): Provider {
  return openAiCompatible(type, {
    endpoints: ["chat-completions", "completions", "embeddings", "image-generations", "image-edits"],
    chat: { reasoning: "none", thoughts: "text" },
  });
}
