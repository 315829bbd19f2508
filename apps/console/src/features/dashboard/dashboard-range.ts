import { MAX_DASHBOARD_PARTS } from "@one-api/contract/usage/dashboard";
import { formatDate } from "../../lib/format.ts";
import {
  floorToStep,
  lastSteps,
  moveBySteps,
  unixSecondsOf,
  type Step,
  stepsBetween,
} from "../../lib/calendar-steps.ts";
import type { DashboardRange, DashboardSearch, DashboardStep } from "./dashboard-search.ts";

const HALF_DAY_SECONDS = 43_200;
const DAY_SECONDS = 86_400;

/** Longest custom range for each step. */
const STEPS: readonly (readonly [days: number, step: Step])[] = [
  [3, "hour"],
  [14, "quarter"],
  [95, "day"],
  [690, "week"],
  [Number.POSITIVE_INFINITY, "month"],
];

const EDGES_OF_RANGE: Readonly<Record<DashboardRange, (now: Date) => number[]>> = {
  today: (now) => stepsBetween(floorToStep(now, "day"), moveBySteps(floorToStep(now, "hour"), "hour", 1), "hour"),
  day: (now) => lastSteps(now, "hour", 24),
  week: (now) => lastSteps(now, "quarter", 28),
  month: (now) => lastSteps(now, "day", 30),
  "this-month": (now) => stepsBetween(floorToStep(now, "month"), moveBySteps(floorToStep(now, "day"), "day", 1), "day"),
  year: (now) => lastSteps(now, "month", 12),
};

export const FIRST_RANGE: DashboardRange = "week";

/** Edges of the intervals of a relative range. */
function ownEdgesOf({ range, start, end }: DashboardSearch, now: Date): number[] {
  if (start === undefined || end === undefined) return EDGES_OF_RANGE[range ?? FIRST_RANGE](now);
  const days = (end - start) / DAY_SECONDS;
  const step = STEPS.find(([most]) => days <= most)?.[1] ?? "month";
  return stepsBetween(floorToStep(new Date(start * 1_000), step), new Date(end * 1_000), step);
}

function startOf(moment: Date, step: DashboardStep): Date {
  if (step !== "week") return floorToStep(moment, step);
  const day = floorToStep(moment, "day");
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() - ((day.getDay() + 6) % 7));
}

/** The time that the edges bound (Unix seconds) in other steps, the first and the last cut by it; undefined where these are too many. */
export function edgesInSteps(own: readonly number[], step: DashboardStep): number[] | undefined {
  const [first = 0, end = 0] = [own[0], own.at(-1)];
  const edges = [first];
  for (
    let at = moveBySteps(startOf(new Date(first * 1_000), step), step, 1);
    unixSecondsOf(at) < end;
    at = moveBySteps(at, step, 1)
  ) {
    if (edges.length === MAX_DASHBOARD_PARTS) return undefined;
    edges.push(unixSecondsOf(at));
  }
  return [...edges, end];
}

/** Edges of the intervals of the address's time, in Unix seconds by the viewer's calendar. */
export function edgesOf(search: DashboardSearch, now: Date): number[] {
  const own = ownEdgesOf(search, now);
  return (search.step && edgesInSteps(own, search.step)) ?? own;
}

/** Distance to the previous period of a range, by the calendar. */
const PERIODS: Readonly<Record<DashboardRange, { readonly days: number } | { readonly months: number }>> = {
  today: { days: 1 },
  day: { days: 1 },
  week: { days: 7 },
  month: { days: 30 },
  "this-month": { months: 1 },
  year: { months: 12 },
};

/** As long before, at the same time of day; of a month that is shorter, its last day. */
function back(from: Date, period: { readonly days: number } | { readonly months: number }): Date {
  const earlier = new Date(from);
  if ("days" in period) {
    earlier.setDate(from.getDate() - period.days);
    return earlier;
  }
  const [year, month] = [from.getFullYear(), from.getMonth() - period.months];
  const daysOfMonth = new Date(year, month + 1, 0).getDate();
  earlier.setFullYear(year, month, Math.min(from.getDate(), daysOfMonth));
  return earlier;
}

/**
 * Previous period of the same length, in Unix seconds by the viewer's calendar; for a running period, as much as has
 * passed of it.
 */
export function timeBefore(search: DashboardSearch, now: Date): [start: number, end: number] {
  const edges = edgesOf(search, now);
  const first = new Date((edges[0] ?? 0) * 1_000);
  const end = new Date(Math.max(first.getTime() + 1_000, Math.min((edges.at(-1) ?? 0) * 1_000, now.getTime())));
  const length = Math.max(1, Math.round(((edges.at(-1) ?? 0) - (edges[0] ?? 0)) / DAY_SECONDS));
  const period = search.start === undefined ? PERIODS[search.range ?? FIRST_RANGE] : { days: length };
  return [unixSecondsOf(back(first, period)), unixSecondsOf(back(end, period))];
}

/**
 * Edges of the previous period's intervals, in Unix seconds: as many days before as the period has. A shorter one, such
 * as February, has fewer.
 */
export function edgesBefore(search: DashboardSearch, now: Date): number[] {
  const edges = edgesOf(search, now);
  const first = edges[0] ?? 0;
  const [start] = timeBefore(search, now);
  const isByMonths = search.start === undefined && (search.range ?? FIRST_RANGE) === "year";
  const period = isByMonths ? PERIODS.year : { days: Math.round((first - start) / DAY_SECONDS) };
  const earlier = edges.map((edge) => unixSecondsOf(back(new Date(edge * 1_000), period)));
  return earlier.filter((edge) => edge <= first);
}

/** First and last day of a custom range, as YYYY-MM-DD; today by default. */
export function ownDays({ start, end }: Pick<DashboardSearch, "start" | "end">): { first: string; last: string } {
  const now = Date.now() / 1_000;
  return {
    first: formatDate(start ?? now),
    last: formatDate(end === undefined ? now : Math.max(start ?? 0, end - HALF_DAY_SECONDS)),
  };
}
