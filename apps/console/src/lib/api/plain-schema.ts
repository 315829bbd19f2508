/**
 * What an answer's data looks like, as plain data: the name of a primitive, or one entry that says how others are put together.
 * The build makes these of the contract's schemas (build/compile-calls.ts).
 */
export type Shape =
  | "string"
  | "number"
  | "boolean"
  | "null"
  | "unknown"
  | { readonly array: Shape }
  | { readonly object: Readonly<Record<string, Shape>> }
  | { readonly record: Shape }
  | { readonly optional: Shape }
  | { readonly nullable: Shape }
  | { readonly values: readonly unknown[] }
  | { readonly default: unknown; readonly of: Shape };

/** Something that is not as the shape has it, named as Zod names it. */
interface Issue {
  readonly code: "invalid_type" | "invalid_value";
  readonly expected: string;
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

type Result = { success: true; data: unknown } | { success: false; error: Error & { issues: readonly Issue[] } };

type Path = readonly PropertyKey[];

/** Reads a value by a shape: fields that the shape does not have are left out, defaults filled in. */
function read(shape: Shape, value: unknown, path: Path, issues: Issue[]): unknown {
  const refuse = (expected: string, code: Issue["code"] = "invalid_type") => {
    issues.push({ code, expected, path, message: `expected ${expected}` });
    return value;
  };
  if (typeof shape === "string") {
    if (shape === "unknown" || (shape === "null" ? value === null : typeof value === shape)) return value;
    return refuse(shape);
  }
  if ("optional" in shape) return value === undefined ? value : read(shape.optional, value, path, issues);
  if ("nullable" in shape) return value === null ? value : read(shape.nullable, value, path, issues);
  if ("default" in shape) return value === undefined ? shape.default : read(shape.of, value, path, issues);
  if ("values" in shape)
    return shape.values.includes(value) ? value : refuse("one of the known values", "invalid_value");
  if ("array" in shape) {
    if (!Array.isArray(value)) return refuse("array");
    return value.map((item, index) => read(shape.array, item, [...path, index], issues));
  }
  const isRecord = "record" in shape;
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return refuse(isRecord ? "record" : "object");
  const fields = new Map<string, unknown>(Object.entries(value));
  const shapes = isRecord
    ? [...fields.keys()].map((name) => [name, shape.record] as const)
    : Object.entries(shape.object);
  return Object.fromEntries(
    shapes
      .map(([name, own]) => [name, read(own, fields.get(name), [...path, name], issues)] as const)
      .filter(([name, field]) => field !== undefined || fields.has(name)),
  );
}

/** Returns what reads answers of the shape, in the form in which the contract's schemas do. */
export function plainSchema(shape: Shape) {
  return {
    type: shape === "null" ? "null" : "other",
    safeParse(value: unknown): Result {
      const issues: Issue[] = [];
      const data = read(shape, value, [], issues);
      if (issues.length === 0) return { success: true, data };
      const message = issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`).join(", ");
      return { success: false, error: Object.assign(new Error(message), { issues }) };
    },
  };
}
