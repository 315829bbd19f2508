// Folders that hold more than a reader takes in at a glance. Tests stand beside what they test and do not count, nor do migrations, each of which is
// read by itself, and texts.
import path from "node:path";

const MOST_FILES = 20;
const uncounted = /\.(?:test|spec)\.|\/(?:migrations|locales)\//;

/**
 * What is wrong with the folders of the files, a line each. `allowed` are folders that may hold more for now: one that no longer does is named, too.
 * @param {readonly string[]} files @param {ReadonlySet<string>} allowed @returns {string[]}
 */
export function findFullFolders(files, allowed) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const file of files.filter((name) => !uncounted.test(name))) {
    const folder = path.posix.dirname(file);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  const full = [...counts].filter(([, count]) => count > MOST_FILES);
  const names = new Set(full.map(([folder]) => folder));
  return [
    ...full
      .filter(([folder]) => !allowed.has(folder))
      .map(
        ([folder, count]) => `${folder}: ${count} source files of ${MOST_FILES}; group them by subject into folders`,
      ),
    ...[...allowed]
      .filter((folder) => !names.has(folder))
      .map((folder) => `${folder}: holds ${MOST_FILES} source files or fewer now, so it needs no exception any more`),
  ];
}
