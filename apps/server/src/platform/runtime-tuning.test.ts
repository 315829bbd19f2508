import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { it } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const MODULE = JSON.stringify(fileURLToPath(new URL("runtime-tuning.ts", import.meta.url)));

async function run(program: string, ...flags: string[]): Promise<string> {
  const args = [...flags, "--disable-warning=ExperimentalWarning", "--input-type=module", "--eval", program];
  return (await promisify(execFile)(process.execPath, args)).stdout;
}

/** Makes 512 MiB of garbage. Prints the most bytes at one time, and whether the program can call `gc`. */
const GARBAGE = `
import { collectYoungAfter } from ${MODULE};
let most = 0;
for (let piece = 0; piece < 8_192; piece += 1) {
  const bytes = Buffer.allocUnsafeSlow(64 * 1024);
  collectYoungAfter(bytes.length);
  most = Math.max(most, process.memoryUsage().arrayBuffers);
  if (piece % 64 === 0) await new Promise((resolve) => setImmediate(resolve));
}
console.log(most, typeof globalThis.gc);
`;

it("limits the memory of garbage buffers, and exposes gc to nothing else", async () => {
  const [most, ofGlobal] = (await run(GARBAGE)).trim().split(" ");
  assert.ok(Number(most) < 16 * 1024 * 1024, `${most} bytes at once`);
  assert.equal(ofGlobal, "undefined");
});

/** Fills lists and retains them until V8 would allocate them in the old generation. */
const LONG_LIVED_LISTS = `
import { allocateYoung } from ${MODULE};
allocateYoung();
let kept = [];
let list = [];
for (let turn = 0; turn < 1_200_000; turn += 1) {
  if (turn % 100_000 === 0) kept = [];
  if (list.push({ bytes: new Array(100).fill(turn) }) < 8) continue;
  kept.push(list);
  list = [];
}
`;

it("allocates lists in the young generation, also after others have lived long", async () => {
  assert.doesNotMatch(await run(LONG_LIVED_LISTS, "--trace-pretenuring-statistics"), /=> tenure/);
});
