import {
  SLOT_SECONDS,
  type Sums,
  type Times,
  type Usage,
  type UsageAnswer,
  type UsageKey,
  type UsageKeyKind,
  type UsageOrder,
  type UsageQuestion,
  type UsageRow,
} from "../questions.ts";
import type { Row } from "../replica/duck.ts";
import { NAME_KINDS, type NameKind } from "../replica/names.ts";
import { SUM_COLUMNS, addSums, NO_SUMS, subtractSums, SUM_NAMES } from "../usage-sums.ts";
import { keyText } from "../usage-key.ts";
import { type Asked, nameOf } from "./ask-log.ts";
import { isNameKind } from "./conditions.ts";
import { intervalOf, KEY_COLUMNS, type KeySums, type Plan, sourceOf } from "./usage-source.ts";
import { readTimes } from "./usage-times.ts";

/** Null comes last. */
const ORDERS: Readonly<Record<UsageOrder, string>> = {
  spend: "quota",
  requests: "requests",
  tokens: "prompt_tokens + completion_tokens",
  errors: "errors / nullif(requests, 0)",
  margin:
    "case when unknown_quota > 0 and unknown_quota = quota and cost = 0 then null else quota - unknown_quota - cost end",
  cache: "cached_tokens / nullif(prompt_tokens, 0)",
  // The mean of the steps is the geometric mean of the times.
  first_byte: "first_byte",
};

/** Returns usage in intervals, and by one column. */
export async function askUsage(asked: Asked, question: UsageQuestion): Promise<UsageAnswer> {
  const slots = question.edges.map((edge) => Math.floor(edge / SLOT_SECONDS));
  const plan: Plan = {
    asked,
    question,
    slots,
    source: await sourceOf(asked, question, slots),
    keys: KEY_COLUMNS[question.by],
  };
  const { rows, rest, restCount } = question.rows === 0 ? NO_ROWS : await readRows(plan);
  const total = await readIntervals(plan);
  const times = question.times === "none" ? undefined : await readTimes(plan, rows);
  const splits = await readSplits(plan, rows.slice(0, question.split));
  const answered = rows.map(({ key, sums }, index): UsageRow => {
    const ofKey = times?.rows.get(keyText(key));
    const split = splits.get(keyText(key));
    return {
      key,
      usage: { ...sums, ...(ofKey === undefined ? {} : { times: ofKey }) },
      ...(index < question.split ? { intervals: split ?? total.map(() => NO_SUMS) } : {}),
    };
  });
  return {
    intervals: total.map((sums, index) => withTimes(sums, times?.intervals[index])),
    total: withTimes(total.reduce(addSums, NO_SUMS), times?.total),
    rows: answered,
    rest: restCount === 0 ? undefined : { count: restCount, usage: withTimes(rest, times?.rest) },
  };
}

function withTimes(sums: Sums, times: Times | undefined): Usage {
  return times === undefined ? sums : { ...sums, times };
}

interface FoundRows {
  readonly rows: readonly KeySums[];
  readonly rest: Sums;
  readonly restCount: number;
}

const NO_ROWS: FoundRows = { rows: [], rest: NO_SUMS, restCount: 0 };

async function readRows(plan: Plan): Promise<FoundRows> {
  const { asked, question, source, keys } = plan;
  const order = ORDERS[question.order];
  const list = keys.join(", ");
  const sumList = SUM_COLUMNS.join(", ");
  const found = await asked.connection.rows(
    `with counted as materialized (select * from ${source.groupedBy(keys)})
     select * from (
       select 1 as is_row, ${keys.map(textOfKey).join(", ")}, ${sumList}, 1 as keys, ${list} from counted as sums
       order by ${order} desc nulls last, ${list} limit $${source.parameters.length + 1})
     union all select 0, ${keys.map(() => "null").join(", ")},
       ${SUM_COLUMNS.map((name) => `coalesce(sum(${name}), 0)`).join(", ")}, count(*), ${keys.map(() => "null").join(", ")}
     from counted`,
    [...source.parameters, question.rows],
  );
  const width = keys.length;
  const rows = found
    .filter(([isRow]) => isRow === 1)
    .map((row) => ({
      key: keyOf(question.by, row.slice(1, 1 + width)),
      numbers: row.slice(-width).map(Number),
      sums: readSums(row, 1 + width),
    }));
  const all = found.find(([isRow]) => isRow === 0);
  const restCount = Number(all?.at(-1 - width) ?? 0) - rows.length;
  const whole = all === undefined ? NO_SUMS : readSums(all, 1 + width);
  return { rows, rest: rows.reduce((left, { sums }) => subtractSums(left, sums), whole), restCount };
}

async function readIntervals(plan: Plan): Promise<Sums[]> {
  const { asked, question, slots } = plan;
  const source = question.only === undefined ? plan.source : await sourceOf(asked, question, slots, "only");
  const rows = await asked.connection.rows(
    `select slot, ${SUM_COLUMNS.join(", ")} from ${source.groupedBy(["slot"])}`,
    source.parameters,
  );
  const intervals = slots.slice(1).map(() => NO_SUMS);
  for (const row of rows) addTo(intervals, intervalOf(slots, Number(row[0])), readSums(row, 1));
  return intervals;
}

/** Sums of each interval by key, of some rows. */
async function readSplits(plan: Plan, rows: readonly KeySums[]): Promise<Map<string, Sums[]>> {
  const { asked, question, slots, keys } = plan;
  const splits = new Map(rows.map(({ key }) => [keyText(key), slots.slice(1).map(() => NO_SUMS)]));
  if (rows.length === 0) return splits;
  const source = await sourceOf(asked, question, slots, rows);
  const found = await asked.connection.rows(
    `select slot, ${keys.map(textOfKey).join(", ")}, ${SUM_COLUMNS.join(", ")}
     from ${source.groupedBy(["slot", ...keys])}`,
    source.parameters,
  );
  for (const row of found) {
    const key = keyOf(question.by, row.slice(1, 1 + keys.length));
    const intervals = splits.get(keyText(key));
    if (intervals !== undefined) addTo(intervals, intervalOf(slots, Number(row[0])), readSums(row, 1 + keys.length));
  }
  return splits;
}

function readSums(row: Row, from: number): Sums {
  const sums = { ...NO_SUMS };
  for (const [index, name] of SUM_NAMES.entries()) sums[name] = Number(row[from + index] ?? 0);
  return sums;
}

function addTo(intervals: Sums[], index: number, sums: Sums): void {
  const interval = intervals[index];
  if (interval !== undefined) intervals[index] = addSums(interval, sums);
}

function textOfKey(column: string): string {
  return isNameColumn(column) ? nameOf(column) : column;
}

function isNameColumn(column: string): column is NameKind {
  return column in NAME_KINDS;
}

function keyOf(by: UsageKeyKind, values: Row): UsageKey {
  if (isNameKind(by)) return String(values[0]);
  if (by === "token") return { userId: Number(values[0]), tokenName: String(values[1]) };
  return Number(values[0]);
}
