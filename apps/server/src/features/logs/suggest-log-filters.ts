import { MAX_LOG_SUGGESTIONS, type suggestLogFilters as call } from "@one-api/contract/logs/log";
import type { ValuesQuestion } from "@one-api/log-store/questions";
import type { z } from "zod";
import type { CallContext } from "../../core/call-context.ts";
import type { Queryable } from "../../core/transaction.ts";
import { askLog } from "./ask-log.ts";
import { NO_FILTER } from "./log-filter.ts";

type Suggestions = z.output<typeof call.data>;

export type SuggestChannels = (
  queryable: Queryable,
  keyword: string,
  limit: number,
) => Promise<readonly { readonly id: number; readonly name: string }[]>;

/**
 * A column's values in entries of the user, or of all users for 0. Values that begin with the keyword come
 * first, then by frequency.
 */
export async function suggestValues(
  context: CallContext,
  column: ValuesQuestion["column"],
  { keyword, userId }: { readonly keyword: string; readonly userId: number },
): Promise<Suggestions> {
  const filter = { ...NO_FILTER, userId };
  const { answer } = await askLog(context, { kind: "values", column, filter, keyword, limit: MAX_LOG_SUGGESTIONS });
  return answer.map(({ value, entries }) => ({ value, label: value, entries }));
}

export async function suggestChannelIds(
  { database: { db } }: CallContext,
  suggestChannels: SuggestChannels,
  keyword: string,
): Promise<Suggestions> {
  const channels = await suggestChannels(db, keyword, MAX_LOG_SUGGESTIONS);
  return channels.map(({ id, name }) => ({ value: String(id), label: name }));
}
