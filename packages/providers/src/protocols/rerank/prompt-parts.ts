import { NO_PROMPT, type PromptParts } from "../../shared/count-tokens.ts";
import { listOf, recordOf, textOf } from "../../shared/json-fields.ts";

export function rerankTexts(body: unknown): PromptParts {
  const { query, documents } = recordOf(body);
  return { ...NO_PROMPT, texts: [textOf(query), ...listOf(documents).map(documentText)] };
}

/** A document is a text, or an object with one. */
export function documentText(document: unknown): string {
  return typeof document === "string" ? document : textOf(recordOf(document).text);
}
