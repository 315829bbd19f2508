import assert from "node:assert/strict";
import { test } from "node:test";
import { findUnprovedLines, readProvedIds, readSpecification } from "./find-unproved-lines.mjs";

const document = `# Specification

## Cats

- CAT-01 A cat sleeps.
- CAT-02 A cat wakes (and eats).
- CAT-03 A cat is typed. (check: types)
- DOG-01 A dog barks.

## Not built yet

- DOG-01
`;
const checks = new Set(["types"]);
const specification = readSpecification(document);

/** @param {Record<string, string[]>} proved @param {string[]} [before] */
function find(proved, before) {
  const notBuiltBefore = before === undefined ? undefined : new Set(before);
  return findUnprovedLines(specification, new Map(Object.entries(proved)), { checks, notBuiltBefore });
}

test("names of tests carry single ids, ranges and lists", () => {
  const source = `
    test("[CAT-01] [CAT-09..11] sleeps", () => {});
    test(\`wakes [CAT-002, DOG-01..02]\`, () => {});
    // [CAT-50] is in a comment
    /** [CAT-51] */
    assert.match(text, /[A-Z]-1/);`;
  assert.deepEqual(readProvedIds(source), "CAT-01 CAT-09 CAT-10 CAT-11 CAT-002 DOG-01 DOG-02".split(" "));
});

test("nothing is found while every line has a test, a check, or is not built yet", () => {
  assert.deepEqual(find({ "cat.test.ts": ["CAT-01", "CAT-02"] }), []);
  assert.deepEqual(
    find({ "cat.test.ts": ["CAT-01", "CAT-02", "RFC-9110"] }, ["DOG-01"]),
    [],
    "other brackets are none of ours",
  );
});

test("a line without a test is found", () => {
  assert.match(find({ "cat.test.ts": ["CAT-01"] }).join(), /^CAT-02: no test names it/);
});

test("a test of a line that there is not is found", () => {
  assert.match(find({ "cat.test.ts": ["CAT-01", "CAT-02", "CAT-04"] }).join(), /^cat\.test\.ts: names CAT-04/);
});

test("what is not built yet may only become less", () => {
  const proved = { "cat.test.ts": ["CAT-01", "CAT-02"] };
  assert.match(find({ ...proved, "dog.test.ts": ["DOG-01"] }).join(), /^DOG-01: is proved; take it out/);
  assert.match(find(proved, []).join(), /^DOG-01: was proved before/);
});

test("a check that there is not proves nothing", () => {
  const lines = new Map([["CAT-01", "thoughts"]]);
  const found = findUnprovedLines({ lines, notBuilt: new Set(["CAT-09"]) }, new Map(), {
    checks,
    notBuiltBefore: undefined,
  });
  assert.deepEqual(
    found.map((finding) => finding.slice(0, 26)),
    ["CAT-01: there is no check ", 'CAT-09: "Not built yet" na'],
  );
});
