import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { it } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const MODULE = fileURLToPath(new URL("collect-buffers.ts", import.meta.url));

/** 512 MiB of buffers come and are left; prints the most that was there at once, in bytes, and whether the program can collect by itself. */
const PROGRAM = `
import { noteGarbage } from ${JSON.stringify(MODULE)};
let most = 0;
for (let piece = 0; piece < 8_192; piece += 1) {
  const bytes = Buffer.allocUnsafeSlow(64 * 1024);
  noteGarbage(bytes.length);
  most = Math.max(most, process.memoryUsage().arrayBuffers);
  if (piece % 64 === 0) await new Promise((resolve) => setImmediate(resolve));
}
console.log(most, typeof globalThis.gc);
`;

it("keeps what has left from piling up, and tells nobody else how to collect", async () => {
  const flags = ["--disable-warning=ExperimentalWarning", "--input-type=module"];
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, "--eval", PROGRAM]);
  const [most, ofGlobal] = stdout.trim().split(" ");
  assert.ok(Number(most) < 16 * 1024 * 1024, `${most} bytes at once`);
  assert.equal(ofGlobal, "undefined");
});
