import classes from "./sparkline.module.css";

const WIDTH = 100;
const HEIGHT = 24;
/** Distance of the line to the edges, so that its stroke is not cut. */
const MARGIN = 1.5;

const roundToTenth = (value: number) => Math.round(value * 10) / 10;

function pointsOf(values: readonly number[]): readonly string[] {
  const [least, most] = [Math.min(0, ...values), Math.max(0, ...values)];
  const scale = most === least ? 0 : (HEIGHT - 2 * MARGIN) / (most - least);
  const step = WIDTH / Math.max(1, values.length - 1);
  return values.map((value, index) => {
    const height = HEIGHT - MARGIN - (value - least) * scale;
    return `${roundToTenth(index * step)},${roundToTenth(height)}`;
  });
}

interface SparklineProps {
  values: readonly number[];
  label: string;
  tone?: "accent" | "danger";
}

/** A small line without axes. `label` says the same in words. */
export function Sparkline({ values, label, tone = "accent" }: SparklineProps) {
  const points = pointsOf(values.length === 1 ? [...values, ...values] : values).join(" ");
  return (
    <svg
      className={classes.sparkline}
      data-tone={tone}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {points !== "" && (
        <>
          <polygon points={`0,${HEIGHT} ${points} ${WIDTH},${HEIGHT}`} />
          <polyline points={points} />
        </>
      )}
    </svg>
  );
}
