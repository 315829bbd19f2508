import { countField } from "./json-fields.ts";
import type { JsonObject } from "./json-fields.ts";
import { openAiErrorBody, RequestRefused } from "./openai-error.ts";

const mostChoices = 128;

/** How many choices a request asks for with `n`; 1 when it does not say. Throws RequestRefused above 128. */
export function readChoiceCount(body: JsonObject): number {
  const count = countField(body, "n", 1) ?? 1;
  if (count <= mostChoices) return count;
  const message = `Invalid 'n': integer above maximum value. Expected a value <= ${mostChoices}, but got ${count} instead.`;
  throw new RequestRefused(400, openAiErrorBody(message, { param: "n", code: "integer_above_max_value" }));
}
