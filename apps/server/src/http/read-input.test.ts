import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { AppError } from "../core/app-error.ts";
import { readInput } from "./read-input.ts";

const schema = z.object({
  name: z.string().min(1),
  count: z.int().min(2).max(9),
  kind: z.enum(["a", "b"]).default("a"),
  note: z.string().max(3, "Keep the note short.").default(""),
  word: z
    .string()
    .refine((word) => word.length >= 8, { message: "Too weak.", params: { problem: "too-short", limit: 8 } })
    .optional(),
  code: z.string().regex(/^\d+$/).optional(),
  nested: z.object({ flag: z.boolean() }).optional(),
});

type Refused = readonly [value: unknown, field: string | undefined, message: string, values: object];

const REFUSALS: readonly Refused[] = [
  [{ count: 2 }, "name", "name is missing.", { problem: "missing" }],
  [{ name: "", count: 2 }, "name", "name must not be empty.", { problem: "missing" }],
  [{ name: 5, count: 2 }, "name", "name must be a string.", { problem: "wrong-type", expected: "string" }],
  [{ name: "x", count: 1 }, "count", "count must be at least 2.", { problem: "too-small", limit: 2 }],
  [{ name: "x", count: 10 }, "count", "count must be at most 9.", { problem: "too-big", limit: 9 }],
  [{ name: "x", count: 2.5 }, "count", "count must be a whole number.", { problem: "wrong-type", expected: "int" }],
  [
    { name: "x", count: 2, kind: "c" },
    "kind",
    'kind must be one of: "a", "b".',
    { problem: "not-one-of", choices: "a, b" },
  ],
  [{ name: "x", count: 2, note: "long" }, "note", "Keep the note short.", { problem: "too-long", limit: 3 }],
  [{ name: "x", count: 2, word: "abc" }, "word", "Too weak.", { problem: "too-short", limit: 8 }],
  [{ name: "x", count: 2, code: "abc" }, "code", "code is not valid.", { problem: "not-valid" }],
  [
    { name: "x", count: 2, nested: { flag: 1 } },
    "nested.flag",
    "nested.flag must be a boolean.",
    { problem: "wrong-type", expected: "boolean" },
  ],
  [undefined, undefined, "The input is missing.", { problem: "missing" }],
  ["text", undefined, "The input must be an object.", { problem: "wrong-type", expected: "object" }],
];

describe("reading input", () => {
  test("returns the value as the schema makes it", () => {
    assert.deepEqual(readInput(schema, { name: "x", count: 3, more: 1 }), { name: "x", count: 3, kind: "a", note: "" });
  });

  for (const [value, field, message, values] of REFUSALS) {
    test(`refuses ${JSON.stringify(value)}: ${message}`, () => {
      assert.throws(
        () => readInput(schema, value),
        (error) =>
          error instanceof AppError &&
          isDeepStrictEqual(error.values, values) &&
          error.code === "invalid-input" &&
          error.field === field &&
          error.message === message,
      );
    });
  }
});
