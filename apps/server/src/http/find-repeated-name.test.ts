import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { findRepeatedName } from "./find-repeated-name.ts";

test("a name that stands twice in one object is found at any depth and however it is spelt", () => {
  assert.equal(findRepeatedName('{"id":1,"id":2}'), "id");
  assert.equal(findRepeatedName('{"id":1,"\\u0069d":2}'), "id");
  assert.equal(findRepeatedName('[{"a":{"x":[{"b":1 , "b" : 2}]}}]'), "b");
  assert.equal(findRepeatedName('{"__proto__":1,"__proto__":2}'), "__proto__");
  assert.equal(findRepeatedName('{"":1,"":2}'), "");
});

test("a name in other objects, a value like a name and a quote in a text are no repetition", () => {
  for (const json of [
    '{"a":{"a":1}}',
    '[{"a":1},{"a":2}]',
    '{"a":"a","b":"a"}',
    '{"a":"\\"a\\":","b":"\\\\"}',
    "1",
    '"a"',
  ]) {
    assert.equal(findRepeatedName(json), undefined, json);
  }
});

test("nothing is found in what was written from an object", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(undefined, 2), (value, space) => {
      assert.equal(findRepeatedName(JSON.stringify(value, undefined, space)), undefined);
    }),
  );
});
