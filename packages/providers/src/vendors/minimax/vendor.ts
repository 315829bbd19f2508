import type { ChannelType } from "@one-api/contract/channels/channel-types";
import { openAiCompatible } from "../../builders/openai-compatible.ts";
import { PLAIN } from "../../protocols/openai-chat/openai-chat-variant.ts";
import type { Endpoint, Provider } from "../../provider.ts";
import { miniMaxEmbeddings } from "./embeddings.ts";
import { miniMaxPictures } from "./pictures.ts";

const PATHS: Readonly<Partial<Record<Endpoint, string>>> = {
  "image-generations": "/image_generation",
  embeddings: "/embeddings",
};

/** Paths and field names differ from OpenAI's, and every answer has a `base_resp`. Source: https://platform.minimaxi.com/docs/api-reference/text-post */
export function miniMax(type: ChannelType): Provider {
  return openAiCompatible(type, {
    endpoints: ["chat-completions"],
    exact: false,
    path: (endpoint) => PATHS[endpoint] ?? "/text/chatcompletion_v2",
    pictures: { format: miniMaxPictures, edits: false },
    embeddings: miniMaxEmbeddings,
    chat: { ...PLAIN, thoughts: "text" },
  });
}
