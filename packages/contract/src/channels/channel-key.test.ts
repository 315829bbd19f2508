import assert from "node:assert/strict";
import { test } from "node:test";
import { fitsKeyForm, joinKey, keyHint, splitKey, splitKeys } from "./channel-key.ts";
import { channelTypeInfo, CHANNEL_TYPES } from "./channel-types.ts";

function formOf(type: number) {
  const form = channelTypeInfo(type)?.key;
  assert.ok(form !== undefined);
  return form;
}

test("hints are written as the keys are", () => {
  assert.equal(keyHint(formOf(33)), "ak|sk|region");
  assert.equal(keyHint(formOf(42)), "region|project id|credentials");
  assert.equal(keyHint(formOf(22)), "APIKey-AppId");
});

test("splitting gives back what joining took", () => {
  for (const { key } of CHANNEL_TYPES) {
    if (key === undefined) continue;
    const values = key.parts.map(({ isDocument }, index) => (isDocument === true ? '{"a":"b|c"}' : `part${index}`));
    assert.deepEqual(splitKey(key, joinKey(key, values)), values);
    assert.equal(joinKey(key, ["", ...values.slice(1)]), "");
    assert.equal(splitKey(key, "alone"), undefined);
  }
});

test("credentials go on one line, and a key whose document stands on several lines is one key", () => {
  const form = formOf(42);
  assert.equal(joinKey(form, ["us-east1", "project", '{\n  "a": 1\n}']), 'us-east1|project|{"a":1}');
  const spread = 'us-east1|project|{\n  "a": 1\n}';
  assert.deepEqual(splitKeys(form, spread), [spread]);
  assert.deepEqual(splitKeys(form, "r|p|{}\n\nr|q|{}\n"), ["r|p|{}", "r|q|{}"]);
  assert.deepEqual(splitKeys(undefined, " one \n\ntwo\n"), ["one", "two"]);
});

const keys: readonly (readonly [type: number, key: string, fits: boolean])[] = [
  [1, "anything|at all", true],
  [15, "api|secret", true],
  [15, "api|", false],
  [15, "bce-v3/ALTAK-1/2", true],
  [15, "api|secret|more", false],
  [18, "app|secret|key", true],
  [18, "app|secret|key|more", false],
  [22, "fastgpt-key-without-form", true],
  [33, "ak|sk|us-east-1", true],
  [33, "ak|sk", false],
  [33, "one-bearer-secret", true],
  [42, 'region|project|{"a":"b|c"}', true],
  [42, "region|project|", false],
];

for (const [type, key, fits] of keys) {
  test(`type ${type} ${fits ? "takes" : "refuses"} the key ${key}`, () => {
    assert.equal(fitsKeyForm(channelTypeInfo(type)?.key, key), fits);
  });
}
