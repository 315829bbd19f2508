import { expect, test } from "vitest";
import { choiceOf, fieldsOf, integerOf, textOf } from "./read-values.ts";

test.each([
  ["12", {}, 12],
  [12, {}, 12],
  [" 7 ", {}, 7],
  ["", {}, undefined],
  ["1.5", {}, undefined],
  ["twelve", {}, undefined],
  [true, {}, undefined],
  [["3"], {}, undefined],
  [undefined, {}, undefined],
  ["0", { least: 1 }, undefined],
  ["5", { most: 4 }, undefined],
  ["1e999", {}, undefined],
])("the whole number in %o with %o is %o", (value, bounds, number) => {
  expect(integerOf(value, bounds)).toBe(number);
});

test.each([
  [" a ", {}, "a"],
  ["  ", {}, undefined],
  ["  ", { least: 0 }, ""],
  ["abc", { most: 2 }, undefined],
  [5, {}, undefined],
  [null, {}, undefined],
])("the text in %o with %o is %o", (value, bounds, text) => {
  expect(textOf(value, bounds)).toBe(text);
});

test("a choice is one of the known ones", () => {
  expect(choiceOf("b", ["a", "b"])).toBe("b");
  expect(choiceOf("c", ["a", "b"])).toBeUndefined();
});

test.each([[null], ["text"], [["a"]], [undefined]])("%o has no fields", (value) => {
  expect(fieldsOf(value)).toEqual({});
});
