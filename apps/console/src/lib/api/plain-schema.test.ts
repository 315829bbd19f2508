import type { Call } from "@one-api/contract/call";
import { beforeEach, expect, test, vi } from "vitest";
import { shapeOf } from "../../../build/compile-calls.ts";
import { sampleChannel } from "../../features/channels/sample-channel.ts";
import { sampleToken } from "../../features/tokens/testing/sample-token.ts";
import { parseLeniently } from "./lenient-parse.ts";
import { plainSchema } from "./plain-schema.ts";

beforeEach(() => vi.spyOn(console, "error").mockReturnValue());

const modules = import.meta.glob<Readonly<Record<string, unknown>>>("../../../../../packages/contract/src/**/*.ts", {
  eager: true,
});

function isCall(value: unknown): value is Call {
  return typeof value === "object" && value !== null && "method" in value && "path" in value && "data" in value;
}

const calls = Object.entries(modules)
  .filter(([file]) => !file.includes(".test."))
  .flatMap(([, exported]) => Object.values(exported).filter(isCall));

/** An answer as the schema has it; `isFull` is one with all that it may have. */
function exampleOf(shape: ReturnType<typeof shapeOf>, isFull: boolean): unknown {
  if (shape === "string") return "text";
  if (shape === "number") return 7;
  if (shape === "boolean") return true;
  if (shape === "null" || shape === "unknown") return null;
  if ("array" in shape) return isFull ? [exampleOf(shape.array, isFull), exampleOf(shape.array, false)] : [];
  if ("record" in shape) return isFull ? { a: exampleOf(shape.record, isFull) } : {};
  if ("optional" in shape) return isFull ? exampleOf(shape.optional, isFull) : undefined;
  if ("nullable" in shape) return isFull ? exampleOf(shape.nullable, isFull) : null;
  if ("default" in shape) return isFull ? exampleOf(shape.of, isFull) : undefined;
  if ("values" in shape) return isFull ? shape.values.at(-1) : shape.values[0];
  const fields = Object.entries(shape.object).map(([name, field]) => [name, exampleOf(field, isFull)]);
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
}

/** The same answer without each of its fields in turn, with each null, and with one more. */
function damaged(value: unknown): unknown[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
  return [
    { ...value, unknown_to_this_version: 1 },
    ...Object.keys(value).flatMap((name) => [
      Object.fromEntries(Object.entries(value).filter(([key]) => key !== name)),
      { ...value, [name]: null },
    ]),
  ];
}

const sources = import.meta.glob<string>("../../**/*.{ts,tsx}", { query: "?raw", import: "default", eager: true });

test("[START-05] the console's code names no call by itself: it makes those of the contract", () => {
  const files = Object.entries(sources).filter(([file]) => !/\.test\.tsx?$|\/testing\//.test(file));
  expect(files.length).toBeGreaterThan(100);
  const naming = files.filter(([, source]) => /["'`]\/api\//.test(source)).map(([file]) => file);
  expect(naming).toEqual([]);
  const fetching = files.filter(([, source]) => /\bfetch\(|XMLHttpRequest/.test(source)).map(([file]) => file);
  expect(fetching.toSorted()).toEqual(["./api-client.ts", "./relay-client.ts"]);
});

test("the contract has calls", () => {
  expect(calls.length).toBeGreaterThan(30);
});

test.each(calls.map((call) => [`${call.method} ${call.path}`, call] as const))(
  "the build's description of %s reads answers as the schema does",
  (_name, call) => {
    const shape = shapeOf(call.data);
    const plain = plainSchema(shape);
    for (const isFull of [true, false]) {
      const example = exampleOf(shape, isFull);
      const rows = Array.isArray(example) ? example : [example];
      for (const value of [example, ...rows.flatMap(damaged).map((row) => (Array.isArray(example) ? [row] : row))]) {
        const strict = call.data.safeParse(value);
        if (strict.success) expect(parseLeniently(plain, value, "plain")).toEqual(strict.data);
      }
    }
  },
);

test.each([
  ["GET /api/channel/:id", sampleChannel({})],
  ["GET /api/token/:id", sampleToken({})],
])("%s is completed alike when an older server leaves a field out", (name, sample) => {
  const call = calls.find(({ method, path }) => `${method} ${path}` === name);
  if (call === undefined) throw new Error(`no call ${name}`);
  for (const value of damaged(sample)) {
    const plain = parseLeniently(plainSchema(shapeOf(call.data)), value, name);
    expect(plain).toEqual(parseLeniently(call.data, value, name));
  }
});

test.each([[null], ["text"], [[]]])(
  "a list's answer that is %o is no list of rows or an empty one, for both",
  (value) => {
    for (const call of calls.filter(({ path }) => path === "/api/token/")) {
      expect(plainSchema(shapeOf(call.data)).safeParse(value).success).toBe(call.data.safeParse(value).success);
    }
  },
);
