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
  const [first, ...more] = known;
  // One value is a level, as a point could not be seen.
  const points =
    first !== undefined && more.length === 0
      ? [
          { ...first, x: 0 },
          { ...first, x: WIDTH },
        ]
      : known;
  const [start, end] = [points[0], points.at(-1)];
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
      {start !== undefined && end !== undefined && (
        <>
          <polygon points={`${start.x},${HEIGHT} ${line} ${end.x},${HEIGHT}`} />
          <polyline points={line} />
        </>
      )}
    </svg>
  );
}
