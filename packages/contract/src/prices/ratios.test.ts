import assert from "node:assert/strict";
import { test } from "node:test";
import { formatRatios, parseRatios, type RatiosProblem } from "./ratios.ts";

const bounds = { min: 0, max: 1_000_000 };

test("a text of ratios is a map in its order, an empty one is empty", () => {
  const { entries } = parseRatios(' {"gpt-4": 15, "a \\"b\\"\\u0041":0,\n "constructor" :1.5e-3 } ', bounds);
  assert.deepEqual([...(entries ?? [])], [["gpt-4", 15], ['a "b"A', 0], ["constructor", 0.0015]]); // prettier-ignore
  for (const text of ["", " \n", "{}", "{ }"]) assert.equal(parseRatios(text, bounds).entries?.size, 0, text);
});

const problems: readonly (readonly [text: string, problem: RatiosProblem])[] = [
  ["{", { kind: "syntax", line: 1, column: 2, name: "" }],
  ['{"a":1,}', { kind: "syntax", line: 1, column: 8, name: "" }],
  ['{\n  "a": 1\n  "b": 2\n}', { kind: "syntax", line: 3, column: 3, name: "" }],
  ['{\n  "a": 1,\n  "b" 2\n}', { kind: "syntax", line: 3, column: 7, name: "b" }],
  ['{"a": .5}', { kind: "syntax", line: 1, column: 7, name: "a" }],
  ["{'a': 1}", { kind: "syntax", line: 1, column: 2, name: "" }],
  ['{"a": 1} x', { kind: "syntax", line: 1, column: 10, name: "" }],
  ['{"a\nb": 1}', { kind: "syntax", line: 1, column: 2, name: "" }],
  ["[]", { kind: "object", line: 1, column: 1, name: "" }],
  [" null", { kind: "object", line: 1, column: 2, name: "" }],
  ['{"a": 1,\n "b": "2"}', { kind: "number", line: 2, column: 7, name: "b" }],
  ['{"a": {"b": 1}}', { kind: "number", line: 1, column: 7, name: "a" }],
  ['{"a": null}', { kind: "number", line: 1, column: 7, name: "a" }],
  ['{"a": -1}', { kind: "number", line: 1, column: 7, name: "a" }],
  ['{"a": 1e999}', { kind: "number", line: 1, column: 7, name: "a" }],
  ['{"a": 1000001}', { kind: "number", line: 1, column: 7, name: "a" }],
  ['{"a": 1, "b": 2,\n "a": 3}', { kind: "twice", line: 2, column: 2, name: "a" }],
  ['{"__proto__": 1}', { kind: "name", line: 1, column: 2, name: "__proto__" }],
  ['{" ": 1}', { kind: "name", line: 1, column: 2, name: " " }],
];

for (const [text, problem] of problems) {
  test(`${JSON.stringify(text)} is wrong at line ${problem.line}, column ${problem.column}`, () => {
    assert.deepEqual(parseRatios(text, bounds), { entries: undefined, problem });
  });
}

test("what is written is read again, and is what JSON.parse reads", () => {
  const ratios = new Map([["b", 2], ['q"\n', 0.000001], ["5", 1e-7], ["a", 1_000_000]]); // prettier-ignore
  const text = formatRatios(ratios);
  assert.deepEqual(parseRatios(text, bounds).entries, ratios);
  const plain: unknown = JSON.parse(text);
  assert.deepEqual(plain, Object.fromEntries(ratios));
  assert.equal(formatRatios(new Map()), "");
});

test("a long list is read in no time, and a text that never ends well too", () => {
  const many = new Map(Array.from({ length: 20_000 }, (_, index) => [`model-${index}`, index / 7]));
  assert.equal(parseRatios(formatRatios(many), bounds).entries?.size, 20_000);
  assert.equal(parseRatios(`{"${"\\".repeat(500_000)}`, bounds).entries, undefined);
});
