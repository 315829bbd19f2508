import { formatSeconds } from "../../lib/format.ts";

/** A duration before a longer one that `formatSeconds` has written: without its unit where that has the same. */
export function formatSecondsWithin(durationMs: number, total: string): string {
  const text = formatSeconds(durationMs);
  const unit = text.slice(text.lastIndexOf(" "));
  const isMinutes = text.includes("min") || total.includes("min");
  return !isMinutes && total.endsWith(unit) ? text.slice(0, -unit.length) : text;
}
