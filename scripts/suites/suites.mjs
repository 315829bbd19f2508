import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { fromRoot, packageBin, repositoryFiles, repositoryRoot } from "../lib/repository.mjs";
import { runCaptured } from "../lib/run-captured.mjs";
import { makeReachesDatabase } from "./reaches-database.mjs";
import { emptyResult, readJunit } from "./read-junit.mjs";

/**
 * @typedef {object} SuiteContext
 * @property {string} node path of the Node that runs the tests
 * @property {NodeJS.ProcessEnv} env for every test process
 * @property {boolean} isFiltered whether the files were chosen by a part of their path
 *
 * @typedef {object} Suite
 * @property {string} name
 * @property {"server" | "console"} lane suites of one lane run one after the other, the two lanes beside each other
 * @property {boolean} usesConsole whether it looks at the built console
 * @property {boolean} usesPostgres whether its tests make databases
 * @property {(filters: string[]) => string[]} files its test files, as repository paths
 * @property {(context: SuiteContext, files: string[]) => Promise<import("./read-junit.mjs").SuiteResult>} run
 */

const testName = /\.(?:test|spec)\.(?:ts|tsx|mjs)$/;
const nodeTestFolders = ["packages", "apps/server", "apps/console/build", "bench", "e2e/prove", "scripts"];
/** For a test. */
const testTimeoutMs = 400_000;
/** For all tests of a file together, several times what the slowest takes beside others. */
const fileLimitMs = 800_000;
const idleLimitMs = 480_000;
const quiet = "--disable-warning=ExperimentalWarning";
/**
 * Tests make many short-lived objects: with a larger young generation, in MB, garbage collection takes a tenth less of
 * all time.
 */
const roomForNew = ["--min-semi-space-size=32", "--max-semi-space-size=64"];

/** From the quickest to find a mistake to the slowest. @type {Suite[]} */
export const suites = [
  {
    name: "check",
    lane: "server",
    usesConsole: false,
    usesPostgres: false,
    files: (filters) => (filters.length === 0 ? ["scripts/check.mjs"] : []),
    run: runChecks,
  },
  {
    name: "units",
    lane: "server",
    usesConsole: false,
    usesPostgres: false,
    files: (filters) => nodeTestFiles(filters, false),
    run: runNodeTests,
  },
  {
    name: "database",
    lane: "server",
    usesConsole: false,
    usesPostgres: true,
    files: (filters) => nodeTestFiles(filters, true),
    run: runNodeTests,
  },
  {
    name: "console",
    lane: "console",
    usesConsole: false,
    usesPostgres: false,
    files: (filters) => testFiles(["apps/console/src"], filters),
    run: runVitest,
  },
  {
    name: "faults",
    lane: "console",
    usesConsole: false,
    usesPostgres: true,
    files: (filters) => testFiles(["e2e/faults"], filters),
    run: (context, files) => runNodeTests(context, files, 2),
  },
  {
    name: "journeys",
    lane: "console",
    usesConsole: true,
    usesPostgres: false,
    files: (filters) => testFiles(["e2e/journeys"], filters),
    run: runPlaywright,
  },
];

/** @param {string[]} folders @param {string[]} filters parts of paths; a file must contain one of them; empty: every file */
function testFiles(folders, filters) {
  const isWanted = (/** @type {string} */ file) => filters.length === 0 || filters.some((part) => file.includes(part));
  return repositoryFiles(folders).filter((file) => testName.test(file) && isWanted(file));
}

/** @param {string[]} filters @param {boolean} withDatabase */
function nodeTestFiles(filters, withDatabase) {
  const reachesDatabase = makeReachesDatabase();
  return testFiles(nodeTestFolders, filters).filter((file) => reachesDatabase(file) === withDatabase);
}

/** @param {SuiteContext} context @returns {Promise<import("./read-junit.mjs").SuiteResult>} one for all checks together */
async function runChecks({ node, env }) {
  const run = await runCaptured(node, [fromRoot("scripts", "check.mjs")], { env });
  if (run.ok) return { ...emptyResult(), passed: 1 };
  return { ...emptyResult(), failed: 1, failures: [{ title: "npm run check", message: run.output }] };
}

