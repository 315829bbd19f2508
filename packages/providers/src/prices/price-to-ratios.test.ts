import assert from "node:assert/strict";
import { test } from "node:test";
import { type ModelPrice, priceToRatios } from "./price-to-ratios.ts";

function price(input: string, output: string, rest: Partial<ModelPrice> = {}): ModelPrice {
  return { input, output, source: "test", simplified: [], ...rest };
}

test("[CONST-24] model ratio 1 is two dollars per million input tokens", () => {
  assert.deepEqual(priceToRatios(price("2", "8")), { modelRatio: "1", completionRatio: "4" });
  assert.deepEqual(priceToRatios(price("2.5", "10")), { modelRatio: "1.25", completionRatio: "4" });
  assert.deepEqual(priceToRatios(price("0.075", "0.3")), { modelRatio: "0.0375", completionRatio: "4" });
  assert.deepEqual(priceToRatios(price("0.003625", "0.87")), { modelRatio: "0.0018125", completionRatio: "240" });
});

test("every kind of token has its ratio to an input token", () => {
  const full = price("4", "16", {
    cachedInput: "0.4",
    cacheWrite: "5",
    audioInput: "32",
    cachedAudio: "0.4",
    reasoning: "20",
    audioOutput: "64",
    imageInput: "5",
  });
  assert.deepEqual(priceToRatios(full), {
    modelRatio: "2",
    completionRatio: "4",
    cachedRatio: "0.1",
    cacheWriteRatio: "1.25",
    audioRatio: "8",
    cachedAudioRatio: "0.1",
    reasoningRatio: "5",
    audioCompletionRatio: "16",
    imageRatio: "1.25",
  });
});

test("endless ratios are truncated after twelve digits, so a whole charge is not rounded up", () => {
  const ratios = priceToRatios(price("1.5", "2"));
  assert.equal(ratios?.completionRatio, "1.333333333333");
  assert.equal(Math.ceil(3 * Number(ratios?.completionRatio)), 4);
  assert.equal(priceToRatios(price("3", "2"))?.completionRatio, "0.666666666666");
});

test("a free model has ratio 0, and free input with paid output has no ratios", () => {
  assert.deepEqual(priceToRatios(price("0", "0")), { modelRatio: "0", completionRatio: "1" });
  assert.equal(priceToRatios(price("0", "3")), undefined);
});
