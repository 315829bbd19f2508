import type { AskShape } from "./read-ask.ts";

/** POST /v1/completions: https://platform.openai.com/docs/api-reference/completions */
export const COMPLETIONS_PATH = "/v1/completions";

export const completions: AskShape = {
  endpoint: "completions",
  required: "prompt",
  limits: ["max_tokens"],
  multipliers: ["n", "best_of"],
};
