import assert from "node:assert/strict";
import { test } from "node:test";
import { defaultPrice } from "./prices/default-price.ts";
import { priceToRatios } from "./prices/price-to-ratios.ts";
import { PROVIDERS } from "./registry.ts";

const now = new Date("2026-11-21T10:00:00Z");

test("every offered price is a number, not negative, and convertible to ratios", () => {
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

/** Offered models without a price that two lists confirm; docs/charges.md names them. Ollama runs on the operator's machine. */
const unpriced = [
  "irag-1.0 flux.1-schnell",
  "Spark-4.0-Ultra Spark-Max Spark-Max-32K Spark-Pro Spark-Pro-128K spark-x",
  "openrouter/auto",
  "hunyuan-2.0-instruct-20251111 hunyuan-2.0-thinking-20251109 hunyuan-pro",
  "MiniMax-VL-01",
  "command-a-plus-05-2026 command-a-vision-07-2025 command-a-translate-08-2025",
  "qwen/qwen3-embedding-0.6b",
  "deepseek-ai/DeepSeek-V3.1 Pro/THUDM/glm-4-9b-chat Pro/Qwen/Qwen2-7B-Instruct Kwai-Kolors/Kolors",
];

test("every offered model has a price, except those without a known one", () => {
  const OLLAMA = 30;
  const known = new Set(unpriced.flatMap((names) => names.split(" ")));
  const missing = [...PROVIDERS.values()]
    .filter(({ type }) => type !== OLLAMA)
    .flatMap(({ type, models }) => models.filter((model) => defaultPrice(model, type, now) === undefined));
  assert.deepEqual(missing.sort(), [...known].sort());
});
