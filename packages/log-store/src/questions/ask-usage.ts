import { NO_STEP, percentileOf } from "../latency-steps.ts";
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
import { COUNTS, SUM_COLUMNS, SUMS_OF_COUNTS, SUMS_OF_SUMS } from "../replica/usage-sums.ts";
import { keyText } from "../usage-key.ts";
import { addSums, NO_SUMS, subtractSums, SUM_NAMES } from "../usage-sums.ts";
import { type Asked, nameOf } from "./ask-log.ts";
import { Conditions } from "./conditions.ts";

const DAY_SLOTS = 86_400 / SLOT_SECONDS;

const KEY_COLUMNS: Readonly<Record<UsageKeyKind, readonly string[]>> = {
  model: ["model_name"],
  channel: ["channel_id"],
  user: ["user_id"],
  token: ["user_id", "token_name"],
};

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

interface Plan {
  readonly asked: Asked;
  readonly question: UsageQuestion;
  /** Slots where intervals begin, and where the last one ends. */
  readonly slots: readonly number[];
  readonly source: Source;
  readonly keys: readonly string[];
}

/** Source of usage: entries or the rollup, plus cleared usage. */
interface Source {
  /** Sums by these columns, as a subquery. `slot` is one of them for intervals. */
  readonly groupedBy: (columns: readonly string[]) => string;
  readonly parameters: Conditions["parameters"];
}

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

/**
 * Source of the counts: the rollup if it has the columns, else entries; and usage of removed entries, by days. May be restricted to the question's
 * key, or to some rows.
 */
async function sourceOf(
  { connection, names }: Asked,
  { filter, by, only, order }: UsageQuestion,
  slots: readonly number[],
  restriction: "none" | "only" | readonly KeySums[] = "none",
): Promise<Source> {
  const conditions = new Conditions(connection, names);
  await conditions.addUsageFilter(filter);
  if (restriction === "only" && only !== undefined) await conditions.addKey(by, only);
  if (typeof restriction === "object") {
    const columns = KEY_COLUMNS[by];
    conditions.addAmong(
      columns,
      columns.map((_, index) => restriction.map(({ numbers }) => numbers[index] ?? 0)),
    );
  }
  const matching = conditions.toString();
  const place = conditions.parameters.length;
  conditions.parameters.push(slots[0] ?? 0, slots.at(-1) ?? 0);
  const within = (time: string, unit = "") => `${time} >= $${place + 1}${unit} and ${time} < $${place + 2}${unit}`;
  const { userId, tokenName, channelId } = filter;
  const isOfChannels = by === "channel" || channelId !== 0;
  const isOfUsers = by === "user" || by === "token" || userId !== 0 || tokenName !== "";
  // The rollup knows models and slots alone.
  const isOfModels = restriction === "none" || by === "model";
  const isInRollup = (columns: readonly string[]) =>
    isOfModels &&
    channelId === 0 &&
    userId === 0 &&
    tokenName === "" &&
    columns.every((column) => column === "slot" || (column === "model_name" && order !== "first_byte"));
  const select = (columns: readonly string[], slot: string) =>
    columns.map((column) => (column === "slot" ? `${startOfInterval(slots, slot)} as slot` : column)).join(", ");
  const current = (columns: readonly string[]) =>
    isInRollup(columns)
      ? `select ${select(columns, "slot")}, ${SUMS_OF_COUNTS}, null as first_byte from half_hours
         where ${within("slot")} and ${matching} group by all`
      : `select ${columns.join(", ")}, ${SUMS_OF_COUNTS}, sum(steps) / nullif(sum(timed), 0) as first_byte from (
           select ${select(columns, `created_at // ${SLOT_SECONDS}`)}, outcome, ${COUNTS}, ${order === "first_byte" ? STEPS : NO_STEPS}
           from entries where ${within("created_at", ` * ${SLOT_SECONDS}`)} and outcome < 7 and ${matching} group by all)
         group by all`;
  // Which users a cleared entry's channel served is not stored.
  const canCountCleared = !(isOfChannels && isOfUsers);
  const cleared = (columns: readonly string[]) =>
    `union all select ${select(columns, `day * ${DAY_SLOTS}`)}, ${SUMS_OF_SUMS}, null from cleared
     where kind = ${isOfChannels ? 1 : 0} and ${within(`day * ${DAY_SLOTS}`)} and ${matching} group by all`;
  return {
    groupedBy: (columns) =>
      `(select ${columns.join(", ")}, ${SUMS_OF_SUMS}, max(first_byte) as first_byte from (
         ${current(columns)} ${canCountCleared ? cleared(columns) : ""}) as parts group by all) as sums`,
    parameters: conditions.parameters,
  };
}

/** The slot where an interval begins, as SQL; the slot itself where intervals differ in length. Fewer rows leave DuckDB. */
function startOfInterval(slots: readonly number[], slot: string): string {
  const [first = 0, second = 0] = slots;
  const length = second - first;
  const isEven = slots.every((edge, index) => edge === first + index * length);
  return isEven && length > 1 ? `${first} + (${slot} - ${first}) // ${length} * ${length}` : slot;
}

