import type { TFunction } from "i18next";
import { formatTime } from "../../../lib/format.ts";
import type { LogFilters } from "../log-search.ts";

/** The range of time in words; undefined when neither end is set. */
export function rangeText(filters: LogFilters, t: TFunction<"logs">): string | undefined {
  const { start_timestamp: start, end_timestamp: end } = filters;
  if (start !== undefined && end !== undefined) return `${formatTime(start)} – ${formatTime(end)}`;
  if (start !== undefined) return t("range.from", { start: formatTime(start) });
  return end === undefined ? undefined : t("range.until", { end: formatTime(end) });
}
