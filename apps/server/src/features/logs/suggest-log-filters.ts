import { MAX_LOG_SUGGESTIONS, type suggestLogFilters as call } from "@one-api/contract/log";
import type { z } from "zod";
import { type CallContext, requireActor } from "../../core/call-context.ts";
import type { Queryable } from "../../core/transaction.ts";
import { listRecentValues, listValues, type SuggestedColumn } from "./log.repository.ts";

type Suggestions = z.output<typeof call.data>;

/** Channels that a keyword may mean, those whose name begins with it first. */
export type SuggestChannels = (
  queryable: Queryable,
  keyword: string,
  limit: number,
) => Promise<readonly { readonly id: number; readonly name: string }[]>;

/** So many different values are looked through for the keyword inside of them. */
const MAX_VALUES = 2_000;
/** Own suggestions come from so many of the newest entries. */
const NEWEST_ENTRIES = 5_000;

/** Values that a column of everybody's log has, at most 20: those that begin with the keyword, then those that hold it. */
export async function suggestValues(
  { database: { db } }: CallContext,
  column: SuggestedColumn,
  keyword: string,
): Promise<Suggestions> {
  // Names beyond the first values are found when they begin with the keyword as it is written.
  const beginning = keyword === "" ? [] : await listValues(db, column, keyword, MAX_LOG_SUGGESTIONS);
  return rank([...beginning, ...(await listValues(db, column, "", MAX_VALUES))], keyword);
}

/** Values that the column has in the caller's newest entries. */
export async function suggestOwnValues(
  context: CallContext,
  column: SuggestedColumn,
  keyword: string,
): Promise<Suggestions> {
  const { id } = requireActor(context);
  return rank(await listRecentValues(context.database.db, column, id, NEWEST_ENTRIES), keyword);
}

/** Channels by id and name. */
export async function suggestChannelIds(
  { database: { db } }: CallContext,
  suggestChannels: SuggestChannels,
  keyword: string,
): Promise<Suggestions> {
  const channels = await suggestChannels(db, keyword, MAX_LOG_SUGGESTIONS);
  return channels.map(({ id, name }) => ({ value: String(id), label: name }));
}

function rank(values: readonly string[], keyword: string): Suggestions {
  const wanted = keyword.toLowerCase();
  const holding = [...new Set(values)].filter((value) => value.toLowerCase().includes(wanted));
  const begins = (value: string) => value.toLowerCase().startsWith(wanted);
  return [...holding.filter(begins), ...holding.filter((value) => !begins(value))]
    .slice(0, MAX_LOG_SUGGESTIONS)
    .map((value) => ({ value, label: value }));
}
