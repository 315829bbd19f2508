import type { ProviderFormat } from "../format.ts";
import { isRecord, type JsonRecord } from "./json-fields.ts";

/** True when an answer has a result field of the format, of the right kind. An empty list counts where the answer states why it ended. */
export function holdsResult(
  { results, endField }: Pick<ProviderFormat, "results" | "endField">,
  answer: JsonRecord,
): boolean {
  if (results === undefined) return true;
  const saysEnd = endField !== undefined && typeof answer[endField] === "string";
  return Object.entries(results).some(([name, kind]) => {
    const value = answer[name];
    if (!Object.hasOwn(answer, name) || value === null) return false;
    // The outline of a long answer has names of long fields without values.
    if (value === undefined || kind === "any") return true;
    return kind === "record" ? isRecord(value) : Array.isArray(value) && (saysEnd || value.length > 0);
  });
}
