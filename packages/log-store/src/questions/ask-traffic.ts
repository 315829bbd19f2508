import { UNKNOWN_FACTS } from "@one-api/contract/logs/alias-facts";
import { LOG_TYPE } from "@one-api/contract/logs/log";
import { NO_STEP, percentileOf } from "../latency-steps.ts";
import type { ReplayQuestion, ReplayRow, TrafficQuestion, TrafficRow } from "../questions.ts";
import type { Row } from "../replica/duck.ts";
import { COUNTS, SUMS_OF_COUNTS } from "../replica/sum-expressions.ts";
import { SUM_COLUMNS, NO_SUMS, SUM_NAMES } from "../usage-sums.ts";
import { type Asked, nameOf } from "./ask-log.ts";

const PLACES = "(select unnest($1::bigint[]) as user_id, unnest($2::bigint[]) as place)";

/** Returns the usage by group of users, model and channel. Two scans of the entries. */
export async function askTraffic(asked: Asked, question: TrafficQuestion): Promise<readonly TrafficRow[]> {
  const placed = `(select entries.*, coalesce(places.place, -1) as place from entries
    left join ${PLACES} as places using (user_id) where created_at >= $3 and created_at < $4)`;
  const rows = await count(asked, { placed, keys: [], sums: [], parameters: placesOf(question) });
  return rows.map(({ traffic }) => traffic);
}

const REPLAY_KEYS = ["first_model", "prompt_class", "needs", "is_late"] as const;
const REPLAY_SUMS = ["estimated", "broken", "failed_ms"] as const;

/** Returns the usage that decides a replay of an alias. Two scans of the entries. */
export async function askReplay(asked: Asked, question: ReplayQuestion): Promise<readonly ReplayRow[]> {
  const { connection, names } = asked;
  const { alias, models, promptEdges, deadlines } = question;
  const aliasNumber = await names.find(connection, "alias", alias);
  if (aliasNumber === undefined) return [];
  const numbersOf = async (kind: "model_name" | "first_model", of: readonly string[]) =>
    Promise.all(of.map(async (name) => (await names.find(connection, kind, name)) ?? -1));
  const placed = `(select entries.*, coalesce(places.place, -1) as place,
      coalesce(first_byte_ms > deadlines.ms, false)::integer as is_late,
      case when alias_facts < 0 then -1 else len(list_filter($5::bigint[], lambda edge: edge <= alias_facts // 4)) end as prompt_class,
      case when alias_facts < 0 then 0 else alias_facts % 4 end as needs
    from entries left join ${PLACES} as places using (user_id)
    left join (select unnest($6::bigint[]) as model_name, unnest($7::bigint[]) as ms) as deadlines using (model_name)
    where created_at >= $3 and created_at < $4
      and ((alias = $8 and $8 <> 0) or ($8 = 0 and (list_contains($9::bigint[], model_name) or list_contains($10::bigint[], first_model)))))`;
  const rows = await count(asked, {
    placed,
    keys: REPLAY_KEYS,
    sums: [
      "sum(case when alias_facts < 0 then 0 else alias_facts // 4 end)::bigint as estimated",
      "(count(*) filter (first_byte_ms > 0 and outcome in (2, 5)))::bigint as broken",
      "coalesce(sum(elapsed_time) filter (first_byte_ms = 0 and outcome in (2, 5)), 0)::bigint as failed_ms",
    ],
    sumNames: REPLAY_SUMS,
    parameters: [
      ...placesOf(question),
      promptEdges,
      await numbersOf("model_name", Object.keys(deadlines)),
      Object.values(deadlines),
      aliasNumber,
      await numbersOf("model_name", models),
      await numbersOf("first_model", models),
    ],
  });
  return rows.map(({ traffic, keys, sums }): ReplayRow => {
    const [firstModel, promptClass, needs] = [String(keys[0]), Number(keys[1]), Number(keys[2])];
    const facts = { promptClass, hasTools: (needs & 1) !== 0, hasImages: (needs & 2) !== 0 };
    const [estimatedTokens = 0, broken = 0, failedMs = 0] = sums.map(Number);
    return {
      ...traffic,
      firstModel,
      facts: promptClass === UNKNOWN_FACTS ? null : facts,
      isLate: Number(keys[3]) === 1,
      estimatedTokens,
      broken,
      failedMs,
    };
  });
}

function placesOf({ groups, start, end }: Pick<TrafficQuestion, "groups" | "start" | "end">) {
  return [groups.flat(), groups.flatMap((users, place) => users.map(() => place)), start, end];
}

interface Counted {
  readonly traffic: TrafficRow;
  readonly keys: Row;
  readonly sums: Row;
}

interface CountBy {
  /** Entries with their `place`, as SQL. */
  readonly placed: string;
  /** Further columns to count by. */
  readonly keys: readonly string[];
  readonly sums: readonly string[];
  readonly sumNames?: readonly string[];
  readonly parameters: Parameters<Asked["connection"]["rows"]>[1];
}

async function count(
  { connection }: Asked,
  { placed, keys, sums, sumNames = [], parameters }: CountBy,
): Promise<readonly Counted[]> {
  const all = ["place", "model_name", "channel_id", ...keys];
  const shown = all.map((key) => (key === "model_name" || key === "first_model" ? nameOf(key) : key)).join(", ");
  const counts = [COUNTS, ...sums].join(", ");
  const further = sumNames.map((name) => `sum(${name})::bigint as ${name}`);
  const counted = await connection.rows(
    `select ${[shown, ...SUM_COLUMNS, ...sumNames].join(", ")} from (
       select ${[...all, SUMS_OF_COUNTS, ...further].join(", ")} from (
         select ${all.join(", ")}, outcome, ${counts} from ${placed} as placed where outcome < 7 group by all)
       group by all) as sums`,
    parameters,
  );
  const steps = await connection.rows(
    `select ${shown}, first_step, n from (
       select ${all.join(", ")}, first_step, count(*) as n from ${placed} as placed
       where type = ${LOG_TYPE.consumption} and first_step < ${NO_STEP} group by all) as sums`,
    parameters,
  );
  const keyOf = (row: Row) => JSON.stringify(row.slice(0, all.length).map(String));
  const stepsOf = Map.groupBy(steps, keyOf);
  return counted.map((row): Counted => {
    const of = stepsOf.get(keyOf(row)) ?? [];
    const times = new Map(of.map((line) => [Number(line[all.length]), Number(line[all.length + 1])]));
    const usage = { ...NO_SUMS };
    for (const [index, name] of SUM_NAMES.entries()) usage[name] = Number(row[all.length + index] ?? 0);
    return {
      traffic: {
        group: Number(row[0]),
        model: String(row[1]),
        channelId: Number(row[2]),
        sums: usage,
        firstByteMs: percentileOf(0.5, times),
      },
      keys: row.slice(3, all.length),
      sums: row.slice(all.length + SUM_NAMES.length),
    };
  });
}
