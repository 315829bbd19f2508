import { modelAliasesSchema } from "@one-api/contract/channels/model-aliases";
import { expect, test } from "vitest";
import {
  addToAlias,
  type AliasRow,
  isFollower,
  missingIn,
  readAliases,
  renameAlias,
  writeAliases,
} from "./aliases-text.ts";

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

const writtenFrom = (...rows: readonly Partial<AliasRow>[]) =>
  JSON.parse(
    writeAliases(
      rows.map((row, id) => ({ id, alias: "ab", model: "", weight: "", when: {}, firstTokenMs: undefined, ...row })),
    ),
  ) as unknown;

test("one weight makes an alias weighted, and empty rows are left out", () => {
  const rows = [{ model: "gpt-4o" }, { model: " gpt-4.1 ", weight: 10 }, { alias: " " }];
  expect(writtenFrom(...rows)).toEqual({ ab: { "gpt-4o": 0, "gpt-4.1": 10 } });
});

test("rows that lack a name or repeat one are written, stay in the table and are refused", () => {
  const wrong = [
    [{ model: "gpt-4o" }, {}],
    [{ model: "gpt-4o", weight: 9 }, { weight: 1 }],
    [{ alias: "", model: "gpt-4o" }],
    [
      { model: "gpt-4o", weight: 9 },
      { model: "gpt-4o", weight: 1 },
    ],
    [{ model: "gpt-4o" }, { model: "gpt-4o" }],
  ];
  for (const rows of wrong) {
    const written = writtenFrom(...rows);
    expect(modelAliasesSchema.safeParse(written).success, JSON.stringify(written)).toBe(false);
    expect(readAliases(JSON.stringify(written))).toHaveLength(rows.length);
  }
  const row = { id: 0, alias: "ab", model: " ", weight: "" };
  expect(missingIn(row)).toEqual({ alias: false, model: true });
  expect(missingIn({ ...row, alias: "", weight: 5 })).toEqual({ alias: true, model: true });
  expect(missingIn({ ...row, alias: "" })).toEqual({ alias: false, model: false });
});

test("an entry may have a weight, conditions and a deadline, which stay as they were", () => {
  const weighted = [{ model: "gpt-4o", weight: 9 }, "gpt-4.1"];
  expect(readAliases(JSON.stringify({ ab: weighted }))?.map(({ model, weight }) => [model, weight])).toEqual([
    ["gpt-4o", 9],
    ["gpt-4.1", 0],
  ]);
  const smart = [
    { model: "gpt-4o", when: { tools: true, input_price_to: 2.5 } },
    { model: "o3", first_token_ms: 2_000 },
    "gpt-4.1",
  ];
  const drawn = [
    { model: "gpt-4o", weight: 9, when: { prompt_to: 500 } },
    { model: "o3", weight: 0 },
  ];
  const text = JSON.stringify({ smart, drawn }, undefined, 2);
  expect(writeAliases(readAliases(text) ?? [])).toBe(text);
  expect(readAliases(JSON.stringify({ smart: [{ model: "gpt-4o", when: { colour: true } }] }))).toBeUndefined();
});

test("a text that is no aliases is no table, an empty one has no rows", () => {
  expect(readAliases('{"fast": 5}')).toBeUndefined();
  expect(readAliases("{")).toBeUndefined();
  expect(readAliases(" ")).toEqual([]);
  expect(writeAliases([])).toBe("");
});

test("a model is added to its own alias, and a new name is that of all its models", () => {
  const rows = readAliases(TEXT) ?? [];
  const [first] = rows;
  if (first === undefined) throw new Error("no rows");
  const [renamed] = renameAlias(addToAlias(rows, first), first, "ab").slice(2);
  expect(renamed).toMatchObject({ alias: "ab", model: "", follows: true });
  // An alias of the same name as the one above stays a row with a name of its own.
  expect(renameAlias(rows, first, "ab").map((row, _index, all) => isFollower(row, all))).toEqual([
    false,
    true,
    false,
    true,
  ]);
});
