import { expect, test } from "vitest";
import { coloursOf, NAME_COLOURS } from "./colour-of-name.ts";

test("a name has its colour wherever it stands, and those that are shown together have different ones", () => {
  const alone = coloursOf(["gpt-4o"]).get("gpt-4o");
  expect(coloursOf(["gpt-4o", "o3", "claude"]).get("gpt-4o")).toBe(alone);
  const names = Array.from({ length: NAME_COLOURS.length }, (_, index) => `model ${index}`);
  expect(new Set(coloursOf(names).values()).size).toBe(NAME_COLOURS.length);
  expect(coloursOf([...names, "one more"]).get("one more")).toBe(coloursOf(["one more"]).get("one more"));
});
