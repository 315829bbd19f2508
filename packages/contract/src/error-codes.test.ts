import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { HTTP_STATUS_OF_ERROR } from "./error-codes.ts";

const SERVER = join(import.meta.dirname, "../../../apps/server/src");

test("the server refuses with every code of the list: none is left over", () => {
  const files = globSync("**/*.ts", { cwd: SERVER, exclude: ["**/*.test.ts", "testing/**"] });
  const source = files.map((file) => readFileSync(join(SERVER, file), "utf8")).join("\n");
  const unused = Object.keys(HTTP_STATUS_OF_ERROR).filter((code) => !source.includes(`"${code}"`));
  assert.deepEqual(unused, []);
});
