import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { it } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** Some 100 MB stay in use, and what is made besides lives long enough to grow old; tells how large the heap was at the most, in MB. */
const GROW_OLD = `
const some = () => Array.from({ length: 1_000 }, (_, index) => ({ index }));
const inUse = Array.from({ length: 2_000 }, some);
const passing = Array.from({ length: 1_000 }, some);
let most = 0;
for (let turn = 0; turn < 20_000; turn += 1) {
  passing[turn % passing.length] = some();
  if (turn % 100 === 0) most = Math.max(most, process.memoryUsage().heapUsed);
}
console.log(Math.round(most / 1e6), inUse.length);
`;
const MODULE = fileURLToPath(new URL("collect-sooner.ts", import.meta.url));

it("lets the heap grow to some two times of what is in use, and what is young", async () => {
  const program = `import { collectSooner } from ${JSON.stringify(MODULE)};\ncollectSooner();\n${GROW_OLD}`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program]);
  const most = Number.parseInt(stdout);
  assert.ok(most < 450, `the heap grew to ${most} MB`);
});
