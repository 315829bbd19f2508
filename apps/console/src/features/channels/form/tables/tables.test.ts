import { createChannelInputSchema } from "@one-api/contract/channels/channel-input";
import { findOverrideProblem } from "@one-api/contract/channels/overrides/overrides";
import { expect, test } from "vitest";
import { writeOverrides } from "../overrides/overrides-text.ts";
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

test("a second row of a name is written, and refused at its field instead of dropped", () => {
  const mapping = [
    { id: 0, requested: "a", upstream: "x" },
    { id: 1, requested: " a", upstream: "y" },
  ];
  const costs = [
    { id: 0, model: "a", input: "", output: "", factor: 1 },
    { id: 1, model: "a", input: 2, output: 3, factor: "" },
  ];
  const input = { type: 1, name: "n", key: "sk-1", models: "a" };
  for (const [field, text] of [
    ["model_mapping", writeMapping(mapping)],
    ["costs", writeCosts(costs)],
    ["dialect_urls", '{"openai":"https://a.example","openai":"https://b.example"}'],
  ] as const) {
    const { error } = createChannelInputSchema.safeParse({ ...input, [field]: text });
    expect(error?.issues.map(({ path }) => path[0])).toEqual([field]);
    expect(error?.issues[0]?.message).toMatch(/Look at "(a|openai)"\.$/);
  }
  const override = { where: "body", action: "set", name: "temperature", value: "0" } as const;
  const overrides = [
    { ...override, id: 0 },
    { ...override, id: 1, value: "1" },
  ];
  expect(findOverrideProblem(writeOverrides(overrides))).toEqual({ code: "repeated", name: "temperature" });
  expect(JSON.parse(writeOverrides([{ ...override, id: 0 }]))).toEqual({ body: { set: { temperature: 0 } } });
});
