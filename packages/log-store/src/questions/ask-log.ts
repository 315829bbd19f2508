import type {
  HistogramCount,
  HistogramQuestion,
  ModelTimes,
  OldEntries,
  OldEntriesQuestion,
  PageAnswer,
  PageQuestion,
  ResultsQuestion,
  ResultTotals,
  TimesQuestion,
  TotalsAnswer,
  TotalsQuestion,
  UsersQuestion,
  ValueCount,
  ValuesQuestion,
} from "../questions.ts";
import type { DuckConnection } from "../replica/duck.ts";
import { NAME_KINDS, type NameKind, type Names } from "../replica/names.ts";
import type { LogFilter } from "../log-filter.ts";
import { Conditions } from "./conditions.ts";

export interface Asked {
  readonly connection: DuckConnection;
  readonly names: Names;
}

/** Charges and refunds; outcome 6 is a refund. */
const COUNTED = "outcome < 7";
const QUOTA = "sum(case when outcome = 6 then -quota else quota end)";
const TOKENS = "sum(prompt_tokens + completion_tokens)";
const REQUESTS = "count(*) filter (outcome < 6)";

async function conditionsOf({ connection, names }: Asked, filter: LogFilter): Promise<Conditions> {
  const conditions = new Conditions(connection, names);
  await conditions.addFilter(filter);
  return conditions;
}

/** Ids of one bucket, as a power of two. A page far from the newest entry is looked up in its bucket: no more rows are sorted. */
const BUCKET_BITS = 16;
const FAR_OFFSET = 20_000;

export async function askPage(
  asked: Asked,
  { filter, offset, limit, upTo, withTotal }: PageQuestion,
): Promise<PageAnswer> {
  const conditions = await conditionsOf(asked, filter);
  if (upTo !== 0) conditions.add("id <= ?", upTo);
  const { connection } = asked;
  if (offset > FAR_OFFSET) return askFarPage(connection, conditions, offset, limit);
  const [total] = withTotal
    ? await connection.rows(`select count(*) from entries where ${conditions.toString()}`, conditions.parameters)
    : [];
  const ids = await readIds(connection, conditions, offset, limit);
  return { ids, total: Number(total?.[0] ?? 0) };
}

async function askFarPage(
  connection: DuckConnection,
  conditions: Conditions,
  offset: number,
  limit: number,
): Promise<PageAnswer> {
  const buckets = await connection.rows(
    `select id >> ${BUCKET_BITS}, count(*) from entries where ${conditions.toString()} group by 1 order by 1 desc`,
    conditions.parameters,
  );
  let total = 0;
  let skipped = 0;
  const found: number[] = [];
  for (const [bucket, count] of buckets) {
    const before = total;
    total += Number(count);
    if (total <= offset || before >= offset + limit) continue;
    if (found.length === 0) skipped = before;
    found.push(Number(bucket));
  }
  const [newest, oldest] = [found[0], found.at(-1)];
  if (newest === undefined || oldest === undefined) return { ids: [], total };
  conditions.add("id >= ?", oldest * 2 ** BUCKET_BITS);
  conditions.add("id < ?", (newest + 1) * 2 ** BUCKET_BITS);
  return { ids: await readIds(connection, conditions, offset - skipped, limit), total };
}

async function readIds(
  connection: DuckConnection,
  conditions: Conditions,
  offset: number,
  limit: number,
): Promise<number[]> {
  const { parameters } = conditions;
  const rows = await connection.rows(
    `select id from entries where ${conditions.toString()} order by id desc
     limit $${parameters.length + 1} offset $${parameters.length + 2}`,
    [...parameters, limit, offset],
  );
  return rows.map(([id]) => Number(id));
}

export async function askTotals(asked: Asked, { filter }: TotalsQuestion): Promise<TotalsAnswer> {
  const conditions = await conditionsOf(asked, { ...filter, types: [] });
  const [row] = await asked.connection.rows(
    `select coalesce(${QUOTA}, 0), coalesce(${TOKENS}, 0) from entries where ${COUNTED} and ${conditions.toString()}`,
    conditions.parameters,
  );
  return { quota: Number(row?.[0] ?? 0), tokens: Number(row?.[1] ?? 0) };
}

export async function askResults(asked: Asked, { filter }: ResultsQuestion): Promise<readonly ResultTotals[]> {
  const conditions = await conditionsOf(asked, { ...filter, types: [] });
  const rows = await asked.connection.rows(
    `select ${nameOf("model_name")}, ${nameOf("result")}, entries, quota, tokens from (
       select model_name, result, ${REQUESTS} as entries, ${QUOTA} as quota, ${TOKENS} as tokens
       from entries where ${COUNTED} and ${conditions.toString()} group by 1, 2) as sums`,
    conditions.parameters,
  );
  return rows.map(([model, result, entries, quota, tokens]) => ({
    model: String(model),
    result: String(result),
    entries: Number(entries),
    quota: Number(quota),
    tokens: Number(tokens),
  }));
}

