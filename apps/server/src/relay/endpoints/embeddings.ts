import type { AskShape } from "./read-ask.ts";

/** POST /v1/embeddings: https://platform.openai.com/docs/api-reference/embeddings */
export const EMBEDDINGS_PATH = "/v1/embeddings";

export const embeddings: AskShape = { endpoint: "embeddings", required: "input", limits: [], multipliers: [] };
