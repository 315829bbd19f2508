import assert from "node:assert/strict";
import { test } from "node:test";
import type { LogRow } from "./log.repository.ts";
import { presentLog } from "./log.present.ts";
import { type UsageDetail, writeDetail } from "./usage-detail.ts";

const row: LogRow = {
  id: 1,
  user_id: 1,
  created_at: 5,
  type: 2,
  content: "",
  username: "mia",
  token_name: "main",
  model_name: "m",
  quota: 18_075,
  prompt_tokens: 1_000,
  completion_tokens: 500,
  channel_id: 7,
  token_id: 3,
  request_id: "r",
  elapsed_time: 9,
  is_stream: 0,
  detail: "",
  result: "ok",
  status_code: 200,
  shortfall: 0,
  first_byte_ms: 12,
  cost: 0,
};

const usage: UsageDetail = {
  end: "complete",
  upstream_model: "m-2",
  attempts: [{ channel: 7, status: 200, failure: "", duration_ms: 9 }],
};

const charge: UsageDetail["charge"] = {
  rule: "usage",
  source: "list",
  model_ratio: 1.25,
  group_ratio: 1,
  completion_ratio: 4,
  terms: [
    ["input", 640, 1],
    ["cached-input", 100, 0.5],
    ["cache-write", 20, 1.25],
    ["audio-input", 200, 16],
    ["cached-audio", 10, 2],
    ["image-input", 30, 1.5],
    ["output", 160, 4],
    ["reasoning", 40, 6],
    ["audio-output", 300, 32],
  ],
};

const present = (detail: UsageDetail, changes: Partial<LogRow> = {}, forAdmin = true) => {
  const changed = { ...row, ...changes };
  return presentLog({ ...changed, detail: writeDetail(detail, changed) }, forAdmin, new Map());
};

test("a charge has ratios, formula and cached tokens", () => {
  const log = present({ ...usage, charge });
  assert.equal(log.content, "Model ratio 1.25 × group ratio 1, completion ratio 4.");
  assert.deepEqual(log.detail, {
    ...usage,
    first_byte_ms: 12,
    told: { dropped: [], notes: undefined },
    charge: {
      model_ratio: 1.25,
      completion_ratio: 4,
      group_ratio: 1,
      cached_tokens: 100,
      rule: "usage",
      formula:
        "ceil((640 input + 100 cached input × 0.5 + 20 cache write × 1.25 + 200 audio input × 16 + 10 cached audio × 2 + 30 image input × 1.5 + 160 output × 4 + 40 reasoning × 6 + 300 audio output × 32) × 1.25 × 1) = 18075",
      formula_parts: {
        terms: charge.terms.map(([kind, count, ratio]) => ({
          kind,
          count,
          factors: ratio === 1 ? [] : [String(ratio)],
        })),
        quota: 18_075,
        source: "list",
      },
    },
  });
});

test("an entry has the source of its usage, a missing price, and dropped fields", () => {
  const text = (changes: Partial<UsageDetail>) => present({ ...usage, ...changes }).content;
  assert.match(
    text({ charge: { ...charge, rule: "estimated" } }),
    /4\. Counted here: the provider reported no usage\.$/,
  );
  assert.match(text({ charge: { ...charge, rule: "partial" } }), /charged for what was delivered\.$/);
  assert.match(text({ charge: { ...charge, source: "fallback" } }), /No price is known for this model/);
  assert.equal(text({ end: "timeout" }), "Nothing was charged: timeout.");
  assert.match(text({ charge, dropped: ["logit_bias", "seed"] }), /no place for it: logit_bias, seed\.$/);
});

test("the text beside the charge is translatable", () => {
  const dropped = ["logit_bias"];
  const notes = [{ code: "odd-prompt-tokens" as const, reported: 1e9, counted: 12 }];
  const odd = present({ ...usage, charge, dropped, notes });
  assert.deepEqual(odd.detail?.told, { dropped, notes });
  assert.match(odd.content, / The provider reported 1000000000 prompt tokens, which cannot be: 12 were counted\.$/);
  assert.equal(present({ ...usage, charge, dropped }, { content: "Passed on." }).detail?.told, undefined);
  const long = present({ ...usage, charge: { ...charge, source: "fallback", long_above: 200_000 } });
  assert.equal(long.detail?.charge?.formula_parts?.long_above, 200_000);
  assert.equal(long.detail?.charge?.formula_parts?.source, "fallback");
});

