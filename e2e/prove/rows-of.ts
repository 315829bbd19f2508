import type { Figure, Goal } from "./goals.ts";
import type { TrialResult } from "./run-trial.ts";

export interface Row {
  readonly goal: string;
  readonly figure: string;
  readonly bound: string;
  readonly verdict: "yes" | "NO" | "skipped";
}

/** Returns a row for each figure of a goal, or one with the number of failed tests. */
export function rowsOf(goal: Goal, result: TrialResult | undefined, isLong: boolean): readonly Row[] {
  const title = `${goal.name} ${goal.promise}`;
  if ("skipped" in goal) return [skipped(title, goal.skipped)];
  if (result === undefined) return [skipped(title, "not tried")];
  const { passed, failures, skips, figures } = result;
  if (passed === 0 && failures.length === 0) return [skipped(title, skips.join("; ") || "no test ran")];
  const measured = goal.figures ?? [];
  if (failures.length > 0 || measured.length === 0)
    return [
      {
        goal: title,
        figure: `${failures.length} of ${passed + failures.length} tests failed${skips.length > 0 ? `, some skipped: ${skips.join("; ")}` : ""}`,
        bound: "0",
        verdict: failures.length === 0 ? "yes" : "NO",
      },
    ];
  return measured.map((figure) => rowOf(title, figure, figures.get(figure.name), isLong));
}

function skipped(goal: string, reason: string): Row {
  return { goal, figure: reason, bound: "", verdict: "skipped" };
}

/** A figure that was not reported misses its bound. */
function rowOf(goal: string, figure: Figure, value: number | undefined, isLong: boolean): Row {
  const { name, unit, atLeast } = figure;
  const atMost = isLong ? (figure.longAtMost ?? figure.atMost) : figure.atMost;
  if (value === undefined) return { goal, figure: `${name} was not reported`, bound: "", verdict: "NO" };
  const isMet = value <= (atMost ?? Number.POSITIVE_INFINITY) && value >= (atLeast ?? Number.NEGATIVE_INFINITY);
  return {
    goal,
    figure: `${value.toFixed(value >= 100 || Number.isInteger(value) ? 0 : 1)} ${unit}`,
    bound: [
      ...(atMost === undefined ? [] : [`<= ${atMost}`]),
      ...(atLeast === undefined ? [] : [`>= ${atLeast}`]),
    ].join(" "),
    verdict: isMet ? "yes" : "NO",
  };
}
