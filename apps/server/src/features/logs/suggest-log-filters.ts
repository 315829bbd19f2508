import { MAX_LOG_SUGGESTIONS, type suggestLogFilters as call } from "@one-api/contract/logs/log";
import type { z } from "zod";
import { type CallContext, requireActor } from "../../core/call-context.ts";
import type { Queryable } from "../../core/transaction.ts";
import { listNames, listOwnValues, listTailValues } from "./groups/list-log-values.ts";
import type { SuggestedColumn } from "./log.repository.ts";

type Suggestions = z.output<typeof call.data>;

/** Channels that a keyword may mean, those whose name begins with it first. */
export type SuggestChannels = (
  queryable: Queryable,
  keyword: string,
  limit: number,
) => Promise<readonly { readonly id: number; readonly name: string }[]>;

/** So many different values are looked through for the keyword inside of them. */
const MAX_VALUES = 2_000;

/** Values that a column of everybody's log has, at most 20: those that begin with the keyword, then those that hold it. */
export async function suggestValues(
  { database }: CallContext,
  column: SuggestedColumn,
  keyword: string,
): Promise<Suggestions> {
  // Names beyond the first values are found when they begin with the keyword as it is written.
  const beginning = keyword === "" ? [] : await listNames(database.db, column, keyword, MAX_LOG_SUGGESTIONS);
  const first = await listNames(database.db, column, "", MAX_VALUES);
  return rank([...beginning, ...first, ...(await listTailValues(database, column, 0))].toSorted(), keyword);
}

/** Values that the column has in the caller's entries. */
export async function suggestOwnValues(
  context: CallContext,
  column: SuggestedColumn,
  keyword: string,
): Promise<Suggestions> {
  const { id } = requireActor(context);
  return rank((await listOwnValues(context.database, column, id)).toSorted(), keyword);
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
