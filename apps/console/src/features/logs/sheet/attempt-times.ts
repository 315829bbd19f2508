import type { Log } from "@one-api/contract/logs/log";
import type { LogDetail } from "@one-api/contract/logs/log-detail";

type Attempt = LogDetail["attempts"][number];

/** `wait`: before the first attempt; `first`: until the first byte of the response; `response`: its delivery. */
export type PhaseKind = "wait" | "first" | "response" | "failed";

/** A part of an attempt, in ms since the request arrived. */
interface Phase {
  readonly kind: PhaseKind;
  readonly fromMs: number;
  readonly toMs: number;
}

export interface AttemptTimes {
  readonly number: number;
  readonly attempt: Attempt;
  /** Until the attempt failed, or its response was delivered. */
  readonly durationMs: number;
  readonly phases: readonly Phase[];
}

interface Timeline {
  readonly attempts: readonly AttemptTimes[];
  /** Length of the time line; at least 1. */
  readonly totalMs: number;
}

function phasesOf(attempt: Attempt, beganMs: number, firstByteMs: number, elapsedMs: number): Phase[] {
  const endedMs = beganMs + attempt.duration_ms;
  if (attempt.failure !== "") return [{ kind: "failed", fromMs: beganMs, toMs: endedMs }];
  const firstMs = Math.max(beganMs, firstByteMs > 0 ? firstByteMs : endedMs);
  return [
    { kind: "first", fromMs: beganMs, toMs: firstMs },
    { kind: "response", fromMs: firstMs, toMs: Math.max(firstMs, elapsedMs) },
  ];
}

/**
 * All attempts on one time line. The log has durations only; time that belongs to no attempt was before the first one.
 */
export function timelineOf(
  { attempts, first_byte_ms: firstByteMs }: LogDetail,
  elapsedMs: Log["elapsed_time"],
): Timeline {
  const triedMs = attempts.reduce((sum, { duration_ms }) => sum + duration_ms, 0);
  const isServed = attempts.at(-1)?.failure === "";
  const waitMs = Math.max(0, (isServed && firstByteMs > 0 ? firstByteMs : elapsedMs) - triedMs);
  let beganMs = waitMs;
  const times = attempts.map((attempt, index) => {
    const phases = phasesOf(attempt, beganMs, firstByteMs, elapsedMs);
    const wait: Phase = { kind: "wait", fromMs: 0, toMs: waitMs };
    const all = index === 0 ? [wait, ...phases] : phases;
    const durationMs = (phases.at(-1)?.toMs ?? beganMs) - beganMs;
    beganMs += attempt.duration_ms;
    return { number: index + 1, attempt, durationMs, phases: all.filter(({ fromMs, toMs }) => toMs > fromMs) };
  });
  const ends = times.flatMap(({ phases }) => phases.map(({ toMs }) => toMs));
  return { attempts: times, totalMs: Math.max(1, elapsedMs, ...ends) };
}

const MOST_TICKS = 5;

/** Of a step: so close to the end of the line, its end is marked too. */
const NEAR = 0.02;

/** Round times for an axis, in ms, from 0: at most five, at steps of 1, 2 or 5 times a power of ten. */
export function ticksOf(totalMs: number): number[] {
  const power = 10 ** Math.floor(Math.log10(totalMs / MOST_TICKS));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((each) => totalMs / each < MOST_TICKS) ?? totalMs;
  return Array.from({ length: Math.floor(totalMs / step + NEAR) + 1 }, (_, index) => index * step);
}
