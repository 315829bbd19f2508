// Checks the size of the first page's files, as they go over the wire. Files that load ahead of need are not counted
// (e2e/journeys/first-load.spec.ts measures both). Builds a stale console.
import { readFileSync } from "node:fs";
import { brotliCompressSync } from "node:zlib";
import { ensureConsole } from "../lib/ensure-console.mjs";
import { fromRoot, runMain } from "../lib/repository.mjs";

/** @typedef {{ file: string, src?: string, css?: string[], imports?: string[] }} Chunk */

/** Sizes in bytes, brotli where it is text; calls of the API come on top of the requests. */
const pages = [
  {
    path: "/login",
    modules: ["src/features/login/login-page.tsx"],
    texts: [],
    mostBytes: 145_000,
    mostFiles: 4,
  },
  {
    path: "/channel",
    modules: ["src/features/channels/channel-list-page.tsx"],
    texts: ["channels"],
    mostBytes: 194_000,
    mostFiles: 16,
  },
];

await runMain(async () => {
  await ensureConsole(process.execPath);
  /** @type {Record<string, Chunk>} */
  const manifest = JSON.parse(readFileSync(fromRoot("apps/console/dist/.vite/manifest.json"), "utf8"));
  for (const { path, modules, texts, mostBytes, mostFiles } of pages) {
    const keys = ["index.html", ...modules, ...texts.map((name) => `src/locales/en/${name}.json`)];
    const files = ["index.html", ...filesOf(manifest, keys)];
    const sizes = files.map((file) => ({ file, bytes: sizeOf(file) }));
    const bytes = sizes.reduce((sum, size) => sum + size.bytes, 0);
    console.log(
      `${path}: ${(bytes / 1_000).toFixed(1)} KB of ${mostBytes / 1_000} in ${files.length} files of ${mostFiles}`,
    );
    if (bytes <= mostBytes && files.length <= mostFiles) continue;
    for (const { file, bytes: own } of sizes.toSorted((a, b) => b.bytes - a.bytes)) console.log(`  ${own} ${file}`);
    console.log("  Load what the page does not need later, by a dynamic import.");
    process.exitCode = 1;
  }
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
