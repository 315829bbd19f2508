import path from "node:path";
import { emptyResult } from "./ring-result.mjs";

/** @typedef {import("./node-reporter.mjs").NodeTestEvent} NodeTestEvent */

/**
 * Counts what `node --test` reported. A file that crashed, ran no test, or ended (`process.exit`) before all of its tests had
 * run is a failure of its own; a test that only failed because of its subtests is not counted again.
 * @param {string} lines as written by node-reporter.mjs; the last one may be cut
 * @param {string} root shown paths are relative to it
 * @returns {import("./ring-result.mjs").RingResult}
 */
export function readNodeReport(lines, root) {
  const events = parseLines(lines);
  const result = emptyResult();
  const errorOutput = collectErrorOutput(events);
  /** @param {string} file @param {string} title @param {string} message */
  function fail(file, title, message) {
    result.failed++;
    const place = path.relative(root, file).split(path.sep).join("/");
    result.failures.push({ title: `${place} › ${title}`, message });
  }

  for (const event of events) {
    if (event.type !== "result" || event.failureType === "subtestsFailed") continue;
    if (event.isFile && event.outcome === "failed") {
      fail(event.file, "the file failed", `${errorOutput.get(event.file) ?? ""}${event.message ?? ""}`);
    } else if (event.isFile) fail(event.file, "the file ran no test", "A test file must run at least one test.");
    else if (event.outcome === "failed") fail(event.file, event.title, event.message ?? "");
    else if (!event.isSuite) result[event.outcome]++;
  }
  for (const [file, message] of unfinishedFiles(events)) fail(file, "the file did not finish", message);
  return result;
}

/** @param {string} lines @returns {NodeTestEvent[]} */
function parseLines(lines) {
  return lines.split("\n").flatMap((line) => {
    try {
      return [JSON.parse(line)];
    } catch {
      return [];
    }
  });
}

/** @param {NodeTestEvent[]} events @returns {Map<string, string>} */
function collectErrorOutput(events) {
  const texts = new Map();
  for (const event of events) {
    if (event.type === "error-output") texts.set(event.file, (texts.get(event.file) ?? "") + event.text);
  }
  return texts;
}

/**
 * Files that were started and neither reported all of their tests nor failed as a whole. Results come in the order of the files: when
 * one hangs, those of the files after it are lost, which is not the fault of these.
 * @param {NodeTestEvent[]} events
 * @returns {[file: string, message: string][]}
 */
function unfinishedFiles(events) {
  /** @param {(event: NodeTestEvent) => boolean} isWanted */
  const filesWith = (isWanted) => new Set(events.filter(isWanted).map((event) => event.file));
  const settled = filesWith((event) => event.type === "file-done" || (event.type === "result" && event.isFile));
  const ended = filesWith((event) => event.type === "file-end");
  const unfinished = [...filesWith((event) => event.type === "file-start")].filter((file) => !settled.has(file));
  const hanging = unfinished.filter((file) => !ended.has(file));
  if (hanging.length === 0) {
    return unfinished.map((file) => [file, "It ended before all of its tests had run: look for process.exit()."]);
  }
  const lost = unfinished.length - hanging.length;
  const message = `It was still running when the runner was stopped: look for a test that waits for ever or an open handle.${
    lost > 0 ? ` The results of ${lost} other files were lost with it.` : ""
  }`;
  return hanging.map((file) => [file, message]);
}
