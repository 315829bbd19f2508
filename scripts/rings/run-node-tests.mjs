import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { fromRoot, repositoryRoot } from "../lib/repository-paths.mjs";
import { runCaptured } from "../lib/run-captured.mjs";
import { readNodeReport } from "./read-node-report.mjs";
import { judgeRing } from "./ring-result.mjs";

const testTimeoutMs = 120_000;
const idleLimitMs = 180_000;
const withPostgres = "packages/database/src/testing/run-with-postgres.ts";

/**
 * Runs files with `node --test`, each in a process of its own.
 * @param {import("./rings.mjs").RingContext} context
 * @param {string[]} files repository paths
 * @param {{ needsPostgres: boolean }} options one PostgreSQL server for all files, made and removed around the run
 * @returns {Promise<import("./ring-result.mjs").RingResult>}
 */
export async function runNodeTests({ node, env }, files, { needsPostgres }) {
  const folder = mkdtempSync(path.join(tmpdir(), "one-api-test-"));
  const reportFile = path.join(folder, "report.jsonl");
  const wrapper = needsPostgres && existsSync(fromRoot(withPostgres)) ? [withPostgres, node] : [];
  const run = await runCaptured(
    node,
    [
      "--disable-warning=ExperimentalWarning",
      ...wrapper,
      "--disable-warning=ExperimentalWarning",
      "--test",
      `--test-concurrency=${Math.max(2, availableParallelism() - 1)}`,
      `--test-timeout=${testTimeoutMs}`,
      // Dots show that the runner is alive; the counts come from the file.
      "--test-reporter=dot",
      "--test-reporter-destination=stdout",
      `--test-reporter=${pathToFileURL(fromRoot("scripts", "rings", "node-reporter.mjs")).href}`,
      `--test-reporter-destination=${reportFile}`,
      ...files,
    ],
    { env, idleLimitMs },
  );
  const lines = existsSync(reportFile) ? readFileSync(reportFile, "utf8") : "";
  rmSync(folder, { recursive: true, force: true });
  return judgeRing(lines === "" ? undefined : readNodeReport(lines, repositoryRoot), run);
}
