const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 24 * HOUR_SECONDS;
const STEPS = [0.5, 1, 2, 4, 8, 24, 48, 168, 672, 8_736].map((hours) => hours * HOUR_SECONDS);
const MOST_BARS = 50;
/** A shorter range is shown within its surroundings. */
const SHORTEST_SECONDS = 2 * HOUR_SECONDS;

interface TimeRange {
  readonly start: number;
  readonly end: number;
}

const SHOWN_DAYS = 30;

/** Displayed range: the chosen one, else the last 30 days; a day around one that is too short for bars. */
function shownTime({ start, end }: TimeRange, now: number): TimeRange {
  const last = Math.min(end, now);
  const first = start === 0 ? last - SHOWN_DAYS * DAY_SECONDS : Math.min(start, last);
  if (last - first >= SHORTEST_SECONDS) return { start: first, end: last };
  const around = Math.min(now, first + DAY_SECONDS / 2);
  return { start: around - DAY_SECONDS, end: around };
}

/** Edges of the bars in Unix seconds, at full hours and days of the viewer's zone. */
export function histogramEdges(chosen: TimeRange, now: number): number[] {
  const { start, end } = shownTime(chosen, now);
  const step = STEPS.find((seconds) => (end - start) / seconds <= MOST_BARS) ?? DAY_SECONDS;
  const zone = new Date(start * 1_000).getTimezoneOffset() * 60;
  const edges = [Math.floor((start - zone) / step) * step + zone];
  for (let edge = edges[0] ?? 0; edge < end; edges.push(edge)) edge += step;
  return edges;
}
