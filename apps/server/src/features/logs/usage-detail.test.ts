import assert from "node:assert/strict";
import { test } from "node:test";
import { readDetail, type UsageCharge, type UsageDetail, writeDetail } from "./usage-detail.ts";

const columns = {
  model_name: "m",
  channel_id: 7,
  status_code: 200,
  first_byte_ms: 12,
  prompt_tokens: 1_000,
  completion_tokens: 500,
};

const attempt = { channel: 7, status: 200, failure: "", duration_ms: 12, choice: { by: "only" as const } };

const charge: UsageCharge = {
  rule: "usage",
  source: "list",
  model_ratio: 1.25,
  group_ratio: 1,
  completion_ratio: 4,
  terms: [
    ["input", 1_000, 1],
    ["output", 500, 4],
  ],
};

const plain: UsageDetail = { end: "complete", upstream_model: "m", group: "default", attempts: [attempt], charge };

const read = (text: string, of = columns) => readDetail(JSON.parse(text), of);

/** Each differs from the plain detail as its name says. */
const others: Readonly<Record<string, Partial<UsageDetail>>> = {
  "another end": { end: "timeout" },
  "a model of another name": { upstream_model: "m-2024" },
  "no model": { upstream_model: "" },
  "no group": { group: undefined },
  "the name of no group": { group: "" },
  "no attempt": { attempts: [] },
  "an attempt elsewhere": { attempts: [{ ...attempt, channel: 8 }] },
  "an attempt with another status": { attempts: [{ ...attempt, status: 0 }] },
  "a failed attempt": { attempts: [{ ...attempt, failure: "caller-gone" }] },
  "an attempt that began later": { attempts: [{ ...attempt, duration_ms: 11 }] },
  "an attempt that nobody chose": { attempts: [{ ...attempt, choice: undefined }] },
  "a pinned channel": { attempts: [{ ...attempt, choice: { by: "pinned" } }] },
  "the only channel that was awake": { attempts: [{ ...attempt, choice: { by: "only", passed: [[8, 3, 40]] } }] },
  "the only channel beside many": { attempts: [{ ...attempt, choice: { by: "only", more: 3 } }] },
  "a share": { attempts: [{ ...attempt, choice: { by: "share", share: 50, passed: [[8, 0, 50]], more: 1 } }] },
  "two attempts": { attempts: [{ ...attempt, channel: 6, status: 500, failure: "overloaded: no" }, attempt] },
  "two good attempts": { attempts: [attempt, attempt] },
  "no charge": { charge: undefined },
  "a counted usage": { charge: { ...charge, rule: "estimated" } },
  "a cut answer": { charge: { ...charge, rule: "partial" } },
  "a price of an option": { charge: { ...charge, source: "option" } },
  "no known price": { charge: { ...charge, source: "fallback" } },
  "a free group": { charge: { ...charge, group_ratio: 0 } },
  "a long prompt": { charge: { ...charge, long_above: 200 } },
  "no term": { charge: { ...charge, terms: [] } },
  "one term": { charge: { ...charge, terms: [["input", 1_000, 1]] } },
  "another term": {
    charge: {
      ...charge,
      terms: [
        ["audio-input", 1_000, 1],
        ["output", 500, 4],
      ],
    },
  },
  "a term of other tokens": {
    charge: {
      ...charge,
      terms: [
        ["input", 999, 1],
        ["output", 500, 4],
      ],
    },
  },
  "a term of another ratio": {
    charge: {
      ...charge,
      terms: [
        ["input", 1_000, 1],
        ["output", 500, 2],
      ],
    },
  },
  "three terms": { charge: { ...charge, terms: [...charge.terms, ["tool-fee", 1, 200]] } },
  "what else there is": {
    input_only: "rerank",
    key_hint: "w1ns",
    system_prompt: "added",
    batch: { lines: 1, failed: 0, factor: 0.5 },
    refusal: "quota",
    refusal_values: { limit: 3 },
    refusal_count: 2,
    dropped: ["seed"],
    notes: [{ code: "odd-prompt-tokens", reported: 1e9, counted: 3 }],
  },
};

test("default values are not stored, and restored on reading", () => {
  const text = writeDetail(plain, columns);
  assert.equal(text, '{"form":2,"group":"default","charge":{"model_ratio":1.25,"completion_ratio":4}}');
  assert.deepEqual(read(text), plain);
});

for (const [name, changes] of Object.entries(others)) {
  test(`${name} is written and read`, () => {
    const detail = { ...plain, ...changes };
    const wanted: unknown = JSON.parse(JSON.stringify(detail));
    const text = writeDetail(detail, columns);
    assert.notEqual(text, writeDetail(plain, columns));
    assert.deepEqual(withoutUndefined(read(text)), wanted);
  });
}

test("kinds without tokens are not derived from columns with 0", () => {
  for (const [prompt_tokens, completion_tokens] of [
    [0, 0],
    [3, 0],
    [0, 3],
  ] as const) {
    const none = { ...columns, prompt_tokens, completion_tokens };
    const terms = charge.terms.map(([kind, , ratio]): (typeof charge.terms)[number] => [
      kind,
      kind === "input" ? prompt_tokens : completion_tokens,
      ratio,
    ]);
    const detail = { ...plain, charge: { ...charge, terms: terms.filter(([, tokens]) => tokens > 0) } };
    const text = writeDetail(detail, none);
    assert.doesNotMatch(text, /terms/);
    assert.deepEqual(read(text, none), detail);
  }
});

test("an unknown form is not a detail", () => {
  for (const json of [
    undefined,
    {},
    [],
    { end: "complete" },
    { end: "complete", upstream_model: "m", attempts: [] },
    { form: 3, group: "g" },
    { form: 2, attempts: 1 },
  ])
    assert.equal(readDetail(json, columns), undefined);
});

function withoutUndefined(detail: UsageDetail | undefined): unknown {
  return JSON.parse(JSON.stringify(detail));
}
