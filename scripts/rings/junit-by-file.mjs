import { junit } from "node:test/reporters";

const opening = "<testsuites>\n";
const closing = "</testsuites>\n";

/**
 * A reporter for `node --test-reporter`: Node's own JUnit report, but each file's part is written when the file has ended. What had
 * ended is known although the process never does; of a file that was still running, nothing is.
 * @param {import("node:test/reporters").TestEventGenerator} source
 */
export default async function* junitByFile(source) {
  yield opening;
  /** @type {import("node:test/reporters").TestEvent[]} */
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

/** A file is a suite of its own (run-files.mjs), the outermost. @param {import("node:test/reporters").TestEvent} event */
function isEndOfFile(event) {
  return (event.type === "test:pass" || event.type === "test:fail") && event.data.nesting === 0;
}

/** @param {import("node:test/reporters").TestEvent[]} events */
async function suitesOf(events) {
  let text = "";
  for await (const part of junit(replay(events))) text += part;
  return text.slice(text.indexOf(opening) + opening.length, text.lastIndexOf(closing));
}

/** @param {import("node:test/reporters").TestEvent[]} events @returns {import("node:test/reporters").TestEventGenerator} */
async function* replay(events) {
  yield* events;
}
