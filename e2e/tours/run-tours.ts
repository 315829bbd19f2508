// npm run tour [-- <part>…] [--photos FOLDER]: shows parts of the product with a gateway and stub providers, asserts what
// they promise, and photographs their screens. Exits with 1 if a tour fails, with 2 for wrong arguments.
import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { findChromium } from "../../scripts/lib/find-programs.mjs";
import { packageBin } from "../../scripts/lib/repository.mjs";

const ENDING = ".tour.ts";
const PARTS = readdirSync(import.meta.dirname).flatMap((file) =>
  file.endsWith(ENDING) ? [file.slice(0, -ENDING.length)] : [],
);

function readArguments() {
  try {
    const { values, positionals } = parseArgs({ options: { photos: { type: "string" } }, allowPositionals: true });
    const unknown = positionals.filter((part) => !PARTS.includes(part));
    if (unknown.length > 0) throw new Error(`There is no tour of: ${unknown.join(", ")}.`);
    const photos = path.resolve(values.photos ?? path.join(tmpdir(), "one-api-tours"));
    return { photos, parts: positionals.length === 0 ? PARTS : positionals };
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    process.stderr.write(`${problem}\nUse: npm run tour -- [${PARTS.join("|")}]… [--photos FOLDER]\n`);
    return process.exit(2);
  }
}

const { photos, parts } = readArguments();
const chromium = findChromium();
if (chromium === undefined) {
  process.stderr.write("No Chromium was found: install one, or name its file in CHROMIUM_PATH.\n");
  process.exit(2);
}
const playwright = packageBin("@playwright/test", { bin: "playwright", workspace: "e2e" });
const files = parts.map((part) => `/${part}\\.tour\\.ts`);
const child = spawn(
  process.execPath,
  [playwright, "test", "--config", path.join(import.meta.dirname, "playwright.config.ts"), ...files],
  { stdio: "inherit", env: { ...process.env, CHROMIUM_PATH: chromium, TOUR_PHOTOS: photos } },
);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
child.on("exit", (code) => {
  process.stdout.write(`Photos: ${photos}\n`);
  process.exitCode = code ?? 1;
});
