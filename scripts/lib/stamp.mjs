import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

/**
 * A small file that remembers for which inputs something was made.
 * @param {string} file absolute path
 */
export function stampAt(file) {
  return {
    /** @param {string} value true when the stamp says exactly this */
    matches(value) {
      try {
        return readFileSync(file, "utf8").trim() === value;
      } catch {
        return false;
      }
    },
    /** @param {string} value */
    write(value) {
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, `${value}\n`);
    },
    remove() {
      rmSync(file, { force: true });
    },
  };
}
