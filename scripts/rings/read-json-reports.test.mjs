import assert from "node:assert/strict";
import { test } from "node:test";
import { readPlaywrightReport } from "./read-playwright-report.mjs";
import { readVitestReport } from "./read-vitest-report.mjs";
import { emptyResult, judgeRing } from "./ring-result.mjs";

const good = { ok: true, output: "", ending: "exit code 0" };

test("Vitest: tests are counted by status, a file that did not load is a failure", () => {
  const result = readVitestReport(
    {
      testResults: [
        {
          name: "/repo/apps/a.test.ts",
          status: "failed",
          assertionResults: [
            { fullName: "adds", status: "passed" },
            { fullName: "divides", status: "failed", failureMessages: ["by zero"] },
            { fullName: "later", status: "pending" },
            { fullName: "idea", status: "todo" },
          ],
        },
        { name: "/repo/apps/b.test.ts", status: "failed", message: "cannot import", assertionResults: [] },
      ],
    },
    "/repo",
  );
  assert.deepEqual(result, {
    passed: 1,
    failed: 2,
    skipped: 2,
    failures: [
      { title: "apps/a.test.ts › divides", message: "by zero" },
      { title: "apps/b.test.ts › the file failed", message: "cannot import" },
    ],
  });
});

test("Playwright: a flaky test has passed, an error outside of the tests is a failure", () => {
  /** @param {string} status */
  const tests = (status) => [
    { status, projectName: "wide", results: [{ errors: [] }, { errors: [{ message: "no button" }] }] },
  ];
  const result = readPlaywrightReport({
    suites: [
      {
        title: "login.spec.ts",
        specs: [{ title: "opens", tests: tests("expected") }],
        suites: [
          {
            title: "as root",
            specs: [
              { title: "flickers", tests: tests("flaky") },
              { title: "fails", tests: tests("unexpected") },
              { title: "waits", tests: tests("skipped") },
            ],
          },
        ],
      },
    ],
    errors: [{ message: "the server did not start" }],
  });
  assert.deepEqual(result, {
    passed: 2,
    failed: 2,
    skipped: 1,
    failures: [
      { title: "login.spec.ts › as root › fails › [wide]", message: "no button" },
      { title: "outside of the tests", message: "the server did not start" },
    ],
  });
});

test("a runner that fails, writes nothing or runs nothing counts as one failure with its last lines", () => {
  const killed = { ok: false, output: "last words", ending: "signal SIGKILL" };
  const passing = { ...emptyResult(), passed: 3 };
  assert.deepEqual(judgeRing(passing, good), passing);
  assert.equal(judgeRing(undefined, good).failed, 1);
  assert.equal(judgeRing(emptyResult(), good).failed, 1);
  const judged = judgeRing(passing, killed);
  assert.deepEqual([judged.passed, judged.failed], [3, 1]);
  assert.match(judged.failures[0]?.title ?? "", /SIGKILL/);
  assert.equal(judged.failures[0]?.message, "last words");
});
