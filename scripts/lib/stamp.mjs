import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { repositoryRoot } from "./repository.mjs";

/**
 * A small file that remembers for which inputs something was made.
 * @param {string} file absolute path
 */
export function stampAt(file) {
  return {
    /** @param {string} value true when the stamp says exactly this */
    matches(value) {
      return existsSync(file) && readFileSync(file, "utf8").trim() === value;
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

/**
 * SHA-256 over names and contents of files, independent of their order. A missing file counts as an empty one.
 * @param {string[]} files absolute paths inside the repository
 * @returns {string} hexadecimal
 */
export function hashFiles(files) {
  const hash = createHash("sha256");
  for (const file of [...files].sort()) {
    const content = existsSync(file) ? readFileSync(file) : Buffer.alloc(0);
    const name = path.relative(repositoryRoot, file).split(path.sep).join("/");
    hash.update(`${name}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex");
}
