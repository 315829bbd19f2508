import assert from "node:assert/strict";
import { test } from "node:test";
import type { ModelPriceInDollars } from "@one-api/contract/prices/model-prices";
import { kindOf } from "./compare-lists.ts";
import { decideChanges, dueTime } from "./price-policy.ts";

const tokens = (input: number, output: number, more: ModelPriceInDollars = {}) => ({ input, output, ...more });
const longer = (above: number, input: number, output: number) => ({ steps: [{ above, input, output }] });

const kinds: readonly (readonly [string, ModelPriceInDollars | null, ModelPriceInDollars | null, string])[] = [
  ["both prices fall", tokens(2, 8), tokens(1, 4), "cheaper"],
  ["one rises", tokens(2, 8), tokens(1, 9), "dearer"],
  ["a cache read gets a price of its own", tokens(2, 8), tokens(2, 8, { cached_input: 1 }), "cheaper"],
  ["a cache read loses its price", tokens(2, 8, { cached_input: 1 }), tokens(2, 8), "dearer"],
  ["thoughts cost more than the answer", tokens(2, 8), tokens(2, 8, { reasoning: 9 }), "dearer"],
  ["long prompts cost more", tokens(2, 8), tokens(2, 8, longer(200_000, 4, 12)), "dearer"],
  ["long prompts begin earlier", tokens(2, 8, longer(200, 4, 12)), tokens(2, 8, longer(100, 4, 12)), "dearer"],
  ["long prompts begin later", tokens(2, 8, longer(100, 4, 12)), tokens(2, 8, longer(200, 4, 12)), "cheaper"],
  ["a model is new", null, tokens(2, 8), "new"],
  ["a new model is free", null, tokens(0, 0), "odd"],
  ["a new model costs more than the fallback", null, tokens(70, 80), "odd"],
  ["a model is gone", tokens(2, 8), null, "odd"],
  ["a price falls to nothing", tokens(2, 8), tokens(0, 0), "odd"],
  ["a price rises from nothing", tokens(0, 0), tokens(2, 8), "odd"],
  ["a price falls below a tenth", tokens(2, 8), tokens(0.19, 8), "odd"],
  ["a price rises above tenfold", tokens(2, 8), tokens(2, 81), "odd"],
  ["the unit changes", tokens(2, 8), { per_request: 0.01 }, "odd"],
  ["an image gets cheaper", { per_image: 0.04 }, { per_image: 0.03 }, "cheaper"],
];

for (const [what, before, after, kind] of kinds) {
  test(`${what}: ${kind}`, () => assert.equal(kindOf(before, after), kind));
}

const change = (kind: "new" | "cheaper" | "dearer" | "odd", input = 3) => ({
  model: kind,
  type: 1,
  served: true,
  before: tokens(2, 8),
  after: tokens(input, 8),
  has_own_ratio: false,
  kind,
});
const all = [change("new"), change("cheaper"), change("dearer"), change("odd")];
const names = (changes: readonly { readonly model: string }[]) => changes.map(({ model }) => model);
const DAY = 86_400;

for (const [policy, now, later] of [
  ["manual", [], []],
  ["cheaper", ["new", "cheaper"], ["new", "cheaper"]],
  ["delayed", ["new", "cheaper"], ["new", "cheaper", "dearer"]],
] as const) {
  test(`the policy ${policy} applies ${now.join(", ") || "nothing"} at once, and never what looks odd`, () => {
    const first = decideChanges(policy, all, {}, 1_000);
    assert.deepEqual([names(first.apply), first.found.length], [now, all.length - now.length]);
    const early = decideChanges(policy, all, first.waiting, 1_000 + DAY - 1);
    assert.deepEqual([names(early.apply), early.found], [now, []]);
    assert.deepEqual(names(decideChanges(policy, all, early.waiting, 1_000 + DAY).apply), later);
  });
}

test("a dearer price that changes again waits for another day", () => {
  const { waiting } = decideChanges("delayed", [change("dearer")], {}, 0);
  const again = decideChanges("delayed", [change("dearer", 4)], waiting, DAY);
  assert.deepEqual([again.apply, names(again.found)], [[], ["dearer"]]);
  assert.equal(dueTime("delayed", "dearer", 5), 5 + DAY);
  assert.deepEqual([dueTime("cheaper", "dearer", 5), dueTime("delayed", "odd", 5)], [null, null]);
});
