import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { runCaptured } from "../lib/run-captured.mjs";
import { judgeRing } from "./ring-result.mjs";

const idleLimitMs = 240_000;

/**
 * Runs a test runner that writes its results as one JSON file, and reads them.
 * @template Report
 * @param {import("./rings.mjs").RingContext} context
 * @param {object} runner
 * @param {string} runner.cwd
 * @param {(reportFile: string) => { arguments: string[], env?: NodeJS.ProcessEnv }} runner.command
 * @param {(report: Report) => import("./ring-result.mjs").RingResult} runner.read
 * @returns {Promise<import("./ring-result.mjs").RingResult>}
 */
export async function runWithJsonReport({ node, env }, { cwd, command, read }) {
  const folder = mkdtempSync(path.join(tmpdir(), "one-api-test-"));
  const reportFile = path.join(folder, "report.json");
  const { arguments: commandArguments, env: more = {} } = command(reportFile);
  const run = await runCaptured(node, commandArguments, { cwd, env: { ...env, ...more }, idleLimitMs });
  const report = readReport(reportFile, read);
  rmSync(folder, { recursive: true, force: true });
  return judgeRing(report, run);
}

/**
 * @template Report
 * @param {string} reportFile
 * @param {(report: Report) => import("./ring-result.mjs").RingResult} read
 */
function readReport(reportFile, read) {
  try {
    return read(JSON.parse(readFileSync(reportFile, "utf8")));
  } catch {
    return undefined;
  }
}
