import assert from "node:assert/strict";
import { test } from "node:test";
import { fitsKeyForm, joinKey, keyHint, splitKey, splitKeys } from "./channel-key.ts";
import { channelTypeInfo, CHANNEL_TYPES, effectiveBaseUrl, effectiveOther } from "./channel-types.ts";

function formOf(type: number) {
  const form = channelTypeInfo(type)?.key;
  assert.ok(form !== undefined);
  return form;
}

test("types, names and labels stand once, by number, and every type has an address, a region or must be given one", () => {
  const numbers = CHANNEL_TYPES.map(({ type }) => type);
  assert.deepEqual(
    numbers,
    Array.from({ length: 46 }, (_, index) => index + 1),
  );
  for (const unique of [(info: (typeof CHANNEL_TYPES)[number]) => info.name, (info: { label: string }) => info.label]) {
    assert.equal(new Set(CHANNEL_TYPES.map(unique)).size, CHANNEL_TYPES.length);
  }
  for (const { baseUrl, needsBaseUrl, key, label } of CHANNEL_TYPES) {
    const hasRegion = key?.parts.some(({ config }) => config === "region") === true;
    assert.ok((baseUrl !== "") !== (needsBaseUrl === true || hasRegion), label);
    assert.ok(baseUrl === "" || URL.canParse(baseUrl), label);
  }
});

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
  [15, "one-part", false],
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

test("[CHFORM-15] an empty address or `other` stands for the type's own", () => {
  assert.equal(effectiveBaseUrl(1, ""), "https://api.openai.com");
  assert.equal(effectiveBaseUrl(1, "https://mine.example"), "https://mine.example");
  assert.equal(effectiveBaseUrl(999, ""), "");
  assert.equal(effectiveOther(3, ""), "2024-03-01-preview");
  assert.equal(effectiveOther(3, "2025-01-01"), "2025-01-01");
  assert.equal(effectiveOther(18, ""), "");
});

test("[CHFORM-16] [CHFORM-17] Azure's models are deployments at an endpoint that the channel names", () => {
  const azure = channelTypeInfo(3);
  assert.deepEqual([azure?.deployments, azure?.needsBaseUrl], [true, true]);
});

test("[CHFORM-12] Spark's `other` is a model version", () => {
  assert.equal(channelTypeInfo(18)?.other, "model-version");
});