/**
 * Runs several files in each process. Neighbours are separated, because slow files are often neighbours.
 * @param {SuiteContext} context
 * @param {string[]} files
 */
async function runNodeTests(context, files, filesPerProcess = 24) {
  const count = Math.ceil(files.length / filesPerProcess);
  const waiting = Array.from({ length: count }, (_, batch) => files.filter((_file, index) => index % count === batch));
  const result = emptyResult();
  async function work() {
    for (let batch = waiting.shift(); batch !== undefined; batch = waiting.shift())
      addResult(result, await runTogether(context, batch));
  }
  // They wait for databases half of the time. With more, tests of the other lane slow down until they time out.
  await Promise.all(Array.from({ length: availableParallelism() + 1 }, work));
  return result;
}

/** @param {import("./read-junit.mjs").SuiteResult} total @param {import("./read-junit.mjs").SuiteResult} more */
function addResult(total, more) {
  total.passed += more.passed;
  total.failed += more.failed;
  total.skipped += more.skipped;
  total.failures.push(...more.failures);
}

/** @param {SuiteContext} context @param {string[]} files */
function runTogether(context, files) {
  return runReported(context, { cwd: repositoryRoot, files }, (reportFile) => [
    quiet,
    ...roomForNew,
    `--test-timeout=${testTimeoutMs}`,
    "--test-reporter=spec",
    "--test-reporter-destination=stdout",
    `--test-reporter=${pathToFileURL(fromRoot("scripts", "suites", "junit-by-file.mjs")).href}`,
    `--test-reporter-destination=${reportFile}`,
    fromRoot("scripts", "suites", "run-files.mjs"),
    String(fileLimitMs),
    ...files,
  ]);
}

/** @param {SuiteContext} context @param {string[]} files */
function runVitest(context, files) {
  const cwd = fromRoot("apps", "console");
  const vitest = packageBin("vitest", { workspace: "apps/console" });
  const chosen = context.isFiltered ? files.map((file) => path.relative(cwd, fromRoot(file))) : [];
  return runReported(context, { cwd, files }, (reportFile) => [
    vitest,
    "run",
    "--reporter=default",
    "--reporter=junit",
    `--outputFile.junit=${reportFile}`,
    ...chosen,
  ]);
}

/** @param {SuiteContext} context @param {string[]} files */
function runPlaywright(context, files) {
  const playwright = packageBin("@playwright/test", { bin: "playwright", workspace: "e2e" });
  const chosen = context.isFiltered ? files.map((file) => path.basename(file).replaceAll(".", "\\.")) : [];
  return runReported(context, { cwd: fromRoot("e2e"), namesFrom: fromRoot("e2e", "journeys"), files }, () => [
    playwright,
    "test",
    "--reporter=list,junit",
    ...chosen,
  ]);
}

/**
 * Runs a test runner that writes a JUnit report, and reads it.
 * @param {SuiteContext} context
 * @param {{ cwd: string, namesFrom?: string, files: string[] }} place `namesFrom`: the folder that the report's names start from
 * @param {(reportFile: string) => string[]} command arguments for Node
 */
async function runReported({ node, env }, { cwd, namesFrom = cwd, files }, command) {
  const folder = mkdtempSync(path.join(tmpdir(), "one-api-test-"));
  const reportFile = path.join(folder, "report.xml");
  const reportEnv = { ...env, PLAYWRIGHT_JUNIT_OUTPUT_FILE: reportFile };
  const run = await runCaptured(node, command(reportFile), { cwd, env: reportEnv, idleLimitMs });
  const xml = existsSync(reportFile) ? readFileSync(reportFile, "utf8") : "";
  rmSync(folder, { recursive: true, force: true });
  return readJunit(xml, run, { cwd: namesFrom, root: repositoryRoot, files });
}
