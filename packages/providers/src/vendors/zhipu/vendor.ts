import type { ChannelType } from "@one-api/contract/channels/channel-types";
import { openAiCompatible } from "../../builders/openai-compatible.ts";
import { THINKING } from "../../protocols/openai-chat/openai-chat-variant.ts";
import { zhipuImages } from "./pictures.ts";
import type { Provider } from "../../provider.ts";

/** The v4 API takes the key, `ID.SECRET`, as a plain bearer token. Source: https://docs.bigmodel.cn/cn/guide/develop/openai/introduction */
export function zhipu(type: ChannelType): Provider {
  return openAiCompatible(type, {
    endpoints: ["chat-completions", "embeddings", "speech", "transcriptions"],
    pictures: { format: zhipuImages, edits: false },
    versionPath: "/api/paas/v4",
    chat: { ...THINKING, streamUsage: "always", logprobs: false },
    listModels: "none",
  });
}
