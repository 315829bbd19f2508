import { MAX_DASHBOARD_PARTS } from "@one-api/contract/usage/dashboard";

export type Step = "hour" | "quarter" | "day" | "week" | "month";

const HOUR_SECONDS = 3_600;

/** The start of the step that the moment is in, in the viewer's zone. */
export function floorToStep(moment: Date, step: Step): Date {
  const [year, month, day, hour] = [moment.getFullYear(), moment.getMonth(), moment.getDate(), moment.getHours()];
  if (step === "month") return new Date(year, month, 1);
  if (step === "hour") return new Date(year, month, day, hour);
  return new Date(year, month, day, step === "quarter" ? hour - (hour % 6) : 0);
}

/** Moves by steps of the calendar: days may have 23 or 25 hours. */
export function moveBySteps(from: Date, step: Step, count: number): Date {
  const [year, month, day, hour] = [from.getFullYear(), from.getMonth(), from.getDate(), from.getHours()];
  if (step === "hour") return new Date(from.getTime() + count * HOUR_SECONDS * 1_000);
  if (step === "month") return new Date(year, month + count, 1);
  if (step === "quarter") return new Date(year, month, day, hour + 6 * count);
  return new Date(year, month, day + (step === "week" ? 7 : 1) * count);
}

/** Unix seconds of a moment. */
export const unixSecondsOf = (moment: Date) => Math.floor(moment.getTime() / 1_000);

/** Edges from the first moment to the first step that reaches the end, in Unix seconds. */
export function stepsBetween(from: Date, end: Date, step: Step): number[] {
  const edges = [unixSecondsOf(from)];
  for (let at = moveBySteps(from, step, 1); edges.length <= MAX_DASHBOARD_PARTS; at = moveBySteps(at, step, 1)) {
    edges.push(unixSecondsOf(at));
    if (at >= end) break;
  }
  return edges;
}

/** Edges of the last steps of the calendar, the running one included, in Unix seconds. */
export function lastSteps(now: Date, step: Step, count: number): number[] {
  const end = moveBySteps(floorToStep(now, step), step, 1);
  return stepsBetween(moveBySteps(end, step, -count), end, step);
}
