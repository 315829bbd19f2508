import type { LogResultFilter } from "@one-api/contract/logs/log";

/** Filter of log entries. Every field must match: a list by one of its values. 0 and an empty list match all. */
export interface LogFilter {
  readonly userId: number;
  readonly types: readonly number[];
  readonly tokenNames: readonly string[];
  readonly modelNames: readonly string[];
  readonly aliases: readonly string[];
  readonly usernames: readonly string[];
  readonly channelIds: readonly number[];
  readonly results: readonly LogResultFilter[];
  /** Unix seconds, both inclusive. */
  readonly startTimestamp: number;
  readonly endTimestamp: number;
}

export const NO_FILTER: LogFilter = {
  userId: 0,
  types: [],
  tokenNames: [],
  modelNames: [],
  aliases: [],
  usernames: [],
  channelIds: [],
  results: [],
  startTimestamp: 0,
  endTimestamp: 0,
};

/** Results that match none of a filter's: those of entries without a request, and `ok` unless it is chosen too. For filters with `errors`. */
export function resultsBesideErrors(results: readonly LogResultFilter[]): readonly LogResultFilter[] {
  return results.includes("ok") ? [""] : ["", "ok"];
}
