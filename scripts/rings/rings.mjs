import path from "node:path";
import { packageBin } from "../lib/package-bin.mjs";
import { fromRoot, repositoryRoot } from "../lib/repository-paths.mjs";
import { runCaptured } from "../lib/run-captured.mjs";
import { findTestFiles } from "./find-test-files.mjs";
import { makeReachesDatabase } from "./reaches-database.mjs";
import { readPlaywrightReport } from "./read-playwright-report.mjs";
import { readVitestReport } from "./read-vitest-report.mjs";
import { emptyResult } from "./ring-result.mjs";
import { runNodeTests } from "./run-node-tests.mjs";
import { runWithJsonReport } from "./run-with-json-report.mjs";

/**
 * @typedef {object} RingContext
 * @property {string} node path of the Node that runs the tests
 * @property {NodeJS.ProcessEnv} env for every test process
 * @property {boolean} isFiltered whether the files were chosen by a part of their path
 *
 * @typedef {object} Ring
 * @property {string} name
 * @property {boolean} usesConsole whether it looks at the built console
 * @property {(filters: string[]) => string[]} files its test files, as repository paths
 * @property {(context: RingContext, files: string[]) => Promise<import("./ring-result.mjs").RingResult>} run
 */

const testName = /\.(?:test|spec)\.(?:ts|tsx|mjs)$/;
const nodeTestFolders = ["packages", "apps/server", "bench", "scripts"];

/** From the quickest to find a mistake to the slowest. @type {Ring[]} */
export const rings = [
  {
    name: "check",
    usesConsole: false,
    files: (filters) => (filters.length === 0 ? ["scripts/check.mjs"] : []),
    run: runChecks,
  },
  {
    name: "units",
    usesConsole: false,
    files: (filters) => nodeTestFiles(filters, false),
    run: (context, files) => runNodeTests(context, files, { needsPostgres: false }),
  },
  {
    name: "database",
    usesConsole: false,
    files: (filters) => nodeTestFiles(filters, true),
    run: (context, files) => runNodeTests(context, files, { needsPostgres: true }),
  },
  {
    name: "console",
    usesConsole: false,
    files: (filters) => findTestFiles(["apps/console/src"], testName, filters),
    run: runVitest,
  },
  {
    name: "journeys",
    usesConsole: true,
    files: (filters) => findTestFiles(["e2e"], testName, filters),
    run: runPlaywright,
  },
];

/** @param {string[]} filters @param {boolean} withDatabase */
function nodeTestFiles(filters, withDatabase) {
  const reachesDatabase = makeReachesDatabase();
  return findTestFiles(nodeTestFolders, testName, filters).filter((file) => reachesDatabase(file) === withDatabase);
}

/** @param {RingContext} context @returns {Promise<import("./ring-result.mjs").RingResult>} one for all checks together */
async function runChecks({ node, env }) {
  const run = await runCaptured(node, [fromRoot("scripts", "check.mjs")], { env });
  if (run.ok) return { ...emptyResult(), passed: 1 };
  return { ...emptyResult(), failed: 1, failures: [{ title: "npm run check", message: run.output }] };
}

/** @param {RingContext} context @param {string[]} files */
function runVitest(context, files) {
  const cwd = fromRoot("apps", "console");
  const vitest = packageBin("vitest", { workspace: "apps/console" });
  const chosen = context.isFiltered ? files.map((file) => path.relative(cwd, fromRoot(file))) : [];
  return runWithJsonReport(context, {
    cwd,
    command: (reportFile) => ({
      arguments: [vitest, "run", "--reporter=default", "--reporter=json", `--outputFile.json=${reportFile}`, ...chosen],
    }),
    read: (/** @type {import("./read-vitest-report.mjs").VitestReport} */ report) =>
      readVitestReport(report, repositoryRoot),
  });
}

/** @param {RingContext} context @param {string[]} files */
function runPlaywright(context, files) {
  const playwright = packageBin("@playwright/test", { bin: "playwright", workspace: "e2e" });
  const chosen = context.isFiltered
    ? files.map((file) => path.basename(file).replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
    : [];
  return runWithJsonReport(context, {
    cwd: fromRoot("e2e"),
    command: (reportFile) => ({
      arguments: [playwright, "test", "--reporter=list,json", ...chosen],
      env: { PLAYWRIGHT_JSON_OUTPUT_FILE: reportFile },
    }),
    read: readPlaywrightReport,
  });
}
