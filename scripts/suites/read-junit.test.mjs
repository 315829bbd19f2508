import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import { readJunit } from "./read-junit.mjs";

const folder = mkdtempSync(path.join(tmpdir(), "one-api-report-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const good = { ok: true, output: "", ending: "exit code 0" };
/** More than a file needs that waits for nothing. */
const SOON_MS = 3_000;
const place = { cwd: "/repo/e2e", root: "/repo" };

/** Runs test files for real and reads their report. @param {Record<string, string>} sources by the file's name @param {number} limitMs of a file */
async function runFiles(sources, limitMs = 60_000) {
  const files = Object.keys(sources);
  // Empty, so that nobody takes the report of the run before for this one's.
  writeFileSync(path.join(folder, "report.xml"), "");
  for (const file of files) {
    writeFileSync(
      path.join(folder, file),
      `import { before, beforeEach, describe, test } from "node:test";\n${sources[file]}\n`,
    );
  }
  const { NODE_TEST_CONTEXT: _ours, ...env } = process.env;
  const byFile = pathToFileURL(path.join(import.meta.dirname, "junit-by-file.mjs")).href;
  const reporters = ["spec", byFile].map((name) => `--test-reporter=${name}`);
  const targets = ["stdout", "report.xml"].map((name) => `--test-reporter-destination=${name}`);
  const runner = path.join(import.meta.dirname, "run-files.mjs");
  const run = spawnSync(process.execPath, [...reporters, ...targets, runner, String(limitMs), ...files], {
    cwd: folder,
    env,
    encoding: "utf8",
  });
  const xml = readFileSync(path.join(folder, "report.xml"), "utf8");
  const ending = `exit code ${run.status}`;
  const result = await readJunit(
    xml,
    { ok: run.status === 0, output: run.stdout, ending },
    { cwd: folder, root: folder, files },
  );
  const { failures, ...counts } = result;
  return {
    counts,
    titles: failures.map(({ title }) => title),
    messages: failures.map(({ message }) => message).join("\n"),
  };
}

test("Node: passed, failed, skipped and todo tests are counted, suites and parents are not", async () => {
  const { counts, titles, messages } = await runFiles({
    "mixed.test.mjs": `describe("suite", () => {
      test("good", () => {});
      test("bad <x>", () => { throw new Error("the reason & more"); });
      test("later", { skip: true }, () => {});
      test("idea", { todo: true }, () => { throw new Error("not yet"); });
    });
    test("parent", async (t) => {
      await t.test("child", () => { throw new Error("in the child"); });
    });`,
  });
  assert.deepEqual(counts, { passed: 1, failed: 2, skipped: 2 });
  assert.deepEqual(titles, ["mixed.test.mjs › suite › bad <x>", "mixed.test.mjs › parent › child"]);
  assert.match(messages, /Error: the reason & more\n +at .*mixed\.test\.mjs/);
  assert.doesNotMatch(messages, /ERR_TEST_FAILURE|node:internal/);
});

test("Node: a file that crashes is one failure with what it printed, one without tests is a failure, the others count", async () => {
  const { counts, titles, messages } = await runFiles({
    "a-good.test.mjs": 'test("good", () => {});',
    "b-crash.test.mjs": 'throw new Error("crashed early");',
    "c-none.test.mjs": "",
  });
  assert.deepEqual(counts, { passed: 1, failed: 2, skipped: 0 });
  assert.deepEqual(titles.sort(), ["b-crash.test.mjs › could not be loaded", "c-none.test.mjs › the file ran no test"]);
  assert.match(messages, /crashed early/);
});

test("Node: files in one process keep their hooks to themselves", async () => {
  const { counts, titles } = await runFiles({
    "a-hook.test.mjs": 'beforeEach(() => { throw new Error("hook"); }); test("a", () => {});',
    "b-none.test.mjs": 'test("b", () => {});',
  });
  assert.deepEqual(counts, { passed: 1, failed: 1, skipped: 0 });
  assert.deepEqual(titles, ["a-hook.test.mjs › a"]);
});

test("Node: an error after the last test, a failing hook and a parent that fails by itself are failures", async () => {
  const late = await runFiles({
    "late.test.mjs": 'test("good", () => void setTimeout(() => { throw new Error("too late"); }, 20));',
  });
  assert.deepEqual([late.counts.passed, late.counts.failed], [1, 1]);
  assert.match(late.messages, /too late/);
  const hook = await runFiles({
    "hook.test.mjs": 'describe("suite", () => { before(() => { throw new Error("hook"); }); test("a", () => {}); });',
  });
  assert.deepEqual([hook.counts.passed, hook.counts.failed], [0, 1]);
  const parent = await runFiles({
    "own.test.mjs":
      'test("parent", async (t) => { await t.test("child", () => {}); throw new Error("own failure"); });',
  });
  assert.deepEqual([parent.counts.passed, parent.counts.failed], [1, 1]);
  assert.match(parent.messages, /own failure/);
});

test("Node: a refused promise that nobody waited for fails the run, and the file that was running is named", async () => {
  const { counts, messages } = await runFiles({
    "a-good.test.mjs": 'test("good", () => {});',
    "b-stray.test.mjs": `test("good", async () => {
      void (async () => { await 1; throw new Error("nobody waits"); })();
      await new Promise((resolve) => setImmediate(resolve));
    });`,
    "c-good.test.mjs": 'test("good", () => {});',
  });
  assert.deepEqual([counts.passed, counts.failed], [3, 1]);
  assert.match(messages, /✖ b-stray\.test\.mjs[^✖]*No test waited for this error: Error: nobody waits/);
});

test("Node: of a process that is stopped, files that had ended count, and what it waits for is told", async () => {
  const { counts, titles, messages } = await runFiles({
    "a-good.test.mjs": 'test("good", () => {});',
    "b-waits.test.mjs": `import { readFileSync } from "node:fs";
      import { setTimeout as sleep } from "node:timers/promises";
      test("waits", async () => {
        for (let waits = 0; waits < 1_000 && !readFileSync("report.xml", "utf8").includes("a-good"); waits++) await sleep(10);
        process.kill(process.pid, "SIGTERM");
        await new Promise(() => setInterval(() => {}, 1_000));
      });`,
    "c-behind.test.mjs": 'test("good", () => {});',
  });
  assert.deepEqual(counts, { passed: 1, failed: 1, skipped: 0 });
  assert.deepEqual(titles, ["b-waits.test.mjs › reported nothing (exit code 1)"]);
  assert.match(messages, /Nothing is known of 1 files behind it/);
  assert.match(messages, /Not ended: b-waits\.test\.mjs, c-behind\.test\.mjs, but this is still open: .*Timeout/);
});

test("Node: a file that takes too long is named, whether it runs or loads, and what had ended before counts", async () => {
  const waits = "await new Promise(() => setInterval(() => console.log('still here'), 100));";
  const running = await runFiles(
    {
      "a-good.test.mjs": 'test("good", () => {});',
      "b-waits.test.mjs": `test("ends", () => {}); test("waits", async () => { ${waits} });`,
      "c-behind.test.mjs": 'test("good", () => {});',
    },
    SOON_MS,
  );
  assert.deepEqual(running.counts, { passed: 1, failed: 1, skipped: 0 });
  assert.deepEqual(running.titles, ["b-waits.test.mjs › reported nothing (exit code 1)"]);
  const loading = await runFiles({ "a-good.test.mjs": 'test("good", () => {});', "b-loads.test.mjs": waits }, SOON_MS);
  assert.deepEqual(loading.titles, ["b-loads.test.mjs › reported nothing (exit code 1)"]);
});

test("a report that was cut short names the first file that reported nothing", async () => {
  const xml = `<?xml version="1.0" encoding="utf-8"?>\n<testsuites>\n\t<testsuite name="a.test.ts"><testcase name="good" classname="test" file="/repo/a.test.ts"/></testsuite>\n\t<testsuite name="cut`;
  const stopped = { ok: false, output: "", ending: "stopped after 240 s without output" };
  const files = ["a.test.ts", "b.test.ts", "c.test.ts"];
  const { passed, failed, failures } = await readJunit(xml, stopped, { cwd: "/repo", root: "/repo", files });
  assert.deepEqual([passed, failed], [1, 1]);
  assert.equal(failures[0]?.title, "b.test.ts › reported nothing (stopped after 240 s without output)");
  assert.match(failures[0]?.message ?? "", /waits for ever.*1 files behind it/);
});

test("Vitest: a file that did not load and an error outside of the tests are failures", async () => {
  const xml = `<testsuites name="vitest tests">
    <testsuite name="src/a.test.ts">
      <testcase classname="src/a.test.ts" name="suite &gt; good" time="0.01"></testcase>
      <testcase classname="src/a.test.ts" name="suite &gt; bad" time="0.06"><failure message="1 is not 2" type="AssertionError">
AssertionError: 1 is not 2
 ❯ src/a.test.ts:2:81
      </failure></testcase>
      <testcase classname="src/a.test.ts" name="later" time="0"><skipped/></testcase>
    </testsuite>
    <testsuite name="src/b.test.ts">
      <testcase classname="src/b.test.ts" name="src/b.test.ts"><failure message="m" type="Error">Error: crashed early</failure></testcase>
    </testsuite>
    <testsuite name="vitest unhandled errors">
      <testcase classname="vitest unhandled errors" name="Uncaught Exception: too late"><error message="m" type="Error">Error: too late</error></testcase>
    </testsuite>
  </testsuites>`;
  const failing = { ...good, ok: false };
  const result = await readJunit(xml, failing, { ...place, files: ["e2e/src/a.test.ts", "e2e/src/b.test.ts"] });
  assert.deepEqual([result.passed, result.failed, result.skipped], [1, 3, 1]);
  assert.deepEqual(
    result.failures.map(({ title }) => title),
    [
      "e2e/src/a.test.ts › suite > bad",
      "e2e/src/b.test.ts › the file failed",
      "e2e/vitest unhandled errors › Uncaught Exception: too late",
    ],
  );
  assert.equal(result.failures[0]?.message, "AssertionError: 1 is not 2\n ❯ src/a.test.ts:2:81");
});

test("Playwright: failures are read out of CDATA, a hook's failure counts for its test", async () => {
  const xml = `<testsuites><testsuite name="login.spec.ts" errors="1">
    <testcase name="as root › opens" classname="login.spec.ts"><system-out><![CDATA[noise]]></system-out></testcase>
    <testcase name="fails" classname="login.spec.ts"><failure message="m" type="t"><![CDATA[  no <button>]]></failure></testcase>
    <testcase name="hook" classname="login.spec.ts"><error message="m" type="Error"><![CDATA[Error: hook]]></error></testcase>
    <testcase name="not run" classname="login.spec.ts"><skipped></skipped></testcase>
  </testsuite></testsuites>`;
  const result = await readJunit(xml, { ...good, ok: false }, { ...place, files: ["e2e/login.spec.ts"] });
  assert.deepEqual(result, {
    passed: 1,
    failed: 2,
    skipped: 1,
    failures: [
      { title: "e2e/login.spec.ts › fails", message: "no <button>" },
      { title: "e2e/login.spec.ts › hook", message: "Error: hook" },
    ],
  });
});

test("a runner that fails, writes nothing or runs nothing counts as one failure with its last lines", async () => {
  const xml = '<testsuites><testsuite name="a"><testcase name="good" classname="a.ts"/></testsuite></testsuites>';
  const killed = { ok: false, output: "last words", ending: "signal SIGKILL" };
  const read = (/** @type {string} */ report, /** @type {typeof good} */ run) =>
    readJunit(report, run, { ...place, files: report === "" ? [] : ["e2e/a.ts"] });
  assert.deepEqual(await read(xml, good), { passed: 1, failed: 0, skipped: 0, failures: [] });
  assert.equal((await read("", good)).failed, 1);
  assert.equal((await read("<testsuites></testsuites>", good)).failed, 1);
  const judged = await read(xml, killed);
  assert.deepEqual([judged.passed, judged.failed], [1, 1]);
  assert.match(judged.failures[0]?.title ?? "", /SIGKILL/);
  assert.equal(judged.failures[0]?.message, "last words");
});
