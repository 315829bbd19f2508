import { z } from "zod";
import { listSearchSchema } from "../../lib/list-search.ts";

const MAX_UNIX_SECONDS = 99_999_999_999;

const nameFilter = z.string().trim().max(128).optional().catch(undefined);
const momentFilter = z.coerce.number().int().min(0).max(MAX_UNIX_SECONDS).optional().catch(undefined);
const idFilter = z.coerce.number().int().min(1).optional().catch(undefined);

/** View state of the page, kept in its address. Filters are called as the API calls them; one that is left out does not filter. */
export const logSearchSchema = listSearchSchema.extend({
  type: z.coerce.number().int().min(1).max(99).optional().catch(undefined),
  token_name: nameFilter,
  model_name: nameFilter,
  username: nameFilter,
  channel: idFilter,
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
  token_name: undefined,
  model_name: undefined,
  username: undefined,
  channel: undefined,
  start_timestamp: undefined,
  end_timestamp: undefined,
} satisfies LogFilters;

/** The filters of an address that the viewer may use: only administrators filter by channel and user. */
export function readLogFilters(search: LogSearch, isAdmin: boolean): LogFilters {
  const { type, token_name, model_name, start_timestamp, end_timestamp } = search;
  const shared = { type, token_name, model_name, start_timestamp, end_timestamp };
  return isAdmin ? { ...shared, username: search.username, channel: search.channel } : shared;
}
