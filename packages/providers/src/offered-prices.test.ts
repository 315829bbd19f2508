import assert from "node:assert/strict";
import { test } from "node:test";
import { defaultPrice } from "./prices/default-price.ts";
import { priceToRatios } from "./prices/price-to-ratios.ts";
import { PROVIDERS } from "./registry.ts";

const now = new Date("2026-11-21T10:00:00Z");

test("no offered model has a price that is negative, no number, or cannot be put into ratios", () => {
  for (const provider of PROVIDERS.values()) {
    for (const model of provider.models) {
      const price = defaultPrice(model, provider.type, now);
      if (price === undefined) continue;
      for (const part of [
        price.input,
        price.output,
        price.cachedInput,
        price.cacheWrite,
        price.audioInput,
        price.audioOutput,
        price.imageInput,
      ]) {
        assert.match(part ?? "0", /^\d+(?:\.\d*[1-9])?$/, `${model} of type ${provider.type}`);
      }
      assert.ok(priceToRatios(price) !== undefined, `${model} of type ${provider.type}`);
    }
  }
});
