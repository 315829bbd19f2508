import type { HoursOfWeek } from "@one-api/contract/usage/dashboard";
import type { UsageFilter } from "@one-api/log-store/questions";
import type { CallContext } from "../../core/call-context.ts";
import { askLog } from "../logs/index.ts";

interface HoursQuery {
  readonly start: number;
  readonly end: number;
  readonly utc_offset: number;
}

/** Times to the first byte by hour of the week, Monday first, in the viewer's zone. */
export async function listHoursOfWeek(
  context: Pick<CallContext, "logStore" | "signal">,
  filter: UsageFilter,
  { start, end, utc_offset: offsetMinutes }: HoursQuery,
): Promise<HoursOfWeek> {
  const { answer } = await askLog(context, { kind: "hours", filter, start, end, zoneSeconds: offsetMinutes * 60 });
  return answer.map(({ hour, streams, p50, p95 }) => ({
    hour,
    streams,
    first_byte_p50_ms: p50,
    first_byte_p95_ms: p95,
  }));
}
