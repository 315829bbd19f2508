/**
 * How many streams began to be answered within each step of time; empty where nobody counted. Steps are a third of an octave, the first ends at
 * 20 ms and the last one at 17 minutes: what lies beyond is counted there. They may be parts of one, and are merged by adding them.
 */
export type FirstBytes = readonly number[];

export const NO_FIRST_BYTES: FirstBytes = [];

/** How many steps there are. */
export const FIRST_BYTE_STEPS = 48;

const STEPS_PER_OCTAVE = 3;
/** Where the first step begins, in octaves above 1 ms. */
const FIRST_OCTAVE = 4;

/** What is kept of how long streams took. */
export interface TimedStreams {
  /** How many there are. */
  readonly timed: number;
  /** The sum of 1,000 × the natural logarithms of their times in ms. */
  readonly first_log: number;
  /** The step that each lies within. */
  readonly steps: readonly number[];
}

/** Reads times in ms, with commas between. */
export const readTimes = (list: string): TimedStreams => sumTimes(list === "" ? [] : list.split(",").map(Number));

/** What is kept of times in ms. */
export function sumTimes(times: readonly number[]): TimedStreams {
  let logs = 0;
  const steps = times.map((time) => {
    const log = Math.log(time);
    logs += log;
    const step = Math.floor((log / Math.LN2 - FIRST_OCTAVE) * STEPS_PER_OCTAVE);
    return Math.max(0, Math.min(FIRST_BYTE_STEPS - 1, step));
  });
  return { timed: steps.length, first_log: Math.round(1_000 * logs), steps };
}

/** How many lie within each step. */
export function countSteps(steps: readonly number[]): FirstBytes {
  if (steps.length === 0) return NO_FIRST_BYTES;
  const counts = Array.from({ length: FIRST_BYTE_STEPS }, () => 0);
  for (const step of steps) counts[step] = (counts[step] ?? 0) + 1;
  return counts;
}

/** Both together. */
export function addFirstBytes(left: FirstBytes, right: FirstBytes): FirstBytes {
  if (right.length === 0) return left;
  return right.map((count, step) => count + (left[step] ?? 0));
}

/** The time in ms that such a part of the streams, above 0 and below 1, did not take longer than; null where not all of them, `timed`, were counted, or there are none. */
export function firstByteWithin(part: number, counts: FirstBytes, timed: number): number | null {
  const known = counts.reduce((total, count) => total + Math.max(0, count), 0);
  // What is a part of a half hour has been rounded.
  if (known === 0 || Math.abs(timed - known) >= 1) return null;
  let wanted = known * part;
  for (const [step, count] of counts.entries()) {
    if (count > 0 && count >= wanted)
      return Math.round(2 ** (FIRST_OCTAVE + (step + wanted / count) / STEPS_PER_OCTAVE));
    wanted -= Math.max(0, count);
  }
  return null;
}
