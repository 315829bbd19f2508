import { LOG_TYPE } from "@one-api/contract/logs/log";
import { NO_STEP, percentileOf } from "../latency-steps.ts";
import type { TrafficQuestion, TrafficRow } from "../questions.ts";
import type { Row } from "../replica/duck.ts";
import { COUNTS, SUMS_OF_COUNTS } from "../replica/sum-expressions.ts";
import { SUM_COLUMNS, NO_SUMS, SUM_NAMES } from "../usage-sums.ts";
import { type Asked, nameOf } from "./ask-log.ts";

const KEYS = ["place", "model_name", "channel_id"] as const;

/** Returns the usage by group of users, model and channel. Two scans of the entries. */
export async function askTraffic(asked: Asked, question: TrafficQuestion): Promise<readonly TrafficRow[]> {
  const { groups, start, end } = question;
  const { connection } = asked;
  const alias = await findAlias(asked, question);
  if (alias === undefined) return [];
  const parameters = [groups.flat(), groups.flatMap((users, place) => users.map(() => place)), start, end, alias];
  const placed = `(select entries.*, coalesce(places.place, -1) as place from entries
    left join (select unnest($1::bigint[]) as user_id, unnest($2::bigint[]) as place) as places using (user_id)
    where created_at >= $3 and created_at < $4 and ($5 = ${ANY_ALIAS} or alias = $5))`;
  const counted = await connection.rows(
    `select place, ${nameOf("model_name")}, channel_id, ${SUM_COLUMNS.join(", ")} from (
       select ${KEYS.join(", ")}, ${SUMS_OF_COUNTS} from (
         select ${KEYS.join(", ")}, outcome, ${COUNTS} from ${placed} as placed where outcome < 7 group by all)
       group by all) as sums`,
    parameters,
  );
  const steps = await connection.rows(
    `select place, ${nameOf("model_name")}, channel_id, first_step, n from (
       select ${KEYS.join(", ")}, first_step, count(*) as n from ${placed} as placed
       where type = ${LOG_TYPE.consumption} and first_step < ${NO_STEP} group by all) as sums`,
    parameters,
  );
  const stepsOf = Map.groupBy(steps, keyOf);
  return counted.map((row): TrafficRow => {
    const counts = new Map(stepsOf.get(keyOf(row))?.map(([, , , step, n]) => [Number(step), Number(n)]) ?? []);
    const sums = { ...NO_SUMS };
    for (const [index, name] of SUM_NAMES.entries()) sums[name] = Number(row[KEYS.length + index] ?? 0);
    return {
      group: Number(row[0]),
      model: String(row[1]),
      channelId: Number(row[2]),
      sums,
      firstByteMs: percentileOf(0.5, counts),
    };
  });
}

/** Number of no name. */
const ANY_ALIAS = -1;

/** Returns the number of the alias; undefined for one that no entry has. */
async function findAlias({ connection, names }: Asked, { alias }: TrafficQuestion): Promise<number | undefined> {
  return alias === undefined ? ANY_ALIAS : names.find(connection, "alias", alias);
}

function keyOf([place, model, channelId]: Row): string {
  return JSON.stringify([Number(place), model, Number(channelId)]);
}
