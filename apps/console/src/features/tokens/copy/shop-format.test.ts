import { expect, test } from "vitest";
import { shopFormat } from "./shop-format.ts";

test("[TLIST-08] one token is one line of name and key", () => {
  expect(shopFormat([{ name: "Main", key: "abc" }])).toBe("Main----sk-abc");
});

test("[TLIST-09] several tokens are one line each", () => {
  expect(
    shopFormat([
      { name: "Main", key: "abc" },
      { name: "客服", key: "def" },
    ]),
  ).toBe("Main----sk-abc\n客服----sk-def");
});
