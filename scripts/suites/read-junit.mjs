import path from "node:path";

/**
 * @typedef {object} SuiteResult
 * @property {number} passed
 * @property {number} failed
 * @property {number} skipped
 * @property {{ title: string, message: string }[]} failures where (file and test) and why
 *
 * @typedef {object} Run
 * @property {boolean} ok whether the runner ended with exit code 0
 * @property {string} output what it printed
 * @property {string} ending how it ended, for people
 *
 * @typedef {{ file: string, title: string, outcome: "passed" | "failed" | "skipped", message: string }} Case
 * @typedef {Record<string, any>} Element what the parser makes of an element
 */

/** Stands before the name of a file that took too long (run-files.mjs). */
export const OVERDUE = "Took too long: ";

const tailLines = 60;
const listTags = new Set(["testsuite", "testcase", "failure", "error"]);

/** @returns {SuiteResult} */
export function emptyResult() {
  return { passed: 0, failed: 0, skipped: 0, failures: [] };
}

/**
 * Reads a runner's JUnit report. A file that crashed or has no test is a failure; so is a runner that failed without a
 * reason, was stopped, or ran nothing.
 * @param {string} xml the report, possibly truncated; empty when there is none
 * @param {Run} run
 * @param {{ cwd: string, root: string, files: string[] }} place absolute paths of the runner's folder and of the
 * repository, and the files that should have run, from the repository's root
 * @returns {Promise<SuiteResult>}
 */
export async function readJunit(xml, run, { cwd, root, files }) {
  const { XMLParser } = await import("fast-xml-parser");
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: "@",
    parseTagValue: false,
    htmlEntities: true,
    isArray: (name) => listTags.has(name),
  });
  const result = emptyResult();
  /** @param {string} title @param {string} message */
  function fail(title, message) {
    result.failed++;
    result.failures.push({ title, message });
  }

  const report = parser.parse(xml.slice(0, xml.lastIndexOf(">") + 1))["testsuites"] ?? {};
  const cases = casesOf(report, [], { cwd, root });
  for (const { file, title, outcome, message } of cases) {
    if (outcome === "failed") fail(`${file} › ${title}`, message);
    else result[outcome]++;
  }
  const silent = files.filter((file) => !cases.some((testCase) => testCase.file === file));
  const waitedFor = silent.find((file) => run.output.includes(`${OVERDUE}${file}:`)) ?? silent[0];
  if (waitedFor !== undefined)
    fail(`${waitedFor} › reported nothing (${run.ending})`, `${whySilent(silent.length - 1)}\n${tailOf(run.output)}`);
  else if (cases.length === 0) fail(`the runner ran no test (${run.ending})`, tailOf(run.output));
  else if (!run.ok && result.failed === 0)
    fail(`the runner failed although every test passed (${run.ending})`, tailOf(run.output));
  return result;
}

/**
 * @param {Element} element with test cases and suites of such
 * @param {string[]} suites names of the suites around it
 * @param {{ cwd: string, root: string }} run
 * @returns {Case[]}
 */
function casesOf(element, suites, run) {
  const own = (element["testcase"] ?? []).map((/** @type {Element} */ testCase) => readCase(testCase, suites, run));
  const inner = (element["testsuite"] ?? []).flatMap((/** @type {Element} */ suite) =>
    casesOf(suite, [...suites, suite["@name"]], run),
  );
  return [...own, ...inner];
}

/**
 * In Node's report the outermost suite is the file (run-files.mjs), in the others `classname` names it; a file that crashed, or holds no
 * test, is a case named like it.
 * @param {Element} testCase @param {string[]} suites @param {{ cwd: string, root: string }} run
 * @returns {Case}
 */
function readCase(testCase, suites, { cwd, root }) {
  const name = String(testCase["@name"]);
  const isNode = testCase["@file"] !== undefined;
  const absolute = path.resolve(cwd, isNode ? (suites[0] ?? name) : testCase["@classname"]);
  const file = path.relative(root, absolute).split(path.sep).join("/");
  const isFile = path.resolve(cwd, name) === absolute;
  const failures = [...(testCase["failure"] ?? []), ...(testCase["error"] ?? [])];
  const message = failures.map(textOf).join("\n");
  if (isNode && isFile && failures.length === 0)
    return {
      file,
      title: "the file ran no test",
      outcome: "failed",
      message: "A test file must run at least one test.",
    };
  const around = isNode ? suites.slice(1) : [];
  const title = isFile ? "the file failed" : [...around, name].join(" › ");
  if (testCase["skipped"] !== undefined) return { file, title, outcome: "skipped", message: "" };
  return { file, title, outcome: failures.length > 0 ? "failed" : "passed", message };
}

/** @param {Element | string} failure the error of the test; Node wraps it in one of its own and adds frames that say nothing */
function textOf(failure) {
  const text = String(typeof failure === "string" ? failure : (failure["#text"] ?? failure["@message"] ?? ""));
  const cause = /^ {2}cause: ([^]*?)\n\}\s*$/m.exec(text)?.[1] ?? text;
  const lines = cause.split("\n").filter((line) => !/^\s+at .*\(?node:/.test(line));
  return lines.join("\n").trim();
}

/** @param {number} others files that reported nothing either */
function whySilent(others) {
  const behind = others > 0 ? ` Nothing is known of ${others} files behind it.` : "";
  return `The runner ended before this file had: look for a test that waits for ever.${behind} Its last lines:`;
}

/** @param {string} output its last lines but for tests that passed */
function tailOf(output) {
  const lines = output.split("\n").filter((line) => !/^\s*(?:✔|✓)/.test(line));
  return lines.join("\n").trimEnd().split("\n").slice(-tailLines).join("\n");
}
