import { emptyResult } from "./ring-result.mjs";

/**
 * @typedef {object} PlaywrightReport
 * @property {PlaywrightSuite[]} suites
 * @property {PlaywrightError[]} [errors] what failed outside of any test
 *
 * @typedef {{ message?: string, stack?: string }} PlaywrightError
 *
 * @typedef {object} PlaywrightSuite
 * @property {string} title
 * @property {PlaywrightSuite[]} [suites]
 * @property {PlaywrightSpec[]} [specs]
 *
 * @typedef {object} PlaywrightSpec
 * @property {string} title
 * @property {{ status: string, projectName?: string, results: { errors?: PlaywrightError[] }[] }[]} tests
 *   status: `expected`, `unexpected`, `flaky` or `skipped`
 */

/**
 * Counts what Playwright's JSON reporter wrote. A test that passed on a later attempt has passed; an error outside of the tests is
 * a failure of its own.
 * @param {PlaywrightReport} report
 * @returns {import("./ring-result.mjs").RingResult}
 */
export function readPlaywrightReport(report) {
  const result = emptyResult();
  for (const { title, test } of report.suites.flatMap((suite) => testsOf(suite, []))) {
    if (test.status === "skipped") result.skipped++;
    else if (test.status !== "unexpected") result.passed++;
    else {
      result.failed++;
      result.failures.push({ title, message: describeErrors(test.results.at(-1)?.errors ?? []) });
    }
  }
  for (const error of report.errors ?? []) {
    result.failed++;
    result.failures.push({ title: "outside of the tests", message: describeErrors([error]) });
  }
  return result;
}

/**
 * @param {PlaywrightSuite} suite
 * @param {string[]} parents
 * @returns {{ title: string, test: PlaywrightSpec["tests"][number] }[]}
 */
function testsOf(suite, parents) {
  const titles = [...parents, suite.title].filter(Boolean);
  const own = (suite.specs ?? []).flatMap((spec) =>
    spec.tests.map((test) => ({
      title: [...titles, spec.title, test.projectName && `[${test.projectName}]`].filter(Boolean).join(" › "),
      test,
    })),
  );
  return [...own, ...(suite.suites ?? []).flatMap((child) => testsOf(child, titles))];
}

/** @param {PlaywrightError[]} errors */
function describeErrors(errors) {
  return errors.map((error) => error.stack ?? error.message ?? "").join("\n");
}