/** The mean of the steps is that of the logarithms of the times. */
const STEPS = `sum(first_step) filter (first_step < ${NO_STEP}) as steps, count(*) filter (first_step < ${NO_STEP}) as timed`;
const NO_STEPS = "0 as steps, 0 as timed";

interface KeySums {
  readonly key: UsageKey;
  readonly numbers: readonly number[];
  readonly sums: Sums;
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

interface TimesOfUsage {
  readonly total: Times;
  readonly rows: ReadonlyMap<string, Times>;
  readonly rest: Times;
  readonly intervals: readonly (Times | undefined)[];
}

const STEP_KINDS = ["first_step", "total_step"] as const;

/** Tokens per second need the total time alone. */
const SPEED_SUMS = {
  first_step: "0 as tokens, 0 as ms",
  total_step: "sum(completion_tokens) as tokens, sum(elapsed_time) as ms",
} as const;

/** Times of matching entries by key, and by interval if the question requests it. */
async function readTimes(plan: Plan, rows: readonly KeySums[]): Promise<TimesOfUsage> {
  const { question } = plan;
  const counts = rows.map(() => new TimeCounts());
  const [total, rest] = [new TimeCounts(), new TimeCounts()];
  const isTotalOfIntervals = question.only !== undefined || question.rows === 0;
  if (question.rows > 0)
    for (const kind of STEP_KINDS)
      for (const [shown, ...numbers] of await readStepsOfRows(plan, rows, kind)) {
        const of = shown === null || shown === undefined ? rest : counts[Number(shown)];
        of?.add(kind, numbers.map(Number));
        if (!isTotalOfIntervals) total.add(kind, numbers.map(Number));
      }
  const intervals = question.times === "rows" && !isTotalOfIntervals ? [] : await readIntervalTimes(plan);
  if (isTotalOfIntervals) for (const interval of intervals) total.addAll(interval);
  return { ...timesOf(rows, counts, rest), total: total.read(), intervals: shownIntervals(question, intervals) };
}

function timesOf(rows: readonly KeySums[], counts: readonly TimeCounts[], rest: TimeCounts) {
  const ofRows = new Map(
    rows.flatMap(({ key }, index) =>
      counts[index] === undefined ? [] : [[keyText(key), counts[index].read()] as const],
    ),
  );
  return { rows: ofRows, rest: rest.read() };
}

function shownIntervals({ times }: UsageQuestion, intervals: readonly TimeCounts[]): Times[] {
  return times === "rows" ? [] : intervals.map((counts) => counts.read());
}

/** Entries by row and step. The first column is the row's index, null for all other keys. */
async function readStepsOfRows(
  plan: Plan,
  rows: readonly KeySums[],
  step: (typeof STEP_KINDS)[number],
): Promise<Row[]> {
  const { asked, keys } = plan;
  const conditions = await conditionsOfTimes(plan);
  const matching = conditions.toString();
  const { parameters } = conditions;
  const lists = [rows.map((_, index) => index), ...keys.map((_, key) => rows.map(({ numbers }) => numbers[key] ?? 0))];
  const places = lists.map((list) => {
    parameters.push(list);
    return `unnest($${parameters.length}::bigint[])`;
  });
  return asked.connection.rows(
    `select place, ${step}, sum(n), sum(tokens), sum(ms) from (
       select ${keys.join(", ")}, ${step}, count(*) as n, ${SPEED_SUMS[step]}
       from entries where type = 2 and ${step} < ${NO_STEP} and ${matching} group by all) as counted
     left join (select ${["place", ...keys].map((name, index) => `${places[index]} as ${name}`).join(", ")}) as shown
       using (${keys.join(", ")})
     group by all`,
    parameters,
  );
}

async function conditionsOfTimes({ asked, question, slots }: Plan): Promise<Conditions> {
  const conditions = new Conditions(asked.connection, asked.names);
  await conditions.addUsageFilter(question.filter);
  conditions.add("created_at >= ?", (slots[0] ?? 0) * SLOT_SECONDS);
  conditions.add("created_at < ?", (slots.at(-1) ?? 0) * SLOT_SECONDS);
  return conditions;
}

async function readIntervalTimes(plan: Plan): Promise<TimeCounts[]> {
  const { asked, question, slots } = plan;
  const conditions = await conditionsOfTimes(plan);
  if (question.only !== undefined) await conditions.addKey(question.by, question.only);
  const intervals = slots.slice(1).map(() => new TimeCounts());
  for (const kind of STEP_KINDS)
    for (const [slot, ...numbers] of await asked.connection.rows(
      `select ${startOfInterval(slots, `created_at // ${SLOT_SECONDS}`)}, ${kind}, count(*), ${SPEED_SUMS[kind]}
       from entries where type = 2 and ${kind} < ${NO_STEP} and ${conditions.toString()} group by 1, 2`,
      conditions.parameters,
    ))
      intervals[intervalOf(slots, Number(slot))]?.add(kind, numbers.map(Number));
  return intervals;
}

/** Entries by their steps. */
class TimeCounts {
  readonly #steps = { first_step: new Map<number, number>(), total_step: new Map<number, number>() };
  #tokens = 0;
  #ms = 0;

  add(kind: "first_step" | "total_step", [step = 0, n = 0, tokens = 0, ms = 0]: readonly number[]): void {
    const counts = this.#steps[kind];
    counts.set(step, (counts.get(step) ?? 0) + n);
    if (kind === "first_step") return;
    this.#tokens += tokens;
    this.#ms += ms;
  }

  addAll(other: TimeCounts): void {
    for (const kind of ["first_step", "total_step"] as const)
      for (const [step, n] of other.#steps[kind]) this.add(kind, [step, n]);
    this.#tokens += other.#tokens;
    this.#ms += other.#ms;
  }

  read(): Times {
    const percentiles = (counts: ReadonlyMap<number, number>) => ({
      p50: percentileOf(0.5, counts),
      p95: percentileOf(0.95, counts),
      p99: percentileOf(0.99, counts),
    });
    return {
      firstByte: percentiles(this.#steps.first_step),
      total: percentiles(this.#steps.total_step),
      tokensPerSecond: this.#ms === 0 ? null : (this.#tokens * 1_000) / this.#ms,
    };
  }
}

/** Reads the sums of a row, which begin at an index in the order of SUM_COLUMNS. */
function readSums(row: Row, from: number): Sums {
  const sums = { ...NO_SUMS };
  for (const [index, name] of SUM_NAMES.entries()) sums[name] = Number(row[from + index] ?? 0);
  return sums;
}

function addTo(intervals: Sums[], index: number, sums: Sums): void {
  const interval = intervals[index];
  if (interval !== undefined) intervals[index] = addSums(interval, sums);
}

/** The interval that holds a slot; -1 for one before the first. */
function intervalOf(slots: readonly number[], slot: number): number {
  return slots.findLastIndex((edge) => edge <= slot);
}

/** A column of a key as the answer has it: names as texts. */
function textOfKey(column: string): string {
  return column === "model_name" || column === "token_name" ? nameOf(column) : column;
}

function keyOf(by: UsageKeyKind, values: Row): UsageKey {
  if (by === "model") return String(values[0]);
  if (by === "token") return { userId: Number(values[0]), tokenName: String(values[1]) };
  return Number(values[0]);
}
