import { openAiCompatible } from "../formats/openai/openai-compatible.ts";

/** The v4 API takes the key, `ID.SECRET`, as a plain bearer token. Source: https://docs.bigmodel.cn/cn/guide/develop/openai/introduction */
export const zhipu = openAiCompatible(16, {
  endpoints: ["chat-completions", "embeddings"],
  versionPath: "/api/paas/v4",
  streamUsage: "always",
});
