import { LOG_TYPE } from "@one-api/contract/logs/log";
import { NO_STEP, percentileOf } from "../latency-steps.ts";
import type { HourOfWeek, HoursQuestion } from "../questions.ts";
import type { Asked } from "./ask-log.ts";
import { Conditions } from "./conditions.ts";

const HOUR_SECONDS = 3_600;
const WEEK_HOURS = 168;
/** The epoch was on a Thursday: hours from Monday until then. */
const EPOCH_HOUR = 72;

/** Returns the hours of the week that had streams, in their order. One scan of the entries. */
export async function askHours(
  { connection, names }: Asked,
  { filter, start, end, zoneSeconds }: HoursQuestion,
): Promise<readonly HourOfWeek[]> {
  const conditions = new Conditions(connection, names);
  await conditions.addUsageFilter(filter);
  conditions.add("created_at >= ?", start);
  conditions.add("created_at < ?", end);
  const { parameters } = conditions;
  const rows = await connection.rows(
    `select ((created_at + $${parameters.length + 1}::bigint) // ${HOUR_SECONDS} + ${EPOCH_HOUR}) % ${WEEK_HOURS}, first_step, count(*)
     from entries where type = ${LOG_TYPE.consumption} and first_step < ${NO_STEP} and ${conditions.toString()} group by 1, 2`,
    [...parameters, zoneSeconds],
  );
  const hours = Map.groupBy(rows, ([hour]) => Number(hour));
  return [...hours]
    .toSorted(([left], [right]) => left - right)
    .map(([hour, ofHour]) => {
      const counts = new Map(ofHour.map(([, step, count]) => [Number(step), Number(count)]));
      const streams = [...counts.values()].reduce((sum, count) => sum + count, 0);
      return { hour, streams, p50: percentileOf(0.5, counts) ?? 0, p95: percentileOf(0.95, counts) ?? 0 };
    });
}
