import assert from "node:assert/strict";
import { it } from "node:test";
import { mostImageTokens } from "./image-prices.ts";

it("takes a quality that nobody knows for the best that has a price, whatever it is called", () => {
  const of = (quality: string) => mostImageTokens("gpt-image-1", { size: "1024x1024", quality }, 0);
  assert.deepEqual(["high", "finest", "constructor", "__proto__"].map(of), [4_160, 4_160, 4_160, 4_160]);
});
