import { LOG_RESULTS } from "@one-api/contract/constants";
import { z } from "zod";
import { listSearchSchema } from "../../lib/list/list-search.ts";

const MAX_UNIX_SECONDS = 99_999_999_999;

const nameFilter = z.string().trim().max(128).optional().catch(undefined);
const momentFilter = z.coerce.number().int().min(0).max(MAX_UNIX_SECONDS).optional().catch(undefined);
const HOUR_SECONDS = 3_600;

/** Ranges of time that move with the clock, and how far back each reaches. */
export const RELATIVE_RANGES = [
  { name: "hour", seconds: HOUR_SECONDS },
  { name: "day", seconds: 24 * HOUR_SECONDS },
  { name: "week", seconds: 7 * 24 * HOUR_SECONDS },
  { name: "month", seconds: 30 * 24 * HOUR_SECONDS },
] as const;

const idFilter = z.coerce.number().int().min(1).optional().catch(undefined);

/** View state of the page, kept in its address. Filters are called as the API calls them; one that is left out does not filter. */
export const logSearchSchema = listSearchSchema.extend({
  type: z.coerce.number().int().min(1).max(99).optional().catch(undefined),
  result: z.enum(LOG_RESULTS).exclude([""]).optional().catch(undefined),
  token_name: nameFilter,
  model_name: nameFilter,
  username: nameFilter,
  channel: idFilter,
  /** A range that ends now; start and end then say nothing. */
  range: z
    .enum(RELATIVE_RANGES.map(({ name }) => name))
    .optional()
    .catch(undefined),
  /** Unix seconds; epoch 0 unless given. */
  start_timestamp: momentFilter,
  /** Unix seconds; one hour from now unless given. */
  end_timestamp: momentFilter,
  /** Id of the entry whose sheet is open. */
  open: idFilter,
});

type LogSearch = z.output<typeof logSearchSchema>;

/** What the list and the statistics are filtered by. */
export type LogFilters = Omit<LogSearch, "page" | "size" | "keyword" | "sort" | "open">;

/** Address without any filter. */
export const NO_FILTERS = {
  type: undefined,
  result: undefined,
  token_name: undefined,
  model_name: undefined,
  username: undefined,
  channel: undefined,
  range: undefined,
  start_timestamp: undefined,
  end_timestamp: undefined,
} satisfies LogFilters;

/** The filters of an address that the viewer may use: only administrators filter by channel and user. */
export function readLogFilters(search: LogSearch, isAdmin: boolean): LogFilters {
  const { type, result, token_name, model_name, range, start_timestamp, end_timestamp } = search;
  const shared = { type, result, token_name, model_name, range, start_timestamp, end_timestamp };
  return isAdmin ? { ...shared, username: search.username, channel: search.channel } : shared;
}
