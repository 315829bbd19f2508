import { expect, test } from "vitest";
import { formatTokenLimit } from "./format-token-limit.ts";

test("limits of tokens are written as providers write them", () => {
  const texts = [512, 8_191, 8_192, 16_384, 32_768, 64_000, 65_536, 128_000, 131_072, 200_000].map(formatTokenLimit);
  expect(texts).toEqual(["512", "8K", "8K", "16K", "32K", "64K", "64K", "128K", "128K", "200K"]);
  expect([1_000_000, 1_047_576, 1_048_576, 2_097_152].map(formatTokenLimit)).toEqual(["1M", "1M", "1M", "2M"]);
});
