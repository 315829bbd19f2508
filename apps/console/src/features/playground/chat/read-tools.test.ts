import { expect, test } from "vitest";
import { readTools } from "./read-tools.ts";

const schema = { type: "object", properties: {} };

test.each([
  ["OpenAI's form", [{ type: "function", function: { name: "look", description: "d", parameters: schema } }]],
  ["the bare function", [{ name: "look", description: "d", parameters: schema }]],
  ["Anthropic's form", [{ name: "look", description: "d", input_schema: schema }]],
  ["one without a list", { name: "look", description: "d" }],
])("tools are read in %s", (_form, tools) => {
  expect(readTools(JSON.stringify(tools)).tools).toEqual([{ name: "look", description: "d", schema }]);
});

test.each([
  ["[", { kind: "json" }],
  ["[1]", { kind: "list" }],
  ['"look"', { kind: "list" }],
  ['[{"name":"a"},{"name":"b c"}]', { kind: "name", number: 2 }],
  ['[{"name":"a","parameters":{"type":"string"}}]', { kind: "schema", number: 1 }],
  ['[{"name":"a"},{"name":"b"},{"name":"a"}]', { kind: "twice", number: 3 }],
])("what is wrong with %s is said", (text, problem) => {
  expect(readTools(text)).toEqual({ problem });
});

test("nothing typed is no tools", () => expect(readTools(" \n").tools).toEqual([]));
