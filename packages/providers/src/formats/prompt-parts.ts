import type { FormatName } from "../format.ts";
import type { PromptParts } from "../shared/count-tokens.ts";
import { promptParts } from "./anthropic-messages/prompt-parts.ts";
import { promptTexts } from "./openai/prompt-texts.ts";

/** What of a request the model reads, by the name of its format: for a thread that can be told names alone. */
export function readPromptParts(format: FormatName, body: unknown): PromptParts {
  return format === "anthropic-messages" ? promptParts(body) : promptTexts(body);
}
