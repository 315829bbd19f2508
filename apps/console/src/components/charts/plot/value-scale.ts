/** Steps of an axis, times a power of ten. */
const STEPS = [1, 2, 2.5, 5, 10] as const;
/** Keeps 0.1 + 0.2 from being a step past 0.3. */
const TOLERANCE = 1e-9;

export interface ValueScale {
  readonly range: [least: number, most: number];
  /** Values that have a line and a label. */
  readonly ticks: readonly number[];
}

function stepOf(height: number, mostTicks: number): number {
  const power = 10 ** Math.floor(Math.log10(height / mostTicks));
  return (STEPS.find((step) => step * power * mostTicks >= height * (1 - TOLERANCE)) ?? 10) * power;
}

/** Returns a scale from 0, or from a round value below, up to a round value that no value exceeds. Nothing but zeros has one tick. */
export function valueScale(values: readonly number[], mostTicks: number): ValueScale {
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  if (low === high) return { range: [0, 1], ticks: [0] };
  const step = stepOf(high - low, Math.max(1, mostTicks));
  const [first, last] = [Math.floor(low / step + TOLERANCE), Math.ceil(high / step - TOLERANCE)];
  const ticks = Array.from({ length: last - first + 1 }, (_, index) =>
    Number(((first + index) * step).toPrecision(12)),
  );
  return { range: [first * step, last * step], ticks };
}
