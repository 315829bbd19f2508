import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { NO_USAGE, type Usage } from "@one-api/providers/usage";
import { ChargeTotal } from "./charge-total.ts";
import { computeCharge } from "./compute-charge.ts";
import type { Price } from "./price-model.ts";
import { samplePrice as price } from "./testing/sample-price.ts";

describe("ChargeTotal", () => {
  const used = (promptTokens: number, completionTokens: number, priceFactor = 0.5): Usage => ({
    ...NO_USAGE,
    promptTokens,
    completionTokens,
    priceFactor,
  });

  it("rounds the sum of many answers up once, and describes it", () => {
    const total = new ChargeTotal(price);
    for (let line = 0; line < 1_000; line += 1) total.add(used(1, 1));
    assert.equal(total.charge, Math.ceil(1_000 * (1 + 4) * 0.5 * 0.075));
    assert.deepEqual(total.describe("usage").terms, [
      ["input", 1_000, 0.5],
      ["output", 1_000, 2],
    ]);
  });

  it("charges each long prompt at its own price", () => {
    const long = { ...price, modelRatio: 0.15, completionRatio: 3 };
    const stepped: Price = { ...price, steps: [{ above: 100, price: long }] };
    const lines = [used(80, 40), used(200, 1_000), used(100, 40)];
    const total = new ChargeTotal(stepped);
    for (const line of lines) total.add(line);
    assert.equal(total.charge, Math.ceil((180 + 80 * 4) * 0.5 * 0.075 + (200 + 1_000 * 3) * 0.5 * 0.15));
    const alone = new ChargeTotal(stepped);
    alone.add(used(200, 1_000));
    assert.equal(alone.charge, computeCharge(used(200, 1_000), stepped));
  });

  it("charges long prompts of a model whose short ones are free", () => {
    const free = { ...price, modelRatio: 0 };
    const stepped: Price = { ...free, steps: [{ above: 100, price: { ...price, modelRatio: 0.15 } }] };
    const total = new ChargeTotal(stepped);
    for (const line of [used(80, 40), used(200, 1_000)]) total.add(line);
    assert.equal(total.charge, computeCharge(used(200, 1_000), stepped));
    assert.ok(total.charge > 0);
  });

  it("costs nothing without usage, also for free models", () => {
    const total = new ChargeTotal({ ...price, modelRatio: 0 });
    assert.equal(total.charge, 0);
    total.add(used(100, 100));
    assert.equal(total.charge, 0);
  });
});
