import { roundToDigits } from "../../../lib/format.ts";

/** Steps of an axis, times a power of ten. */
const STEPS = [1, 2, 2.5, 4, 5] as const;
/** Keeps 0.1 + 0.2 from being a step past 0.3. */
const TOLERANCE = 1e-9;

export interface ValueScale {
  readonly range: [least: number, most: number];
  /** Values that have a line and a label. */
  readonly ticks: readonly number[];
}

function stepOf(height: number, mostTicks: number, hasText: (step: number) => boolean): number {
  const power = 10 ** Math.floor(Math.log10(height / mostTicks));
  const steps = [power, 10 * power, 100 * power].flatMap((unit) => STEPS.map((step) => step * unit));
  const isFew = (step: number) => step * mostTicks >= height * (1 - TOLERANCE);
  return steps.find((step) => isFew(step) && hasText(step)) ?? 10 * power;
}

/**
 * Returns a scale from 0, or from a round value below, up to a round value that no value exceeds. Its steps have a text:
 * counts have no halves. Nothing but zeros has one tick.
 */
export function valueScale(
  values: readonly number[],
  mostTicks: number,
  hasText: (step: number) => boolean = () => true,
): ValueScale {
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  if (low === high) return { range: [0, 1], ticks: [0] };
  const step = stepOf(high - low, Math.max(1, mostTicks), hasText);
  const [first, last] = [Math.floor(low / step + TOLERANCE), Math.ceil(high / step - TOLERANCE)];
  const ticks = Array.from({ length: last - first + 1 }, (_, index) => roundToDigits((first + index) * step, 12));
  return { range: [first * step, last * step], ticks };
}
