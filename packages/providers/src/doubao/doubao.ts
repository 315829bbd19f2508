import { openAiCompatible } from "../formats/openai/openai-compatible.ts";

/** Volcengine Ark; models may also be ids of endpoints (`ep-…`). Source: https://www.volcengine.com/docs/82379/1298454 */
export const doubao = openAiCompatible(40, {
  endpoints: ["chat-completions", "embeddings"],
  versionPath: "/api/v3",
});
