import type { ChannelType } from "@one-api/contract/channels/channel-types";
import { openAiCompatible } from "../../builders/openai-compatible.ts";
import { PLAIN } from "../../protocols/openai-chat/openai-chat-variant.ts";
import { rerank } from "../../protocols/rerank/rerank.ts";
import type { Provider } from "../../provider.ts";
import { siliconFlowBalance } from "./balance.ts";
import { siliconFlowImages } from "./pictures.ts";

export function siliconFlow(type: ChannelType): Provider {
  return openAiCompatible(type, {
    endpoints: ["chat-completions", "completions", "embeddings", "speech", "transcriptions"],
    pictures: { format: siliconFlowImages, edits: true },
    chat: { ...PLAIN, thoughts: "text" },
    // The usage is in Cohere's fields.
    rerank: () => ({ format: rerank, exact: false }),
    balance: siliconFlowBalance,
  });
}
