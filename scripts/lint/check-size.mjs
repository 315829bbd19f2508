// Checks the size of the first page's files, as they go over the wire. Files that load ahead of need are not counted
// (e2e/journeys/first-load.spec.ts measures them, and the other pages). Builds a stale console.
import { readFileSync } from "node:fs";
import { brotliCompressSync } from "node:zlib";
import { ensureConsole } from "../lib/ensure-console.mjs";
import { fromRoot, runMain } from "../lib/repository.mjs";

/** @typedef {{ file: string, src?: string, css?: string[], imports?: string[] }} Chunk */

/** Bytes as they go over the wire, brotli where it is text; calls of the API come on top. */
const MOST_BYTES = 145_000;
const MOST_FILES = 4;

await runMain(async () => {
  await ensureConsole(process.execPath);
  /** @type {Record<string, Chunk>} */
  const manifest = JSON.parse(readFileSync(fromRoot("apps/console/dist/.vite/manifest.json"), "utf8"));
  const files = ["index.html", ...filesOf(manifest, ["index.html"])];
  const sizes = files.map((file) => ({ file, bytes: sizeOf(file) }));
  const bytes = sizes.reduce((sum, size) => sum + size.bytes, 0);
  console.log(
    `/login: ${(bytes / 1_000).toFixed(1)} KB of ${MOST_BYTES / 1_000} in ${files.length} files of ${MOST_FILES}`,
  );
  if (bytes <= MOST_BYTES && files.length <= MOST_FILES) return;
  for (const { file, bytes: own } of sizes.toSorted((a, b) => b.bytes - a.bytes)) console.log(`  ${own} ${file}`);
  console.log("  Load what the page does not need later, by a dynamic import.");
  process.exitCode = 1;
});

/**
 * Files of modules and of all that they import, each once. A module without a chunk of its own is in one of these.
 * @param {Record<string, Chunk>} manifest @param {string[]} keys
 */
function filesOf(manifest, keys) {
  const seen = new Set(keys);
  const files = new Set();
  for (const key of seen) {
    const chunk = manifest[key];
    if (chunk === undefined) continue;
    for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file);
    for (const imported of chunk.imports ?? []) seen.add(imported);
  }
  return [...files];
}

/** @param {string} file */
function sizeOf(file) {
  return brotliCompressSync(readFileSync(fromRoot("apps/console/dist", file))).length;
}
