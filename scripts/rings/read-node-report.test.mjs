import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { readNodeReport } from "./read-node-report.mjs";

const reporter = pathToFileURL(path.join(path.dirname(fileURLToPath(import.meta.url)), "node-reporter.mjs")).href;
const folder = mkdtempSync(path.join(tmpdir(), "one-api-report-"));
after(() => rmSync(folder, { recursive: true, force: true }));

/**
 * Runs a test file for real and reads the report.
 * @param {string} name @param {string} source
 */
function runFile(name, source) {
  const file = path.join(folder, name);
  writeFileSync(file, `import { before, describe, test } from "node:test";\n${source}\n`);
  const { NODE_TEST_CONTEXT: _ours, ...env } = process.env;
  const run = spawnSync(process.execPath, ["--test", `--test-reporter=${reporter}`, file], {
    cwd: folder,
    env,
    encoding: "utf8",
  });
  const { failures, ...counts } = readNodeReport(run.stdout, folder);
  return {
    counts,
    titles: failures.map(({ title }) => title),
    messages: failures.map(({ message }) => message).join("\n"),
  };
}

test("passed, failed, skipped and todo tests are counted, suites and parents are not", () => {
  const { counts, titles, messages } = runFile(
    "mixed.test.mjs",
    `describe("suite", () => {
      test("good", () => {});
      test("bad", () => { throw new Error("the reason"); });
      test("later", { skip: true }, () => {});
      test("idea", { todo: true }, () => { throw new Error("not yet"); });
    });
    test("parent", async (t) => {
      await t.test("child", () => { throw new Error("in the child"); });
    });`,
  );
  assert.deepEqual(counts, { passed: 1, failed: 2, skipped: 2 });
  assert.deepEqual(titles, ["mixed.test.mjs › suite › bad", "mixed.test.mjs › parent › child"]);
  assert.match(messages, /the reason/);
});

test("a file that crashes before it reports is one failure with its error output", () => {
  const { counts, titles, messages } = runFile("crash.test.mjs", 'throw new Error("crashed early");');
  assert.deepEqual(counts, { passed: 0, failed: 1, skipped: 0 });
  assert.deepEqual(titles, ["crash.test.mjs › the file failed"]);
  assert.match(messages, /crashed early/);
});

test("a file that ends before all of its tests have run is a failure", () => {
  const { counts, titles } = runFile(
    "exit.test.mjs",
    `for (let index = 0; index < 40; index++) test("number " + index, () => new Promise((resolve) => setTimeout(resolve, 10)));
    test("ends the process", () => process.exit(0));
    test("never runs", () => {});`,
  );
  assert.equal(counts.failed, 1);
  assert.match(String(titles), /exit\.test\.mjs › the file (did not finish|ran no test)/);
});

test("a file without any test is a failure", () => {
  const { counts, titles } = runFile("none.test.mjs", "");
  assert.deepEqual(counts, { passed: 0, failed: 1, skipped: 0 });
  assert.deepEqual(titles, ["none.test.mjs › the file ran no test"]);
});

test("an error after the last test and a failing hook are failures", () => {
  const late = runFile(
    "late.test.mjs",
    'test("good", () => void setTimeout(() => { throw new Error("too late"); }, 20));',
  );
  assert.equal(late.counts.failed, 1);
  assert.match(late.messages, /too late/);
  const hook = runFile(
    "hook.test.mjs",
    'describe("suite", () => { before(() => { throw new Error("hook"); }); test("a", () => {}); });',
  );
  assert.ok(hook.counts.failed >= 1);
  assert.equal(hook.counts.passed, 0);
});

test("a report that was cut short names the file that was still running", () => {
  const lines = [
    { type: "file-start", file: path.join(folder, "done.test.mjs") },
    { type: "file-start", file: path.join(folder, "behind.test.mjs") },
    { type: "file-start", file: path.join(folder, "hangs.test.mjs") },
    { type: "file-done", file: path.join(folder, "done.test.mjs") },
    { type: "file-end", file: path.join(folder, "behind.test.mjs") },
  ].map((event) => JSON.stringify(event));
  const { failures } = readNodeReport(`${lines.join("\n")}\n{"type":"res`, folder);
  assert.deepEqual(
    failures.map(({ title }) => title),
    ["hangs.test.mjs › the file did not finish"],
  );
});
