// Folders with too many files to overlook. Tests, migrations and texts do not count.
import path from "node:path";

const MOST_FILES = 20;
const uncounted = /\.(?:test|spec)\.|\/(?:migrations|locales)\//;

/**
 * Returns a line for each full folder of the files.
 * @param {readonly string[]} files
 * @returns {string[]}
 */
export function findFullFolders(files) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const file of files.filter((name) => !uncounted.test(name))) {
    const folder = path.posix.dirname(file);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts]
    .filter(([, count]) => count > MOST_FILES)
    .map(([folder, count]) => `${folder}: ${count} source files of ${MOST_FILES}; group them by subject into folders`);
}
