import { ENDPOINT_PATHS, openAiCompatible } from "../formats/openai/openai-compatible.ts";

/** Its addresses, `/v3/openai` and `/openai/v1`, name the version themselves. Source: https://novita.ai/docs/api-reference */
export const novita = openAiCompatible(41, {
  endpoints: ["chat-completions", "completions", "embeddings"],
  path: (endpoint) => ENDPOINT_PATHS[endpoint],
});
