import { NO_STEP, percentileOf } from "../latency-steps.ts";
import { SLOT_SECONDS, type Times, type UsageQuestion } from "../questions.ts";
import type { Row } from "../replica/duck.ts";
import { keyText } from "../usage-key.ts";
import { Conditions } from "./conditions.ts";
import { intervalOf, type KeySums, type Plan, startOfInterval } from "./usage-source.ts";

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
export async function readTimes(plan: Plan, rows: readonly KeySums[]): Promise<TimesOfUsage> {
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
