import assert from "node:assert/strict";
import { test } from "node:test";
import * as z from "zod/mini";
import { createFindUnknownName } from "./find-unknown-name.ts";

const limits = z.object({ daily: z.optional(z.int()) });
const schema = z.object({
  name: z.string(),
  limits: z.nullable(limits),
  rows: z.optional(z.array(limits)),
  byModel: z.record(z.string(), limits),
  value: z.union([z.string(), z.object({ first: z.int() }), z.object({ second: z.int() })]),
  loose: z.looseObject({ known: z.int() }),
  text: z.pipe(
    z.transform((value) => value ?? ""),
    z.string(),
  ),
});
const find = createFindUnknownName(schema);

for (const [value, path] of [
  [{ name: "x", limits: { daily: 1 }, rows: [{ daily: 1 }], byModel: { any: { daily: 1 } } }, undefined],
  [{ nam: "x" }, ["nam"]],
  [{ limits: { dayly: 1 } }, ["limits", "dayly"]],
  [{ limits: null, rows: [{}, { dayly: 1 }] }, ["rows", "1", "dayly"]],
  [{ byModel: { any: { dayly: 1 } } }, ["byModel", "any", "dayly"]],
  [{ value: { first: 1 } }, undefined],
  [{ value: { second: 1 } }, undefined],
  [{ value: { third: 1 } }, ["value", "third"]],
  [{ loose: { more: 1 } }, undefined],
  [{ text: { any: 1 } }, undefined],
  [{ name: { wrong: "type" } }, undefined],
  [JSON.parse('{"constructor": 1}'), ["constructor"]],
  [undefined, undefined],
  ["text", undefined],
  [[{ nam: 1 }], undefined],
] as const)
  test(`in ${JSON.stringify(value)} ${path === undefined ? "all names are known" : `${path.join(".")} is unknown`}`, () => {
    assert.deepEqual(find(value)?.path, path);
  });

test("an unknown name comes with those that its object may have", () => {
  assert.deepEqual(find({ value: { third: 1 } })?.known, ["first", "second"]);
});

test("a schema that takes any value knows every name", () => {
  assert.equal(createFindUnknownName(z.unknown())({ any: 1 }), undefined);
});

test("fields of the answer are no unknown ones, but within other objects", () => {
  const answer = z.union([z.null(), z.array(z.object({ id: z.int(), limits, used: z.int() }))]);
  const findSent = createFindUnknownName(schema, answer);
  assert.equal(findSent({ name: "x", id: 7, used: 1, limits: { daily: 1 } }), undefined);
  assert.deepEqual(findSent({ id: 7, limits: { used: 1 } })?.path, ["limits", "used"]);
});