export async function askHistogram(
  asked: Asked,
  { filter, edges }: HistogramQuestion,
): Promise<readonly HistogramCount[]> {
  const conditions = await conditionsOf(asked, filter);
  conditions.add("created_at >= ?", edges[0] ?? 0);
  conditions.add("created_at < ?", edges.at(-1) ?? 0);
  // Grouped by seconds first where intervals are of equal length: a division is quicker than a search among the edges.
  const length = equalLength(edges);
  const { parameters } = conditions;
  const interval =
    length === undefined
      ? `list_count(list_filter($${parameters.length + 1}::bigint[], lambda edge: edge <= created_at)) - 1`
      : `(created_at - $${parameters.length + 1}::bigint) // $${parameters.length + 2}::bigint`;
  const rows = await asked.connection.rows(
    `select n, ${nameOf("result")}, entries from (
       select ${interval} as n, result, count(*) as entries from entries
       where ${conditions.toString()} group by 1, 2) as sums order by n, entries desc`,
    [...parameters, ...(length === undefined ? [edges] : [edges[0] ?? 0, length])],
  );
  return rows.map(([interval_, result, entries]) => ({
    interval: Number(interval_),
    result: String(result),
    entries: Number(entries),
  }));
}

export async function askOldEntries({ connection }: Asked, { before }: OldEntriesQuestion): Promise<OldEntries> {
  const [row] = await connection.rows("select count(*), coalesce(max(id), 0) from entries where created_at < $1", [
    before,
  ]);
  return { entries: Number(row?.[0] ?? 0), lastId: Number(row?.[1] ?? 0) };
}

export async function askValues(
  asked: Asked,
  { column, filter, keyword, limit }: ValuesQuestion,
): Promise<readonly ValueCount[]> {
  const conditions = await conditionsOf(asked, filter);
  conditions.add(`${column} <> 0`);
  const rows =
    column === "type" || column === "channel_id"
      ? await countNumbers(asked, conditions, column, limit)
      : await countNames(asked, conditions, column, { keyword, limit });
  return rows.map(([value, entries]) => ({ value: String(value), entries: Number(entries) }));
}

function countNumbers({ connection }: Asked, conditions: Conditions, column: string, limit: number) {
  const { parameters } = conditions;
  return connection.rows(
    `select ${column}, count(*) as entries from entries
     where ${conditions.toString()} group by 1 order by entries desc, 1 limit $${parameters.length + 1}`,
    [...parameters, limit],
  );
}

function countNames(
  { connection }: Asked,
  conditions: Conditions,
  column: NameKind,
  { keyword, limit }: Pick<ValuesQuestion, "keyword" | "limit">,
) {
  const { parameters } = conditions;
  const [text, most] = [`$${parameters.length + 1}::varchar`, `$${parameters.length + 2}`];
  // Without a keyword every name matches, and the semi-join would take twice as long as the rest.
  const isMatching = keyword === "" ? "" : `and ${column} in (select id from matching)`;
  return connection.rows(
    `with matching as materialized (
       select id, name, starts_with(lower(name), lower(${text})) as begins from names
       where kind = ${NAME_KINDS[column]} and contains(lower(name), lower(${text})))
     select name, entries from (
       select ${column} as id, count(*) as entries from entries
       where ${conditions.toString()} ${isMatching} group by 1) as sums
     join matching using (id) order by begins desc, entries desc, name limit ${most}`,
    [...parameters, keyword, limit],
  );
}

export async function askTimes(asked: Asked, { filter, limit }: TimesQuestion): Promise<readonly ModelTimes[]> {
  const conditions = await conditionsOf(asked, filter);
  const { parameters } = conditions;
  const rows = await asked.connection.rows(
    `select ${nameOf("model_name")}, requests, first_byte, duration from (
       select model_name, count(*) as requests,
         quantile_disc(first_byte_ms, 0.5) filter (first_byte_ms > 0) as first_byte,
         quantile_disc(elapsed_time, 0.5) as duration
       from (select * from entries where ${conditions.toString()} order by id desc limit $${parameters.length + 1})
       group by 1) as sums`,
    [...parameters, limit],
  );
  return rows.map(([model, requests, firstByteMs, durationMs]) => ({
    model: String(model),
    requests: Number(requests),
    firstByteMs: firstByteMs === null || firstByteMs === undefined ? null : Number(firstByteMs),
    durationMs: Number(durationMs),
  }));
}

export async function askUsers(
  { connection, names }: Asked,
  { channelIds, userIds, models, since }: UsersQuestion,
): Promise<number> {
  const conditions = new Conditions(connection, names);
  conditions.add("created_at >= ?", since);
  if (channelIds !== undefined) conditions.addAmong(["channel_id"], [channelIds]);
  if (userIds !== undefined) conditions.addAmong(["user_id"], [userIds]);
  const { parameters } = conditions;
  const [row] = await connection.rows(
    `select count(distinct user_id) from entries where outcome < 6 and ${conditions.toString()} and model_name in (
       select id from names where kind = ${NAME_KINDS.model_name}
         and name in (select unnest($${parameters.length + 1}::varchar[])))`,
    [...parameters, models],
  );
  return Number(row?.[0] ?? 0);
}

/** The text of a column that has a number in the subquery `sums`. */
export function nameOf(kind: NameKind): string {
  return `coalesce((select name from names where kind = ${NAME_KINDS[kind]} and names.id = sums.${kind}), '')`;
}

function equalLength(edges: readonly number[]): number | undefined {
  const length = (edges[1] ?? 0) - (edges[0] ?? 0);
  return edges.every((edge, index) => index === 0 || edge - (edges[index - 1] ?? 0) === length) ? length : undefined;
}
