import path from "node:path";
import { listFiles } from "../lib/list-files.mjs";
import { fromRoot, repositoryRoot } from "../lib/repository-paths.mjs";

/**
 * Test files below some folders, as repository paths with forward slashes.
 * @param {string[]} folders
 * @param {RegExp} name
 * @param {string[]} filters parts of paths; a file must contain one of them; empty: every file
 * @returns {string[]}
 */
export function findTestFiles(folders, name, filters) {
  return folders
    .flatMap((folder) => listFiles(fromRoot(folder)))
    .map((file) => path.relative(repositoryRoot, file).split(path.sep).join("/"))
    .filter((file) => name.test(file) && (filters.length === 0 || filters.some((filter) => file.includes(filter))));
}
