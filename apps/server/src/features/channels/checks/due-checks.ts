import { CHANNEL_STATUS, CHECK_AS_SET } from "@one-api/contract/channels/channel-constants";
import { readHint } from "../channel.present.ts";
import type { CheckedRow } from "./check.repository.ts";

export interface CheckSchedule {
  readonly testMinutes: number;
  readonly balanceMinutes: number;
  readonly modelsMinutes: number;
  readonly probes: boolean;
}

export type ChannelCheck = "probe" | "test" | "balance" | "models";

/**
 * Pauses before the probes of a disabled channel, in seconds; the last one repeats. Ten minutes of failures cost two
 * probes.
 */
const PROBE_PAUSES = [60, 180, 540, 1_620, 3_600] as const;

/** Returns the pause after so many failed probes, in seconds. */
export function pauseAfter(failedProbes: number): number {
  return PROBE_PAUSES[Math.min(failedProbes, PROBE_PAUSES.length - 1)] ?? 0;
}

/** Returns the checks of a channel that are due at `now` (Unix seconds). */
export function dueChecks(row: CheckedRow, schedule: CheckSchedule, now: number): ChannelCheck[] {
  // A used-up plan would fail the test, which would disable the channel.
  const isPaused = row.paused_until > now;
  if (row.status === CHANNEL_STATUS.autoDisabled)
    return schedule.probes && !isPaused && isProbeDue(row, now) ? ["probe"] : [];
  const isDue = (lastAt: number, own: number, asSet: number) => {
    const minutes = own === CHECK_AS_SET ? asSet : own;
    return minutes > 0 && lastAt + minutes * 60 <= now;
  };
  return [
    ...(!isPaused && isDue(row.test_check_time, row.test_minutes, schedule.testMinutes) ? ["test" as const] : []),
    ...(isDue(row.balance_check_time, row.balance_minutes, schedule.balanceMinutes) ? ["balance" as const] : []),
    ...(isDue(row.models_check_time, row.models_minutes, schedule.modelsMinutes) ? ["models" as const] : []),
  ];
}

/** A channel at its spending limit waits for a higher limit, not for its provider. */
function isProbeDue({ status_hint, probe_time }: CheckedRow, now: number): boolean {
  const hint = readHint(status_hint);
  if (hint?.code === "spending-limit") return false;
  return (probe_time === 0 ? (hint?.at ?? 0) + pauseAfter(0) : probe_time) <= now;
}
