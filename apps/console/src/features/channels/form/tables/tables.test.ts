import { expect, test } from "vitest";
import { readCosts, writeCosts } from "./costs-text.ts";
import { readMapping, writeMapping } from "./mapping-text.ts";

test("a mapping is read and written without a loss; empty rows are left out and others stay", () => {
  const text = JSON.stringify({ "gpt-4o-2024-11-20": "gpt-4o", __proto__x: "y" }, undefined, 2);
  expect(writeMapping(readMapping(text) ?? [])).toBe(text);
  expect([readMapping(" "), writeMapping([{ id: 0, requested: " ", upstream: "" }])]).toEqual([[], ""]);
  expect(writeMapping([{ id: 0, requested: " ", upstream: "x" }])).toContain('"": "x"');
  for (const wrong of ["{", "[]", '{"a":""}', '{"a":1}']) expect(readMapping(wrong)).toBeUndefined();
});

test("costs are prices or a factor; a row without numbers is refused by the form", () => {
  const text = JSON.stringify({ "gpt-4o": { input: 2.5, output: 10 }, "*": { factor: 0.8 } }, undefined, 2);
  expect(writeCosts(readCosts(text) ?? [])).toBe(text);
  expect(JSON.parse(writeCosts([{ id: 0, model: "a", input: "", output: 3, factor: "" }]))).toEqual({
    a: { input: 0, output: 3 },
  });
  expect(JSON.parse(writeCosts([{ id: 0, model: " ", input: "", output: "", factor: 2 }]))).toEqual({
    "": { factor: 2 },
  });
  const empty = writeCosts([{ id: 0, model: "a", input: "", output: "", factor: "" }]);
  expect([JSON.parse(empty), readCosts(empty)]).toEqual([{ a: {} }, undefined]);
});
