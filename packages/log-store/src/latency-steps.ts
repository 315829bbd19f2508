/** Steps of a twelfth of an octave: step = ⌊12 · log₂(ms)⌋. Percentiles are interpolated within a step: their error is at most 6 %. */
const STEPS_PER_OCTAVE = 12;

/** Step of an entry without a time. */
export const NO_STEP = 255;

/** Longest counted step: 40 minutes. */
const LAST_STEP = NO_STEP - 1;

/** Returns the step of a time in ms; NO_STEP for 0. */
export function stepOf(ms: number): number {
  if (ms <= 0) return NO_STEP;
  return Math.min(LAST_STEP, Math.floor(STEPS_PER_OCTAVE * Math.log2(ms)));
}

export type StepCounts = ReadonlyMap<number, number>;

/** Returns the percentile of a part above 0 and below 1, in ms; null without entries. */
export function percentileOf(part: number, counts: StepCounts): number | null {
  const steps = [...counts].filter(([, count]) => count > 0).sort(([left], [right]) => left - right);
  const all = steps.reduce((sum, [, count]) => sum + count, 0);
  let wanted = all * part;
  for (const [step, count] of steps) {
    if (count >= wanted) return Math.round(2 ** ((step + wanted / count) / STEPS_PER_OCTAVE));
    wanted -= count;
  }
  return null;
}
