import { openAiErrorBody } from "./openai-error.ts";

/** What an upstream says that fails after it has begun to answer. */
export const midStreamError = openAiErrorBody(
  "The server had an error while processing your request. Sorry about that!",
  { type: "server_error" },
);
