import { expect, test } from "vitest";
import { tokenStatusLook } from "./token-columns.tsx";

test("[TLIMIT-01..04] the four states and anything else have a name and a tone", () => {
  expect([1, 2, 3, 4, 9].map(tokenStatusLook)).toEqual([
    { name: "enabled", tone: "good" },
    { name: "disabled", tone: "neutral" },
    { name: "expired", tone: "warning" },
    { name: "exhausted", tone: "danger" },
    { name: "unknown", tone: "neutral" },
  ]);
});