test("an entry of a batch has the number of lines and the price factor", () => {
  const text = (batch: NonNullable<UsageDetail["batch"]>) => present({ ...usage, charge, batch }).content;
  assert.match(text({ lines: 1, failed: 0, factor: 1 }), /^A batch: 1 answered line\. Model ratio/);
  const half = text({ lines: 7, failed: 2, factor: 0.5 });
  assert.match(
    half,
    /^A batch: 7 answered lines, and 2 with an error that cost nothing\. Each at half the price\. Model/,
  );
  const { content } = present({ ...usage, end: "lost", batch: { lines: 0, failed: 0, factor: 0.5 } });
  assert.match(content, /Nothing was charged: lost\.$/);
});

test("the cost at the provider is for administrators, where it is known", () => {
  assert.equal(present(usage, { cost: 7 }).cost, 7);
  for (const hidden of [present(usage, { cost: 7 }, false), present(usage, { cost: -1 }), present(usage, { cost: 0 })])
    assert.equal("cost" in hidden, false);
});

test("a formula without plain input begins with 0 tokens, and free models cost 0", () => {
  const free = present({ ...usage, charge: { ...charge, model_ratio: 0, terms: [["output", 3, 4]] } }, { quota: 0 });
  assert.equal(free.detail?.charge?.formula, "ceil((0 input + 3 output × 4) × 0 × 1) = 0");
});

test("a formula has units other than tokens, and their equivalent in tokens", () => {
  const rows: readonly (readonly [NonNullable<UsageDetail["charge"]>["terms"][number], string])[] = [
    [["image", 1, 1_000], "1 image × 1000"],
    [["image", 3, 1_125], "3 images × 1.125 × 1000"],
    [["character", 1_001, 1], "1001 characters"],
    [["second", 90, 3.333333333333], "90 seconds × 200/60"],
  ];
  for (const [term, told] of rows) {
    const log = present({ ...usage, charge: { ...charge, terms: [term] } });
    assert.equal(log.detail?.charge?.formula, `ceil((${told}) × 1.25 × 1) = ${log.quota}`);
    assert.deepEqual(log.detail?.charge?.units, { unit: term[0], count: term[1] });
  }
});

test("a formula shows products of ratios without rounding errors", () => {
  const terms: NonNullable<UsageDetail["charge"]>["terms"] = [
    ["input", 10, 1.1 * 3],
    ["long-cache-write", 2, 2],
  ];
  const log = present({ ...usage, charge: { ...charge, terms } });
  assert.match(log.detail?.charge?.formula ?? "", /10 input × 3\.3 \+ 2 long cache write × 2\)/);
});

test("an entry without a request has code and values; an unknown code leaves the text", () => {
  const stored = (code: string) => JSON.stringify({ event: { code, values: { quota: 500, name: "ben" } } });
  const told = (code: string) => presentLog({ ...row, content: "Words.", detail: stored(code) }, false, new Map());
  const known = told("quota-of-inviter");
  assert.deepEqual(known.event, { code: "quota-of-inviter", values: { quota: 500, name: "ben" } });
  assert.deepEqual([known.content, known.detail], ["Words.", undefined]);
  const unknown = told("cake-baked");
  assert.deepEqual([unknown.content, unknown.event, unknown.detail], ["Words.", undefined, undefined]);
});

test("an entry names the key used by a token with two valid keys", () => {
  const told = present({ ...usage, key_hint: "w1ns" }, {}, false);
  assert.equal(told.detail?.key_hint, "w1ns");
});

test("entries with a stored text keep it, also with a detail of an unknown form", () => {
  const refused = present({ ...usage, refusal: "model_not_found" }, { content: "No such model." });
  assert.deepEqual([refused.content, refused.detail?.first_byte_ms], ["No such model.", 12]);
  const unknown = presentLog({ ...row, content: "As written.", detail: '{"form":3}' }, true, new Map());
  assert.deepEqual([unknown.content, unknown.detail], ["As written.", undefined]);
});

test("users see neither channels nor upstream models", () => {
  const { detail } = present({ ...usage, charge }, {}, false);
  assert.equal(detail?.upstream_model, "");
  assert.deepEqual(
    detail?.attempts.map(({ channel }) => channel),
    [0],
  );
  assert.equal(detail?.charge?.cached_tokens, 100);
});

test("an entry without output tokens, or without a price by tokens, has no completion ratio", () => {
  const words = (detail: UsageDetail) => present(detail).content;
  assert.equal(words({ ...usage, charge, input_only: "embeddings" }), "Model ratio 1.25 × group ratio 1.");
  assert.equal(
    words({ ...usage, charge: { ...charge, terms: [["image", 3, 1_000]] } }),
    "Model ratio 1.25 × group ratio 1.",
  );
});
