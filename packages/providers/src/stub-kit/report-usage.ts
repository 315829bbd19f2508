import type { Behaviour } from "./behaviour.ts";
import { isJsonObject, type JsonObject } from "./json-fields.ts";

export function cachedOf(promptTokens: number, { cachedTokens = 0 }: Behaviour): number {
  return Math.min(cachedTokens, promptTokens);
}

/** Returns the field of the reported usage; empty for none. */
export function usageField(counted: JsonObject, behaviour: Behaviour, name = "usage"): JsonObject {
  const usage = reportUsage(counted, behaviour);
  return usage === undefined ? {} : { [name]: usage };
}

/** Returns the counted usage, or the behaviour's; undefined for none. */
export function reportUsage(counted: JsonObject, behaviour: Behaviour): JsonObject | undefined {
  if (behaviour.kind === "malformed" && behaviour.fault === "no-usage") return undefined;
  if (behaviour.kind !== "usage-override") return counted;
  switch (behaviour.report) {
    case "given":
      return behaviour.usage ?? {};
    case "zero":
      return withZeros(counted);
    case "none":
      return undefined;
    case "total-only":
      return { total_tokens: counted["total_tokens"] };
  }
}

function withZeros(usage: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(usage).map(([name, value]) => [name, isJsonObject(value) ? withZeros(value) : 0]),
  );
}
