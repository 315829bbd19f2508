import { problemOf } from "@one-api/contract/input-problem";
import { z } from "zod";
import { AppError } from "../core/app-error.ts";

interface IssueFacts {
  readonly code?: string | undefined;
  readonly input?: unknown;
  readonly origin?: unknown;
  readonly minimum?: unknown;
  readonly maximum?: unknown;
  readonly expected?: unknown;
  readonly values?: unknown;
  readonly keys?: unknown;
  readonly errors?: readonly (readonly IssueFacts[])[] | undefined;
}

function fieldOf(path: readonly PropertyKey[] | undefined): string {
  return path === undefined || path.length === 0 ? "" : path.map(String).join(".");
}

function sizeText(issue: IssueFacts, limit: unknown): string {
  const characters = issue.origin === "string";
  return `${String(limit)}${characters ? ` character${limit === 1 ? "" : "s"}` : ""}`;
}

function requirementOf(issue: IssueFacts): string {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined ? "is missing" : `must be ${withArticle(String(issue.expected))}`;
    case "too_small":
      if (issue.origin === "string" && issue.minimum === 1) return "must not be empty";
      return `must be at least ${sizeText(issue, issue.minimum)}${issue.origin === "string" ? " long" : ""}`;
    case "too_big":
      return `must be at most ${sizeText(issue, issue.maximum)}${issue.origin === "string" ? " long" : ""}`;
    case "invalid_value":
      return `must be one of: ${Array.isArray(issue.values) ? issue.values.map((value) => JSON.stringify(value)).join(", ") : ""}`;
    case "unrecognized_keys": {
      const keys = Array.isArray(issue.keys) ? issue.keys.map((key) => JSON.stringify(key)).join(", ") : "";
      return `must not have ${keys}, which is unknown`;
    }
    case "invalid_union": {
      // In a union of a value and a list, the problem of the single value helps most.
      const first = issue.errors?.[0]?.[0];
      return first === undefined ? "is not valid" : requirementOf({ ...first, input: issue.input });
    }
    default:
      return "is not valid";
  }
}

function withArticle(type: string): string {
  const plain = type === "int" ? "whole number" : type === "object" || type === "record" ? "object" : type;
  return /^[aeiou]/.test(plain) ? `an ${plain}` : `a ${plain}`;
}

const describeIssue: z.core.$ZodErrorMap = (issue) => `${fieldOf(issue.path) || "The input"} ${requirementOf(issue)}.`;

/**
 * Returns the value as the schema parses it. Throws `invalid-input` for the first wrong field, with its fix and the problem: missing, wrong-type,
 * too-short, too-long, too-small, too-big, not-one-of or not-valid.
 */
export function readInput<Schema extends z.core.$ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = z.safeParse(schema, value, { error: describeIssue, reportInput: true });
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const field = fieldOf(issue?.path);
  throw new AppError("invalid-input", issue?.message ?? "The input is not valid.", {
    ...(field === "" ? {} : { field }),
    values: issue === undefined ? { problem: "not-valid" } : problemOf(issue),
  });
}
