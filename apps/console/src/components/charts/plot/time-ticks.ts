import { formatTimeLabel } from "../../../lib/format-time-label.ts";

export interface TimeTick {
  readonly at: number;
  readonly text: string;
}

const DAY_SECONDS = 86_400;

/** Longest time that is labelled in such units. */
const UNITS = [
  { days: 2, unit: "hour" },
  { days: 15, unit: "weekday" },
  { days: 100, unit: "day" },
  { days: Number.POSITIVE_INFINITY, unit: "month" },
] as const;

type LabelUnit = (typeof UNITS)[number]["unit"];

function startsUnit(time: number, unit: LabelUnit): boolean {
  const date = new Date(time * 1_000);
  if (unit === "hour") return date.getMinutes() === 0;
  return date.getHours() === 0 && date.getMinutes() === 0 && (unit !== "month" || date.getDate() === 1);
}

/** Returns the labels of a time axis: full hours, days or months, as many as fit. Edges are in Unix seconds. */
export function timeTicks(edges: readonly number[], most: number, language: string): readonly TimeTick[] {
  const [first = 0, last = 0] = [edges[0], edges.at(-1)];
  const days = (last - first) / DAY_SECONDS;
  const unit = UNITS.find((each) => days <= each.days)?.unit ?? "month";
  const starts = edges.slice(0, -1).map((time, index) => ({ time, index }));
  const marked = starts.filter(({ time }) => startsUnit(time, unit));
  const found = marked.length < 2 ? starts : marked;
  // An interval that is the unit itself has its label under it, others where the unit begins.
  const isWhole = found.length === starts.length && unit !== "hour";
  const every = Math.max(1, Math.ceil(found.length / Math.max(1, most)));
  return found
    .filter((_, place) => place % every === 0)
    .map(({ time, index }) => ({ at: index - (isWhole ? 0 : 0.5), text: formatTimeLabel(time, unit, language) }));
}
