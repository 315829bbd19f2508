/**
 * @typedef {object} Failure
 * @property {string} title where it failed: file and test
 * @property {string} message
 *
 * @typedef {object} RingResult
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 * @property {Failure[]} failures
 */

const tailLines = 60;

/**
 * What a ring counts for, once its runner has ended: a runner that failed without saying where, wrote no report or ran no test
 * counts as one failure of its own.
 * @param {RingResult | undefined} report undefined when there is no readable report
 * @param {import("../lib/run-captured.mjs").CapturedRun} run
 * @returns {RingResult}
 */
export function judgeRing(report, run) {
  if (report === undefined) return withFailure(emptyResult(), "the runner ended without a report", run);
  if (!run.ok && report.failed === 0) return withFailure(report, "the runner failed although every test passed", run);
  if (report.passed + report.failed + report.skipped === 0) return withFailure(report, "the runner ran no test", run);
  return report;
}

/** @returns {RingResult} */
export function emptyResult() {
  return { passed: 0, failed: 0, skipped: 0, failures: [] };
}

/** @param {RingResult} result @param {string} title @param {import("../lib/run-captured.mjs").CapturedRun} run */
function withFailure(result, title, run) {
  const message = run.output.trimEnd().split("\n").slice(-tailLines).join("\n");
  const failure = { title: `${title} (${run.ending})`, message };
  return { ...result, failed: result.failed + 1, failures: [...result.failures, failure] };
}
