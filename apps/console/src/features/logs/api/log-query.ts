import type { LogFilters } from "../log-search.ts";

const END_AHEAD_SECONDS = 3_600;

/** Start and end, in Unix seconds, that the log is shown for unless others are chosen: epoch 0 to one hour from now. */
export function defaultRange(nowSeconds: number) {
  return { start: 0, end: nowSeconds + END_AHEAD_SECONDS };
}

/** The current time in Unix seconds. */
export const nowSeconds = () => Math.floor(Date.now() / 1_000);

/** Query of the calls that everybody may make. */
export function toOwnQuery(filters: LogFilters) {
  const range = defaultRange(nowSeconds());
  return {
    type: filters.type ?? 0,
    token_name: filters.token_name ?? "",
    model_name: filters.model_name ?? "",
    start_timestamp: filters.start_timestamp ?? range.start,
    end_timestamp: filters.end_timestamp ?? range.end,
  };
}

/** Query of the calls on everybody's entries. */
export function toAllQuery(filters: LogFilters) {
  return { ...toOwnQuery(filters), username: filters.username ?? "", channel: filters.channel ?? 0 };
}
