import type { ProviderFormat } from "../format.ts";
import { isRecord, type JsonRecord } from "./json-fields.ts";

/**
 * True when a whole answer holds a result of the format: one of its result fields, of the kind that the format says. An empty list is a result where the answer says why it
 * ended. A document of another format is none, whatever its status.
 */
export function holdsResult(
  { results, endField }: Pick<ProviderFormat, "results" | "endField">,
  answer: JsonRecord,
): boolean {
  if (results === undefined) return true;
  const saysEnd = endField !== undefined && typeof answer[endField] === "string";
  return Object.entries(results).some(([name, kind]) => {
    const value = answer[name];
    if (!Object.hasOwn(answer, name) || value === null) return false;
    // Of a long answer the long fields are only named.
    if (value === undefined || kind === "any") return true;
    return kind === "record" ? isRecord(value) : Array.isArray(value) && (saysEnd || value.length > 0);
  });
}
