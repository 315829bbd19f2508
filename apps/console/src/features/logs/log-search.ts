import { FILTER_LIMITS, LOG_RESULT_FILTERS } from "@one-api/contract/constants";
import { type ListSearchState, type RawSearch, readListSearch } from "../../lib/list/list-search.ts";
import { choiceOf, integerOf, listOf, textOf } from "../../lib/values/read-values.ts";

const HOUR_SECONDS = 3_600;

/** Ranges of time that move with the clock, and how far back each reaches. */
export const RELATIVE_RANGES = [
  { name: "hour", seconds: HOUR_SECONDS },
  { name: "day", seconds: 24 * HOUR_SECONDS },
  { name: "week", seconds: 7 * 24 * HOUR_SECONDS },
  { name: "month", seconds: 30 * 24 * HOUR_SECONDS },
] as const;

export const RESULTS = LOG_RESULT_FILTERS.filter((result) => result !== "").toSorted(
  (left, right) => Number(right === "errors") - Number(left === "errors"),
);

/** Filters of list and statistics, with the API's names. A list matches entries with one of its values, and absent filters match all. */
export interface LogFilters {
  readonly type?: readonly number[] | undefined;
  readonly result?: readonly (typeof RESULTS)[number][] | undefined;
  readonly token_name?: readonly string[] | undefined;
  readonly model_name?: readonly string[] | undefined;
  /** Requested names that are aliases. */
  readonly alias?: readonly string[] | undefined;
  readonly username?: readonly string[] | undefined;
  readonly channel?: readonly number[] | undefined;
  /** A range that ends now; start and end then say nothing. */
  readonly range?: (typeof RELATIVE_RANGES)[number]["name"] | undefined;
  /** Unix seconds; epoch 0 unless given. */
  readonly start_timestamp?: number | undefined;
  /** Unix seconds; one hour from now unless given. */
  readonly end_timestamp?: number | undefined;
}

export interface LogSearch extends ListSearchState, LogFilters {
  /** Failed requests grouped by message instead of single entries. */
  readonly view?: "errors" | undefined;
  readonly open?: number | undefined;
  /** 1 while new entries appear automatically. */
  readonly live?: number | undefined;
}

const nameOf = (value: unknown) => textOf(value, { most: FILTER_LIMITS.nameLength });
const typeOf = (value: unknown) => integerOf(value, { least: 1, most: 99 });
const resultOf = (value: unknown) => choiceOf(value, RESULTS);
const aliasOf = (value: unknown) => textOf(value, { most: FILTER_LIMITS.aliasLength });
const idOf = (value: unknown) => integerOf(value, { least: 1 });
const momentOf = (value: unknown) => integerOf(value, { least: 0, most: FILTER_LIMITS.seconds });

/** As many values as the server takes. */
const valuesOf = <Value>(value: unknown, read: (one: unknown) => Value | undefined) =>
  listOf(value, read)?.slice(0, FILTER_LIMITS.values);

export function readLogSearch(search: RawSearch): LogSearch {
  return {
    ...readListSearch(search),
    type: valuesOf(search["type"], typeOf),
    result: valuesOf(search["result"], resultOf),
    token_name: valuesOf(search["token_name"], nameOf),
    model_name: valuesOf(search["model_name"], nameOf),
    alias: valuesOf(search["alias"], aliasOf),
    username: valuesOf(search["username"], nameOf),
    channel: valuesOf(search["channel"], idOf),
    range: choiceOf(
      search["range"],
      RELATIVE_RANGES.map(({ name }) => name),
    ),
    start_timestamp: momentOf(search["start_timestamp"]),
    end_timestamp: momentOf(search["end_timestamp"]),
    view: choiceOf(search["view"], ["errors"] as const),
    open: idOf(search["open"]),
    live: integerOf(search["live"], { least: 1, most: 1 }),
  };
}

export const NO_FILTERS = {
  type: undefined,
  result: undefined,
  token_name: undefined,
  model_name: undefined,
  alias: undefined,
  username: undefined,
  channel: undefined,
  range: undefined,
  start_timestamp: undefined,
  end_timestamp: undefined,
} satisfies LogFilters;

/** The filters of an address that the viewer may use: only administrators filter by channel and user. */
export function readLogFilters(search: LogSearch, isAdmin: boolean): LogFilters {
  const { type, result, token_name, model_name, alias, range, start_timestamp, end_timestamp } = search;
  const shared = { type, result, token_name, model_name, alias, range, start_timestamp, end_timestamp };
  return isAdmin ? { ...shared, username: search.username, channel: search.channel } : shared;
}
