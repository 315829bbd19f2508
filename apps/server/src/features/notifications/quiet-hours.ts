import type { QuietHours } from "@one-api/contract/notifications/receiver";

const MINUTES_OF_DAY = 1_440;

/** Returns when the quiet hours around `now` end, in Unix seconds; undefined outside of them. */
export function quietUntil(quietHours: QuietHours | undefined, now: number): number | undefined {
  if (quietHours === undefined) return undefined;
  const [start, end] = [readMinute(quietHours.start), readMinute(quietHours.end)];
  const minute = minuteOfDay(now, quietHours.time_zone);
  const isQuiet = start < end ? minute >= start && minute < end : minute >= start || minute < end;
  if (!isQuiet) return undefined;
  const until = now - (now % 60) + minutesFrom(minute, end) * 60;
  // The clocks may change before the end.
  const early = minutesFrom(minuteOfDay(until, quietHours.time_zone), end);
  return until + (early > MINUTES_OF_DAY / 2 ? early - MINUTES_OF_DAY : early) * 60;
}

function minutesFrom(minute: number, later: number): number {
  return (later - minute + MINUTES_OF_DAY) % MINUTES_OF_DAY;
}

function minuteOfDay(at: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  return readMinute(format.format(at * 1000));
}

function readMinute(time: string): number {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  return hours * 60 + minutes;
}
