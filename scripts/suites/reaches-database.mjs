import { readFileSync } from "node:fs";
import { readImports } from "../lib/read-imports.mjs";
import { fromRoot } from "../lib/repository.mjs";

const testDatabases = new Set([
  "packages/database/src/test-databases.ts",
  "packages/database/src/testing/postgres-cluster.ts",
  "packages/database/src/testing/postgres-test-server.ts",
  "packages/database/src/testing/mariadb-test-server.ts",
]);

/**
 * Tells whether a file imports, directly or through others, what makes test databases.
 * @returns {(file: string) => boolean} takes a repository path
 */
export function makeReachesDatabase() {
  /** @type {Map<string, boolean>} */
  const known = new Map([...testDatabases].map((file) => [file, true]));

  /** @param {string} file @returns {boolean} */
  function reaches(file) {
    const remembered = known.get(file);
    if (remembered !== undefined) return remembered;
    known.set(file, false);
    const answer = readImports(file, readFileSync(fromRoot(file), "utf8")).some(({ target }) => reaches(target));
    known.set(file, answer);
    return answer;
  }
  return reaches;
}
