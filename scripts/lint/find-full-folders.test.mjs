import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { findFullFolders } from "./find-full-folders.mjs";

/** @param {string} folder @param {number} count @param {string} [ending] */
const filesIn = (folder, count, ending = ".ts") =>
  Array.from({ length: count }, (_, index) => `${folder}/a${index}${ending}`);

describe("folders", () => {
  test("with twenty source files are fine, with one more they are named", () => {
    assert.deepEqual(findFullFolders(filesIn("apps/a", 20)), []);
    const [finding = "", ...others] = findFullFolders([...filesIn("apps/a", 21), ...filesIn("apps/a/b", 5)]);
    assert.match(finding, /^apps\/a: 21 source files of 20/);
    assert.deepEqual(others, []);
  });

  test("may hold any number of tests, migrations and texts", () => {
    const files = [
      ...filesIn("apps/a", 30, ".test.ts"),
      ...filesIn("packages/database/src/migrations", 30),
      ...filesIn("apps/console/src/locales/en", 30),
    ];
    assert.deepEqual(findFullFolders(files), []);
  });
});
