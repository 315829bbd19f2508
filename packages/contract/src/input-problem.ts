import type * as z from "zod/mini";
import type { ErrorValues } from "./error-codes.ts";

export type InputProblem =
  | "missing"
  | "not-one-of"
  | "not-valid"
  | "too-big"
  | "too-long"
  | "too-short"
  | "too-small"
  | "unknown"
  | "wrong-type";

type ProblemValues = ErrorValues & { readonly problem: string };

/**
 * Returns the problem of a field and the limits that its text names. The issue must report its input. A rule may name
 * another problem in its parameters.
 */
export function problemOf(issue: z.core.$ZodIssue): ProblemValues {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined ? { problem: "missing" } : say("wrong-type", { expected: issue.expected });
    case "too_small":
      if (issue.origin === "string" && issue.minimum === 1) return { problem: "missing" };
      return say(hasLength(issue.origin) ? "too-short" : "too-small", { limit: Number(issue.minimum) });
    case "too_big":
      return say(hasLength(issue.origin) ? "too-long" : "too-big", { limit: Number(issue.maximum) });
    case "invalid_value":
      return say("not-one-of", { choices: issue.values.map(String).join(", ") });
    case "custom":
      return { problem: "not-valid", ...valuesAmong(issue.params) };
    default:
      return { problem: "not-valid" };
  }
}

function say(problem: InputProblem, values: ErrorValues): ProblemValues {
  return { problem, ...values };
}

function hasLength(origin: string): boolean {
  return origin === "string" || origin === "array";
}

function valuesAmong(parameters: Readonly<Record<string, unknown>> = {}): ErrorValues {
  const isValue = (entry: [string, unknown]): entry is [string, string | number] =>
    typeof entry[1] === "string" || typeof entry[1] === "number";
  return Object.fromEntries(Object.entries(parameters).filter(isValue));
}
