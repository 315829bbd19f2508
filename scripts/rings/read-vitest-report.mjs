import path from "node:path";
import { emptyResult } from "./ring-result.mjs";

/**
 * @typedef {object} VitestReport
 * @property {VitestFile[]} testResults
 *
 * @typedef {object} VitestFile
 * @property {string} name absolute path
 * @property {string} status `passed` or `failed`
 * @property {string} [message] why the file as a whole failed
 * @property {{ fullName: string, status: string, failureMessages?: string[] | null }[]} assertionResults
 */

/**
 * Counts what Vitest's JSON reporter wrote. A file that failed to load, or failed beside its tests, is a failure of its own.
 * @param {VitestReport} report
 * @param {string} root shown paths are relative to it
 * @returns {import("./ring-result.mjs").RingResult}
 */
export function readVitestReport(report, root) {
  const result = emptyResult();
  for (const file of report.testResults) {
    const place = path.relative(root, file.name).split(path.sep).join("/");
    const failedBefore = result.failed;
    for (const { fullName, status, failureMessages } of file.assertionResults) {
      if (status === "passed") result.passed++;
      else if (status !== "failed") result.skipped++;
      else {
        result.failed++;
        result.failures.push({ title: `${place} › ${fullName}`, message: (failureMessages ?? []).join("\n") });
      }
    }
    if (file.status === "failed" && result.failed === failedBefore) {
      result.failed++;
      result.failures.push({ title: `${place} › the file failed`, message: file.message ?? "" });
    }
  }
  return result;
}
