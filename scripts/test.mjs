// npm test [-- --ring <name>] [part of a path]: installs what is missing, then runs every ring of tests.
import path from "node:path";
import { ensureConsole } from "./lib/ensure-console.mjs";
import { PlainError } from "./lib/plain-error.mjs";
import { prepare } from "./prepare.mjs";
import { parseArguments } from "./rings/parse-arguments.mjs";
import { printFailures, printSummary, totalsOf } from "./rings/print-results.mjs";
import { emptyResult } from "./rings/ring-result.mjs";
import { rings } from "./rings/rings.mjs";
import { ensureSystemPrograms } from "./system/ensure-system-programs.mjs";
import { findChromium } from "./system/find-chromium.mjs";
import { findPostgres } from "./system/find-postgres.mjs";

/**
 * @typedef {import("./rings/print-results.mjs").RanRing} RanRing
 * @typedef {{ ring: import("./rings/rings.mjs").Ring, files: string[] }} Chosen
 */

try {
  await runTests();
} catch (error) {
  console.error(error instanceof PlainError ? error.message : error);
  console.log("\n0 passed, 1 failed");
  process.exitCode = 1;
}

async function runTests() {
  const known = rings.map(({ name }) => name);
  const { rings: names, filters } = parseArguments(process.argv.slice(2), known);
  const node = await prepare({ withConsole: false });
  const chosen = rings
    .filter((ring) => names.includes(ring.name))
    .map((ring) => ({ ring, files: ring.files(filters) }));
  const running = chosen.filter(({ files }) => files.length > 0).map(({ ring }) => ring.name);
  await ensureSystemPrograms(running);
  const context = { node, env: testEnvironment(node, running), isFiltered: filters.length > 0 };
  /** @type {RanRing[]} */
  const ran = [];
  for (const choice of chosen) ran.push(await runRing(context, choice));
  const ranNothing = isEmpty(ran);
  if (ranNothing) console.log("\nNo test ran.");
  printSummary(ran);
  process.exitCode = ranNothing || totalsOf(ran).failed > 0 ? 1 : 0;
}

/** Tests that start `node` get the one that the sources need. @param {string} node @param {string[]} running names of rings @returns {NodeJS.ProcessEnv} */
function testEnvironment(node, running) {
  const { NODE_OPTIONS: _own, ...inherited } = process.env;
  const chromium = running.includes("journeys") ? findChromium() : undefined;
  const postgres = findPostgres();
  return {
    ...inherited,
    PATH: [path.dirname(node), process.env["PATH"]].join(path.delimiter),
    ...(chromium && { CHROMIUM_PATH: chromium }),
    ...(postgres && { TEST_POSTGRES_BIN: postgres }),
  };
}

/** @param {import("./rings/rings.mjs").RingContext} context @param {Chosen} chosen @returns {Promise<RanRing>} */
async function runRing(context, { ring, files }) {
  const startMs = performance.now();
  if (files.length > 0) console.log(`${ring.name}: ${files.length} ${files.length === 1 ? "file" : "files"}…`);
  const result = files.length === 0 ? emptyResult() : await tryRing(context, { ring, files });
  const ran = { name: ring.name, fileCount: files.length, seconds: (performance.now() - startMs) / 1_000, result };
  printFailures(ran);
  return ran;
}

/** A ring that cannot even start is a failure, and the others still run. @param {import("./rings/rings.mjs").RingContext} context @param {Chosen} chosen */
async function tryRing(context, { ring, files }) {
  try {
    if (ring.usesConsole) await ensureConsole(context.node);
    return await ring.run(context, files);
  } catch (error) {
    const message = error instanceof PlainError ? error.message : String(error instanceof Error ? error.stack : error);
    return { ...emptyResult(), failed: 1, failures: [{ title: "the ring could not run", message }] };
  }
}

/** The checks alone do not count as tests, unless nothing else was asked for. @param {RanRing[]} ran */
function isEmpty(ran) {
  const { passed, failed } = totalsOf(ran.filter(({ name }) => name !== "check" || ran.length === 1));
  return passed + failed === 0;
}
