import assert from "node:assert/strict";
import { test } from "node:test";
import { formatPrices, nextStart, parsePrices, priceInForce } from "./model-prices.ts";

const read = (text: string) => {
  const parsed = parsePrices(text);
  assert.ok(parsed.prices !== undefined, JSON.stringify(parsed));
  return parsed.prices;
};

test("prices are a map of dated prices in the order of their times", () => {
  const prices = read(`{
    "plain": {"input": 2, "output": 8, "cache_write_1h": 4, "tiers": {"flex": 0.5}, "steps": [{"above": 200000, "input": 4, "output": 12}]},
    "call(3)": {"per_request": 0.02},
    "later": [{"from": "2026-12-01", "input": 4, "output": 20}, {"input": 2, "output": 12}]
  }`);
  const later = prices.get("later") ?? [];
  const start = Date.UTC(2026, 11, 1);
  assert.deepEqual([...prices.keys()], ["plain", "call(3)", "later"]);
  assert.equal(priceInForce(later, start - 1)?.input, 2);
  assert.equal(priceInForce(later, start)?.input, 4);
  assert.equal(nextStart(prices, start - 1), start);
  assert.equal(nextStart(prices, start), Number.POSITIVE_INFINITY);
  assert.deepEqual(read(formatPrices(prices)), prices);
  assert.equal(formatPrices(read("")), "");
  const zoned = read('{"m": {"from": "2026-12-01T08:00:00+08:00", "input": 1, "output": 1}}').get("m") ?? [];
  assert.deepEqual([priceInForce(zoned, start - 1), priceInForce(zoned, start)?.input], [undefined, 1]);
});

const faults: readonly (readonly [text: string, field: string, reason: RegExp])[] = [
  ["{", "", /JSON/],
  ["[]", "", /object/],
  ['{" m": {"input": 1, "output": 1}}', " m", /space/],
  ['{"m": 1}', "m", /object/],
  ['{"m": {"input": 1}}', "m.output", /missing/],
  ['{"m": {}}', "m.input", /missing/],
  ['{"m": {"input": "1", "output": 1}}', "m.input", /number of dollars/],
  ['{"m": {"input": -1, "output": 1}}', "m.input", /from 0.000001/],
  ['{"m": {"input": 1e-9, "output": 1}}', "m.input", /from 0.000001/],
  ['{"m": {"input": 2000000, "output": 1}}', "m.input", /to 1000000/],
  ['{"m": {"input": 0, "output": 1}}', "m.input", /above 0, because output is/],
  ['{"m": {"input": 1, "output": 1, "ouput": 1}}', "m.ouput", /no field/],
  ['{"m": {"per_request": 1, "input": 1}}', "m.input", /beside per_request/],
  ['{"m": {"per_request": 1, "per_image": 1}}', "m.per_image", /beside per_request/],
  ['{"m": {"input": 1, "output": 1, "steps": [{"above": 9, "input": 2}]}}', "m.steps.0.output", /missing/],
  [
    '{"m": {"input": 1, "output": 1, "steps": [{"above": 9, "input": 2, "output": 2}, {"above": 9, "input": 3, "output": 3}]}}',
    "m.steps.1.above",
    /above that/,
  ],
  ['{"m": {"input": 1, "output": 1, "tiers": {"flex": 0}}}', "m.tiers.flex", /factor from 0.001 to 100/],
  ['{"m": {"input": 1, "output": 1, "tiers": {"flex": "half"}}}', "m.tiers.flex", /factor/],
  ['{"m": {"input": 1, "output": 1, "tiers": {"flx": 0.5}}}', "m.tiers.flx", /no field/],
  ['{"m": {"per_request": 1, "tiers": {"flex": 0.5}}}', "m.tiers", /beside per_request/],
  ['{"m": [{"from": "1 December", "input": 1, "output": 1}]}', "m.0.from", /a day like/],
  ['{"m": [{"from": "2026-12-01T08:00:00", "input": 1, "output": 1}]}', "m.0.from", /a day like/],
  ['{"m": [{"from": "2026-02-30", "input": 1, "output": 1}]}', "m.0.from", /a day like/],
  ['{"m": [{"input": 1, "output": 1}, {"input": 2, "output": 2}]}', "m.1.from", /another/],
  ['{"m": []}', "m", /1 to 50/],
  ['{"m": {"input": 1, "output": 1}, "n": {"input": 1, "output": 1}, "m": {"input": 2, "output": 2}}', "m", /twice/],
  ['{"m": {"input": 1, "output": 1, "input": 5}}', "input", /twice/],
];

for (const [text, field, reason] of faults) {
  test(`${text} is wrong at "${field}"`, () => {
    const parsed = parsePrices(text);
    assert.ok(parsed.prices === undefined);
    assert.equal(parsed.problem.field, field);
    assert.match(parsed.problem.reason, reason);
  });
}
