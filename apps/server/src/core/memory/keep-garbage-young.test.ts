import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { it } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** Lists that are filled and put away until V8 would rather make them among the old objects; what it decides, it prints. */
const KEEP_LISTS = `
let kept = [];
let list = [];
for (let turn = 0; turn < 1_200_000; turn += 1) {
  if (turn % 100_000 === 0) kept = [];
  if (list.push({ bytes: new Array(100).fill(turn) }) < 8) continue;
  kept.push(list);
  list = [];
}
`;
const MODULE = fileURLToPath(new URL("keep-garbage-young.ts", import.meta.url));

it("makes no list among the old objects, however long others have lived", async () => {
  const program = `import { keepGarbageYoung } from ${JSON.stringify(MODULE)};\nkeepGarbageYoung();\n${KEEP_LISTS}`;
  const flags = ["--trace-pretenuring-statistics", "--input-type=module"];
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, "--eval", program]);
  assert.doesNotMatch(stdout, /=> tenure/);
});
