// node run-files.mjs <test file>…: runs several files of node:test in this process, each as a suite named like it.
import path from "node:path";
import { after, describe, it } from "node:test";
import { pathToFileURL } from "node:url";

/** After the last test, in ms. */
const END_MS = 30_000;

// Most of what a file of its own would cost is loading the same modules again. As suites they keep their hooks to themselves, which
// Node's own --test-isolation=none does not do.
const files = process.argv.slice(2);
const running = new Set(files);
for (const file of files) {
  describe(file, async () => {
    after(() => {
      running.delete(file);
      if (running.size === 0) setTimeout(tellWhatIsOpen, END_MS).unref();
    });
    try {
      await import(pathToFileURL(path.resolve(file)).href);
    } catch (error) {
      it("could not be loaded", () => {
        throw error;
      });
    }
  });
}

// Who stops a process that does not end wants to know why.
process.once("SIGTERM", () => {
  tellWhatIsOpen();
  process.exit(1);
});

/** The process should have ended. */
function tellWhatIsOpen() {
  const done = running.size === 0 ? "Every test has ended" : `Not ended: ${[...running].join(", ")}`;
  console.log(`${done}, but this is still open: ${process.getActiveResourcesInfo().join(", ")}`);
}
