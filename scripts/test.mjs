// npm test [-- --suite <name>[,<name>]] [part of a path]…: installs missing parts, then runs every suite of tests.
import { availableParallelism } from "node:os";
import path from "node:path";
import { parseArgs, stripVTControlCharacters } from "node:util";
import { ensureConsole } from "./lib/ensure-console.mjs";
import { findChromium } from "./lib/find-programs.mjs";
import { prepare } from "./lib/prepare.mjs";
import { fromRoot, PlainError } from "./lib/repository.mjs";
import { ensureSystemPrograms } from "./lib/system-programs.mjs";
import { emptyResult } from "./suites/read-junit.mjs";
import { suites } from "./suites/suites.mjs";
import { startPostgres } from "./suites/start-postgres.mjs";

/**
 * @typedef {{ suite: import("./suites/suites.mjs").Suite, files: string[] }} Chosen
 * @typedef {{ name: string, fileCount: number, seconds: number, result: import("./suites/read-junit.mjs").SuiteResult }} RanSuite
 */

try {
  await runTests();
} catch (error) {
  console.error(error instanceof PlainError ? error.message : error);
  console.log("\n0 passed, 1 failed");
  process.exitCode = 1;
}

async function runTests() {
  const { names, filters } = readArguments();
  const node = await prepare({ withConsole: false });
  const chosen = suites
    .filter((suite) => names.includes(suite.name))
    .map((suite) => ({ suite, files: suite.files(filters) }));
  const running = chosen.filter(({ files }) => files.length > 0).map(({ suite }) => suite.name);
  await ensureSystemPrograms(running);
  const env = testEnvironment(node, running);
  const usesPostgres = chosen.some(({ suite, files }) => suite.usesPostgres && files.length > 0);
  const postgres = usesPostgres ? await startPostgres({ node, env }) : undefined;
  const context = { node, env: { ...env, ...postgres?.env }, isFiltered: filters.length > 0 };
  const ran = await runLanes(context, chosen);
  await postgres?.stop();
  // The checks alone do not count as tests, unless nothing else was asked for.
  const tests = totalsOf(ran.filter(({ name }) => name !== "check" || ran.length === 1));
  const ranNothing = tests.passed + tests.failed === 0;
  if (ranNothing) console.log("\nNo test ran.");
  printSummary(ran);
  process.exitCode = ranNothing || totalsOf(ran).failed > 0 ? 1 : 0;
}

function readArguments() {
  const known = suites.map(({ name }) => name);
  try {
    const { values, positionals } = parseArgs({
      options: { suite: { type: "string", multiple: true } },
      allowPositionals: true,
    });
    const names = (values.suite ?? known).flatMap((value) => value.split(","));
    const unknown = names.find((name) => !known.includes(name));
    if (unknown !== undefined) throw new Error(`There is no suite "${unknown}".`);
    return { names, filters: positionals };
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    throw new PlainError(`${problem}\nUse: npm test -- [--suite ${known.join("|")}] [part of a test file's path]`);
  }
}

/** Tests that start `node` get the one that the sources need. @param {string} node @param {string[]} running names of suites @returns {NodeJS.ProcessEnv} */
function testEnvironment(node, running) {
  const { NODE_OPTIONS: _own, ...inherited } = process.env;
  const chromium = running.includes("journeys") ? findChromium() : undefined;
  return {
    ...inherited,
    PATH: [path.dirname(node), process.env["PATH"]].join(path.delimiter),
    // Compiled modules are kept from one process to the next, and from one run to the next.
    NODE_COMPILE_CACHE: fromRoot(".cache", "compiled"),
    ...(chromium && { CHROMIUM_PATH: chromium }),
  };
}

/** @param {import("./suites/suites.mjs").SuiteContext} context @param {Chosen[]} chosen */
async function runLanes(context, chosen) {
  const names = [...new Set(chosen.map(({ suite }) => suite.lane))];
  const apart = names.map((name) => chosen.filter(({ suite }) => suite.lane === name));
  const lanes = availableParallelism() === 1 ? [chosen] : apart;
  /** @type {Map<string, RanSuite>} */
  const ran = new Map();
  await Promise.all(
    lanes.map(async (lane) => {
      for (const choice of lane) ran.set(choice.suite.name, await runSuite(context, choice));
    }),
  );
  return chosen.flatMap(({ suite }) => ran.get(suite.name) ?? []);
}

/** @param {import("./suites/suites.mjs").SuiteContext} context @param {Chosen} chosen @returns {Promise<RanSuite>} */
async function runSuite(context, { suite, files }) {
  const startMs = performance.now();
  if (files.length > 0) console.log(`${suite.name}: ${files.length} ${files.length === 1 ? "file" : "files"}…`);
  const result = files.length === 0 ? emptyResult() : await trySuite(context, { suite, files });
  for (const { title, message } of result.failures) {
    const text = stripVTControlCharacters(message.trimEnd()).replace(/^/gm, "    ");
    console.log(`\n✗ ${suite.name} › ${title}\n${text}`);
  }
  if (result.failures.length > 0) console.log();
  return { name: suite.name, fileCount: files.length, seconds: (performance.now() - startMs) / 1_000, result };
}

/** A suite that cannot even start is a failure, and the others still run. @param {import("./suites/suites.mjs").SuiteContext} context @param {Chosen} chosen */
async function trySuite(context, { suite, files }) {
  try {
    if (suite.usesConsole) await ensureConsole(context.node);
    return await suite.run(context, files);
  } catch (error) {
    const message = error instanceof PlainError ? error.message : String(error instanceof Error ? error.stack : error);
    return { ...emptyResult(), failed: 1, failures: [{ title: "the suite could not run", message }] };
  }
}

/** @param {RanSuite[]} ran */
function printSummary(ran) {
  const head = ["suite", "files", "passed", "failed", "skipped", "seconds"];
  const rows = ran.map(({ name, fileCount, seconds, result }) =>
    fileCount === 0
      ? [name, "no tests", "", "", "", ""]
      : [name, fileCount, result.passed, result.failed, result.skipped, seconds.toFixed(1)].map(String),
  );
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  /** @param {string} cell @param {number} column */
  const pad = (cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0));
  console.log(["", head, ...rows].map((row) => (typeof row === "string" ? row : row.map(pad).join("  "))).join("\n"));
  const totals = totalsOf(ran);
  const skipped = totals.skipped > 0 ? `, ${totals.skipped} skipped` : "";
  console.log(`\n${totals.passed} passed, ${totals.failed} failed${skipped}`);
}

/** @param {RanSuite[]} ran */
function totalsOf(ran) {
  /** @param {"passed" | "failed" | "skipped"} key */
  const sum = (key) => ran.reduce((total, { result }) => total + result[key], 0);
  return { passed: sum("passed"), failed: sum("failed"), skipped: sum("skipped") };
}
