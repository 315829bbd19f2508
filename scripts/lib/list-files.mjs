import { existsSync, readdirSync, statSync } from "node:fs";
import path from "node:path";

const skippedFolders = new Set(["node_modules", "dist", ".git", ".cache", "coverage", "test-results"]);

/**
 * Every file below a folder (or the file itself), sorted, without dependencies and build output. A missing folder has no files.
 * @param {string} start absolute path of a folder or a file
 * @returns {string[]} absolute paths
 */
export function listFiles(start) {
  if (!existsSync(start)) return [];
  if (statSync(start).isFile()) return [start];
  const found = readdirSync(start, { withFileTypes: true }).flatMap((entry) => {
    const full = path.join(start, entry.name);
    if (entry.isDirectory()) return skippedFolders.has(entry.name) ? [] : listFiles(full);
    return entry.isFile() ? [full] : [];
  });
  return found.sort();
}
