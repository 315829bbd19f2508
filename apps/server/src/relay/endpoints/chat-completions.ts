import type { AskShape } from "./read-ask.ts";

/** POST /v1/chat/completions: https://platform.openai.com/docs/api-reference/chat */
export const CHAT_COMPLETIONS_PATH = "/v1/chat/completions";

export const chatCompletions: AskShape = {
  endpoint: "chat-completions",
  required: "messages",
  limits: ["max_completion_tokens", "max_tokens"],
  multipliers: ["n"],
};
