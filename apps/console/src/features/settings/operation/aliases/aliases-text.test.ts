import { expect, test } from "vitest";
import { readAliases, writeAliases } from "./aliases-text.ts";

const TEXT = JSON.stringify(
  { fast: ["gpt-4o-mini", "claude-haiku-4-5"], ab: { "gpt-4o": 90, "gpt-4.1": 10 } },
  undefined,
  2,
);

test("aliases are the same after they were a table", () => {
  const rows = readAliases(TEXT);
  expect(rows?.map(({ alias, model, weight }) => [alias, model, weight])).toEqual([
    ["fast", "gpt-4o-mini", ""],
    ["fast", "claude-haiku-4-5", ""],
    ["ab", "gpt-4o", 90],
    ["ab", "gpt-4.1", 10],
  ]);
  expect(writeAliases(rows ?? [])).toBe(TEXT);
});

test("one weight makes an alias weighted, and unfinished rows are left out", () => {
  const row = { alias: "ab", model: "gpt-4o", weight: "" };
  const rows = [row, { ...row, model: " gpt-4.1 ", weight: 10 }, { ...row, model: "" }, { ...row, alias: "" }];
  expect(JSON.parse(writeAliases(rows.map((each, id) => ({ id, ...each }))))).toEqual({
    ab: { "gpt-4o": 0, "gpt-4.1": 10 },
  });
});

test("an entry with a weight is a row, and one with conditions is left to the JSON", () => {
  const weighted = [{ model: "gpt-4o", weight: 9 }, "gpt-4.1"];
  expect(readAliases(JSON.stringify({ ab: weighted }))?.map(({ model, weight }) => [model, weight])).toEqual([
    ["gpt-4o", 9],
    ["gpt-4.1", 0],
  ]);
  expect(readAliases(JSON.stringify({ smart: [{ model: "gpt-4o", when: { tools: true } }] }))).toBeUndefined();
});

test("a text that is no aliases is no table, an empty one has no rows", () => {
  expect(readAliases('{"fast": []}')).toBeUndefined();
  expect(readAliases("{")).toBeUndefined();
  expect(readAliases(" ")).toEqual([]);
  expect(writeAliases([])).toBe("");
});
