import { NO_STEP } from "../latency-steps.ts";
import { SLOT_SECONDS, type Sums, type UsageKey, type UsageKeyKind, type UsageQuestion } from "../questions.ts";
import { COUNTS, SUMS_OF_COUNTS, SUMS_OF_SUMS } from "../replica/sum-expressions.ts";
import type { Asked } from "./ask-log.ts";
import { Conditions } from "./conditions.ts";

const DAY_SLOTS = 86_400 / SLOT_SECONDS;

export const KEY_COLUMNS: Readonly<Record<UsageKeyKind, readonly string[]>> = {
  model: ["model_name"],
  channel: ["channel_id"],
  user: ["user_id"],
  token: ["user_id", "token_name"],
  alias: ["alias"],
  "first-model": ["first_model"],
};

export interface Plan {
  readonly asked: Asked;
  readonly question: UsageQuestion;
  readonly slots: readonly number[];
  readonly source: Source;
  readonly keys: readonly string[];
}

interface Source {
  /** Sums by these columns, as a subquery. `slot` is one of them for intervals. */
  readonly groupedBy: (columns: readonly string[]) => string;
  readonly parameters: Conditions["parameters"];
}

export interface KeySums {
  readonly key: UsageKey;
  readonly numbers: readonly number[];
  readonly sums: Sums;
}

/**
 * Source of the counts: the rollup if it has the columns, else entries; and usage of removed entries, by days. Optionally for one key or some rows.
 */
export async function sourceOf(
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
  const { userId, userIds, tokenName, channelId, alias } = filter;
  const isOfSomeUsers = userId !== 0 || userIds !== undefined;
  const isOfAliases = by === "alias" || by === "first-model" || alias !== "";
  const isOfChannels = by === "channel" || channelId !== 0;
  const isOfUsers = by === "user" || by === "token" || isOfSomeUsers || tokenName !== "";
  // The rollup knows models and slots alone.
  const isOfModels = restriction === "none" || by === "model";
  const isInRollup = (columns: readonly string[]) =>
    isOfModels &&
    !isOfAliases &&
    channelId === 0 &&
    !isOfSomeUsers &&
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
  // Which users a cleared entry's channel served is not stored, nor its alias.
  const canCountCleared = !(isOfChannels && isOfUsers) && !isOfAliases;
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
export function startOfInterval(slots: readonly number[], slot: string): string {
  const [first = 0, second = 0] = slots;
  const length = second - first;
  const isEven = slots.every((edge, index) => edge === first + index * length);
  return isEven && length > 1 ? `${first} + (${slot} - ${first}) // ${length} * ${length}` : slot;
}

/** The mean of the steps is that of the logarithms of the times. */
const STEPS = `sum(first_step) filter (first_step < ${NO_STEP}) as steps, count(*) filter (first_step < ${NO_STEP}) as timed`;
const NO_STEPS = "0 as steps, 0 as timed";

/** The interval that holds a slot; -1 for one before the first. */
export function intervalOf(slots: readonly number[], slot: number): number {
  return slots.findLastIndex((edge) => edge <= slot);
}
