import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { z } from "zod";
import { AppError } from "../core/app-error.ts";
import { readInput } from "./read-input.ts";

const schema = z.object({
  name: z.string().min(1),
  count: z.int().min(2).max(9),
  kind: z.enum(["a", "b"]).default("a"),
  note: z.string().max(3, "Keep the note short.").default(""),
  nested: z.object({ flag: z.boolean() }).optional(),
});

const REFUSALS: readonly [value: unknown, field: string | undefined, message: string][] = [
  [{ count: 2 }, "name", "name is missing."],
  [{ name: "", count: 2 }, "name", "name must not be empty."],
  [{ name: 5, count: 2 }, "name", "name must be a string."],
  [{ name: "x", count: 1 }, "count", "count must be at least 2."],
  [{ name: "x", count: 10 }, "count", "count must be at most 9."],
  [{ name: "x", count: 2.5 }, "count", "count must be a whole number."],
  [{ name: "x", count: 2, kind: "c" }, "kind", 'kind must be one of: "a", "b".'],
  [{ name: "x", count: 2, note: "long" }, "note", "Keep the note short."],
  [{ name: "x", count: 2, nested: { flag: 1 } }, "nested.flag", "nested.flag must be a boolean."],
  [undefined, undefined, "The input is missing."],
  ["text", undefined, "The input must be an object."],
];

describe("reading input", () => {
  test("returns the value as the schema makes it", () => {
    assert.deepEqual(readInput(schema, { name: "x", count: 3, more: 1 }), { name: "x", count: 3, kind: "a", note: "" });
  });

  for (const [value, field, message] of REFUSALS) {
    test(`refuses ${JSON.stringify(value)}: ${message}`, () => {
      assert.throws(
        () => readInput(schema, value),
        (error) =>
          error instanceof AppError &&
          error.code === "invalid-input" &&
          error.field === field &&
          error.message === message,
      );
    });
  }
});
