import { expect, test } from "vitest";
import { ticksOf, timelineOf } from "./attempt-times.ts";

const at = (duration_ms: number, failure = "") => ({ channel: 1, status: 200, failure, duration_ms });
const detailOf = (first_byte_ms: number, ...attempts: ReturnType<typeof at>[]) => ({
  end: "complete",
  first_byte_ms,
  upstream_model: "",
  attempts,
});
const phases = (...args: Parameters<typeof timelineOf>) =>
  timelineOf(...args).attempts.map((attempt) => attempt.phases.map(({ kind, fromMs, toMs }) => [kind, fromMs, toMs]));

test("attempts follow one another; time before the first one is wait, after the first byte response", () => {
  expect(phases(detailOf(500, at(210, "timeout"), at(250)), 2_000)).toEqual([
    [
      ["wait", 0, 40],
      ["failed", 40, 250],
    ],
    [
      ["first", 250, 500],
      ["response", 500, 2_000],
    ],
  ]);
});

test("an attempt lasts until it failed, or until its response was delivered", () => {
  const { attempts } = timelineOf(detailOf(500, at(210, "timeout"), at(250)), 2_000);
  expect(attempts.map(({ durationMs }) => durationMs)).toEqual([210, 1_750]);
});

test("what failed has no response, and durations longer than the request fit on the line", () => {
  expect(phases(detailOf(0, at(300, "timeout")), 300)).toEqual([[["failed", 0, 300]]]);
  expect(timelineOf(detailOf(0, at(300, "timeout"), at(300, "timeout")), 400).totalMs).toBe(600);
  expect(phases(detailOf(120, at(900)), 900)).toEqual([
    [
      ["first", 0, 120],
      ["response", 120, 900],
    ],
  ]);
});

test("ticks are round", () => {
  expect(ticksOf(7_940)).toEqual([0, 2_000, 4_000, 6_000]);
  expect(ticksOf(1_995), "the end of the line has one").toEqual([0, 500, 1_000, 1_500, 2_000]);
  expect(ticksOf(1)).toEqual([0, 0.5, 1].filter((tick) => tick <= 1));
  expect(ticksOf(460)).toEqual([0, 100, 200, 300, 400]);
});
