// node run-files.mjs <test file>…: runs several files of node:test in this process, each as a suite named like it.
import path from "node:path";
import { describe, it } from "node:test";
import { pathToFileURL } from "node:url";

// Most of what a file of its own would cost is loading the same modules again. As suites they keep their hooks to themselves, which
// Node's own --test-isolation=none does not do.
for (const file of process.argv.slice(2)) {
  describe(file, async () => {
    try {
      await import(pathToFileURL(path.resolve(file)).href);
    } catch (error) {
      it("could not be loaded", () => {
        throw error;
      });
    }
  });
}
