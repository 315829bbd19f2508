import { readImports } from "../structure/read-imports.mjs";
import { resolveImport } from "../structure/resolve-import.mjs";
import { readSourceFiles } from "../structure/source-files.mjs";

const testDatabases = new Set([
  "packages/database/src/test-databases.ts",
  "packages/database/src/testing/postgres-cluster.ts",
  "packages/database/src/testing/postgres-test-server.ts",
]);

/**
 * Tells whether a file imports, directly or through others, what makes test databases.
 * @returns {(file: string) => boolean} takes a repository path
 */
export function makeReachesDatabase() {
  const texts = new Map(readSourceFiles().map((file) => [file.path, file.text]));
  const knownFiles = new Set(texts.keys());
  /** @type {Map<string, boolean>} */
  const known = new Map();

  /** @param {string} file @returns {boolean} */
  function reaches(file) {
    const remembered = known.get(file);
    if (remembered !== undefined) return remembered;
    known.set(file, testDatabases.has(file));
    const targets = readImports(texts.get(file) ?? "").map(({ specifier }) =>
      resolveImport(file, specifier, knownFiles),
    );
    const answer = testDatabases.has(file) || targets.some((target) => texts.has(target) && reaches(target));
    known.set(file, answer);
    return answer;
  }
  return reaches;
}
