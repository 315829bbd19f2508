import assert from "node:assert/strict";
import { test } from "node:test";
import { findFolderCycles } from "./find-folder-cycles.mjs";

/** The circles of imports `from target`, by file. @param {string[]} imports */
function circlesOf(imports) {
  const found = findFolderCycles(
    imports.map((text) => {
      const [file = "", target = ""] = text.split(" ");
      return { file, target, line: 1 };
    }),
  );
  return found.map((line) => line.replace(/:1:[^(]*/, " ").replace(/: move.*/, ""));
}

test("folders that import each other are shown with the circle, those outside of it are not", () => {
  const found = circlesOf(["x/a/f.ts x/b/f.ts", "x/b/f.ts x/c/f.ts", "x/c/f.ts x/a/f.ts", "x/d/f.ts x/a/f.ts"]);
  assert.deepEqual(found, ["x/a/f.ts (a → b → c → a)", "x/b/f.ts (b → c → a → b)", "x/c/f.ts (c → a → b → c)"]);
});

test("files deeper in two folders are a circle of these folders", () => {
  assert.deepEqual(circlesOf(["x/a/deep/f.ts x/b/f.ts", "x/b/other/f.ts x/a/f.ts"]), [
    "x/a/deep/f.ts (a → b → a)",
    "x/b/other/f.ts (b → a → b)",
  ]);
});

test("a folder and those inside it may import each other", () => {
  assert.deepEqual(circlesOf(["x/a/f.ts x/f.ts", "x/f.ts x/a/f.ts", "x/a/f.ts x/a/g.ts"]), []);
});

test("one direction is no circle, and equal names in other folders are other folders", () => {
  assert.deepEqual(circlesOf(["x/a/f.ts x/b/f.ts", "y/b/f.ts y/a/f.ts"]), []);
});
