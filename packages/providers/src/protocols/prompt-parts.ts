import type { FormatName } from "../format.ts";
import type { PromptParts } from "../shared/count-tokens.ts";
import { promptParts } from "./anthropic-messages/prompt-parts.ts";
import { embeddingParts as geminiEmbeddingParts, promptParts as geminiParts } from "./gemini/prompt-parts.ts";
import { promptParts as responsesParts } from "./openai-responses/prompt-parts.ts";
import { promptTexts } from "./openai/prompt-texts.ts";
import { rerankTexts } from "./rerank/prompt-parts.ts";

/** Prompt of a request by format name, for worker threads, which cannot receive functions. */
export function readPromptParts(format: FormatName, body: unknown): PromptParts {
  switch (format) {
    case "anthropic-messages":
      return promptParts(body);
    case "gemini-content":
      return geminiParts(body);
    case "gemini-embeddings":
      return geminiEmbeddingParts(body);
    case "openai-responses":
      return responsesParts(body);
    case "rerank":
    case "cohere-rerank":
      return rerankTexts(body);
    default:
      return promptTexts(body);
  }
}
