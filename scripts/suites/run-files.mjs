// node run-files.mjs <ms> <test file>…: runs several files of node:test in this process, each as a suite named like it. When one takes longer than
// that, or all together do to load, the process says so and ends.
import asyncHooks from "node:async_hooks";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { inspect } from "node:util";
import { OVERDUE } from "./read-junit.mjs";

// node:test follows every promise of the process to find the test of a declaration: a fifth of the work of tests that
// wait for databases. Once all files are loaded, nothing is declared any more.
const { createHook } = asyncHooks;
/** @type {import("node:async_hooks").AsyncHook[]} */
const followers = [];
asyncHooks.createHook = (callbacks) => {
  const follower = createHook(callbacks);
  followers.push(follower);
  return follower;
};
const { after, before, describe, it } = await import("node:test");
asyncHooks.createHook = createHook;

/** After the last test, in ms. */
const END_MS = 60_000;
// Those that no test replaces.
const { clearTimeout, setTimeout } = globalThis;

/** Errors that no test waited for. @type {unknown[]} */
const strays = [];
for (const event of ["uncaughtException", "unhandledRejection"]) process.on(event, (error) => void strays.push(error));

// Most of the cost of a file's own process is loading the same modules again. Suites keep their hooks separate, unlike
// Node's --test-isolation=none.
const [limit, ...files] = process.argv.slice(2);
const limitMs = Number(limit);
const loading = new Set(files);
const running = new Set(files);
const waitForAll = setTimeout(() => tellOverdue([...loading][0]), limitMs).unref();
for (const file of files) {
  describe(file, async () => {
    /** @type {NodeJS.Timeout | undefined} */
    let overdue;
    before(() => {
      overdue = setTimeout(() => tellOverdue(file), limitMs).unref();
    });
    after(() => {
      clearTimeout(overdue);
      running.delete(file);
      if (running.size === 0) setTimeout(giveUp, END_MS).unref();
      throwStrays();
    });
    try {
      await import(pathToFileURL(path.resolve(file)).href);
    } catch (error) {
      it("could not be loaded", () => {
        throw error;
      });
    }
    loading.delete(file);
    if (loading.size > 0) return;
    clearTimeout(waitForAll);
    for (const follower of followers) follower.disable();
  });
}

/** node:test cannot attribute them, so they fail the file that was running. */
function throwStrays() {
  const [first, ...more] = strays.splice(0);
  if (first === undefined) return;
  const others = more.length > 0 ? ` (and ${more.length} more)` : "";
  throw new Error(`No test waited for this error${others}: ${inspect(first)}`);
}

// A stopped process reports what it was waiting for.
process.once("SIGTERM", giveUp);

/** The process should have ended. */
function giveUp() {
  tellWhatIsOpen();
  process.exit(1);
}

/** @param {string | undefined} file */
function tellOverdue(file) {
  console.log(`${OVERDUE}${file}: more than ${limitMs / 1000} s`);
  giveUp();
}

function tellWhatIsOpen() {
  const done = running.size === 0 ? "Every test has ended" : `Not ended: ${[...running].join(", ")}`;
  console.log(`${done}, but this is still open: ${process.getActiveResourcesInfo().join(", ")}`);
}
