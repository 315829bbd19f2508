import type { z } from "zod";

type Path = readonly PropertyKey[];

/** What is wrong with a value, in the words of Zod. */
interface Issue {
  readonly code?: string | undefined;
  readonly path: Path;
  readonly expected?: string;
}

/** What reads an answer: a schema of the contract, in the build its plain description. */
interface AnswerSchema<Data> {
  safeParse(
    value: unknown,
  ): { success: true; data: Data } | { success: false; error: Error & { issues: readonly Issue[] } };
}

/** What stands in for a field that an older server does not send. */
function neutralValue(expected: string): unknown {
  if (expected === "string") return "";
  if (expected === "number" || expected === "int") return 0;
  if (expected === "boolean") return false;
  if (expected === "array") return [];
  if (expected === "object" || expected === "record") return {};
  return undefined;
}

function isContainer(value: unknown): value is Record<PropertyKey, unknown> {
  return typeof value === "object" && value !== null;
}

function valueAt(root: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, key) => (isContainer(value) ? value[key] : undefined), root);
}

function setAt(root: unknown, path: Path, value: unknown): unknown {
  const last = path.at(-1);
  if (last === undefined) return value;
  const parent = valueAt(root, path.slice(0, -1));
  if (isContainer(parent)) parent[last] = value;
  return root;
}

/** Fills in what is missing or null where the schema wants a value; everything else stays. */
function fillGaps(value: unknown, issues: readonly Issue[]): unknown {
  let filled = structuredClone(value);
  for (const issue of issues) {
    const isGap = issue.code === "invalid_type" && (valueAt(filled, issue.path) ?? null) === null;
    if (isGap) filled = setAt(filled, issue.path, neutralValue(issue.expected ?? ""));
  }
  return filled;
}

/**
 * Says whether the value can be used although it does not match the schema to the letter: it has the schema's outer form.
 * Servers of other versions may answer more, or a field in another type.
 */
function isUsable(value: unknown, issues: readonly Issue[]): boolean {
  return value !== undefined && !issues.some((issue) => issue.path.length === 0 && issue.code === "invalid_type");
}

/**
 * Parses an answer leniently, so that the console also works in front of servers of other versions: missing fields get a
 * neutral value, a remaining mismatch is warned about and used as it is.
 * Throws the schema's error only when the outer form differs (a text where a list is due).
 */
export function parseLeniently<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  source: string,
): z.output<Schema>;
export function parseLeniently(schema: AnswerSchema<unknown>, value: unknown, source: string): unknown;
export function parseLeniently(schema: AnswerSchema<unknown>, value: unknown, source: string): unknown {
  const strict = schema.safeParse(value);
  if (strict.success) return strict.data;
  const filled = fillGaps(value, strict.error.issues);
  const second = schema.safeParse(filled);
  if (second.success) return second.data;
  console.error(`${source} answered in an unexpected form`, second.error.issues);
  if (isUsable(filled, second.error.issues)) return filled;
  throw second.error;
}
