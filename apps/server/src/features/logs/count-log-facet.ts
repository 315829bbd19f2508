import { type LogFacet, type LogFacetValue, MAX_FACET_VALUES } from "@one-api/contract/logs/log-totals";
import type { ValuesQuestion } from "@one-api/log-store/questions";
import type { CallContext } from "../../core/call-context.ts";
import type { Queryable } from "../../core/transaction.ts";
import { askLog } from "./ask-log.ts";
import type { NameChannels } from "./list-logs.ts";
import type { LogFilter } from "./log-filter.ts";

export type SuggestChannels = (
  queryable: Queryable,
  keyword: string,
  limit: number,
) => Promise<readonly { readonly id: number; readonly name: string }[]>;

interface Facet {
  readonly column: ValuesQuestion["column"];
  readonly all: Partial<LogFilter>;
}

const FACETS: Readonly<Record<LogFacet, Facet>> = {
  type: { column: "type", all: { types: [] } },
  result: { column: "result", all: { results: [] } },
  model_name: { column: "model_name", all: { modelNames: [] } },
  token_name: { column: "token_name", all: { tokenNames: [] } },
  alias: { column: "alias", all: { aliases: [] } },
  username: { column: "username", all: { usernames: [] } },
  channel: { column: "channel_id", all: { channelIds: [] } },
};

/** Upper bound of channels that are counted while one is searched by name. */
const MOST_CHANNELS = 10_000;

interface FacetQuestion {
  readonly field: LogFacet;
  readonly keyword: string;
}

/** The field's values in the entries that the other filters match, most frequent first, at most 20. */
export async function countLogFacet(
  context: CallContext,
  channels: { readonly nameChannels: NameChannels; readonly suggestChannels: SuggestChannels },
  filter: LogFilter,
  { field, keyword }: FacetQuestion,
): Promise<LogFacetValue[]> {
  const { column, all } = FACETS[field];
  const isSearch = field === "channel" && keyword !== "";
  const limit = isSearch ? MOST_CHANNELS : MAX_FACET_VALUES;
  const { answer } = await askLog(context, { kind: "values", column, filter: { ...filter, ...all }, keyword, limit });
  if (field !== "channel") return answer.map(({ value, entries }) => ({ value, label: value, entries }));
  const { db } = context.database;
  if (isSearch) {
    const counts = new Map(answer.map(({ value, entries }) => [value, entries]));
    const found = await channels.suggestChannels(db, keyword, MAX_FACET_VALUES);
    return found.map(({ id, name }) => ({ value: String(id), label: name, entries: counts.get(String(id)) ?? 0 }));
  }
  const names = await channels.nameChannels(
    db,
    answer.map(({ value }) => Number(value)),
  );
  return answer.map(({ value, entries }) => ({ value, label: names.get(Number(value)) ?? `#${value}`, entries }));
}
