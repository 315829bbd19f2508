import { junit } from "node:test/reporters";

/** @typedef {import("node:test/reporters").TestEvent} TestEvent */

const opening = "<testsuites>\n";
const closing = "</testsuites>\n";

/**
 * A reporter for `node --test-reporter`: Node's own JUnit report, but each file's part is written when the file has ended. What had
 * ended is known although the process never does; of a file that was still running, nothing is.
 * @param {AsyncGenerator<TestEvent, void>} source
 */
export default async function* junitByFile(source) {
  yield opening;
  /** @type {TestEvent[]} */
  let events = [];
  for await (const event of source) {
    events.push(event);
    if (!isEndOfFile(event)) continue;
    yield await suitesOf(events);
    events = [];
  }
  yield await suitesOf(events);
  yield closing;
}

/** A file is a suite of its own (run-files.mjs), the outermost. @param {TestEvent} event */
function isEndOfFile(event) {
  return (event.type === "test:pass" || event.type === "test:fail") && event.data.nesting === 0;
}

/** @param {TestEvent[]} events */
async function suitesOf(events) {
  let text = "";
  for await (const part of junit(replay(events))) text += part;
  return text.slice(text.indexOf(opening) + opening.length, text.lastIndexOf(closing));
}

/** @param {TestEvent[]} events @returns {AsyncGenerator<TestEvent, void>} */
async function* replay(events) {
  yield* events;
}
