import type { ChannelType } from "@one-api/contract/channels/channel-types";
import { openAiCompatible } from "../../builders/openai-compatible.ts";
import { THINKING } from "../../protocols/openai-chat/openai-chat-variant.ts";
import { seedreamImages } from "./pictures.ts";
import type { Provider } from "../../provider.ts";

/** Volcengine Ark. A model may also be the id of an endpoint (`ep-…`). Source: https://www.volcengine.com/docs/82379/1298454 */
export function doubao(type: ChannelType): Provider {
  return openAiCompatible(type, {
    endpoints: ["chat-completions", "embeddings"],
    pictures: { format: seedreamImages, edits: true },
    versionPath: "/api/v3",
    // Doubao refuses both limits in one request. Source: https://www.volcengine.com/docs/82379/1494384
    chat: { ...THINKING, refusesTwoLimits: true },
    listModels: "none",
  });
}
