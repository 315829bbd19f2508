import classes from "./sparkline.module.css";

const WIDTH = 100;
const HEIGHT = 24;
/** Distance of the line to the edges, so that its stroke is not cut. */
const MARGIN = 1.5;

const roundToTenth = (value: number) => Math.round(value * 10) / 10;

interface Point {
  readonly x: number;
  readonly y: number;
}

function pointsOf(values: readonly (number | null)[]): readonly Point[] {
  const known = values.map((value) => value ?? 0);
  const [least, most] = [Math.min(0, ...known), Math.max(0, ...known)];
  const scale = most === least ? 0 : (HEIGHT - 2 * MARGIN) / (most - least);
  const step = WIDTH / Math.max(1, values.length - 1);
  return values.flatMap((value, index) =>
    value === null ? [] : { x: roundToTenth(index * step), y: roundToTenth(HEIGHT - MARGIN - (value - least) * scale) },
  );
}

interface SparklineProps {
  /** The line goes straight over unknown ones: null. */
  values: readonly (number | null)[];
  label: string;
  tone?: "accent" | "danger";
}

/** A small line without axes. `label` says the same in words. */
export function Sparkline({ values, label, tone = "accent" }: SparklineProps) {
  const known = pointsOf(values);
  const [start, end] = [known[0], known.at(-1)];
  // All lines of a page cover the same time, so the first and last known values reach to the ends.
  const points =
    start === undefined || end === undefined
      ? []
      : [...(start.x > 0 ? [{ ...start, x: 0 }] : []), ...known, ...(end.x < WIDTH ? [{ ...end, x: WIDTH }] : [])];
  const line = points.map(({ x, y }) => `${x},${y}`).join(" ");
  return (
    <svg
      className={classes.sparkline}
      data-tone={tone}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {points.length > 0 && (
        <>
          <polygon points={`0,${HEIGHT} ${line} ${WIDTH},${HEIGHT}`} />
          <polyline points={line} />
        </>
      )}
    </svg>
  );
}
