import assert from "node:assert/strict";
import { it } from "node:test";
import { mostImageTokens } from "./image-prices.ts";

it("charges an unknown quality as the best one with a price", () => {
  const of = (quality: string) => mostImageTokens("gpt-image-1", { size: "1024x1024", quality }, 0);
  assert.deepEqual(["high", "finest", "constructor", "__proto__"].map(of), [4_160, 4_160, 4_160, 4_160]);
});
