import { accessSync, constants, existsSync, readdirSync } from "node:fs";
import path from "node:path";

const isWindows = process.platform === "win32";

/**
 * Absolute path of the first of these programs that PATH has; undefined when it has none.
 * @param {...string} names without `.exe`
 * @returns {string | undefined}
 */
export function findOnPath(...names) {
  const folders = (process.env["PATH"] ?? "").split(path.delimiter).filter(Boolean);
  const files = names.flatMap((name) => folders.map((folder) => path.join(folder, isWindows ? `${name}.exe` : name)));
  return files.find(isExecutable);
}

/** @param {string} file */
export function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Paths below a folder whose names begin like this, the highest version first: `versionedFolders("/usr/lib/postgresql", "")`.
 * @param {string} folder
 * @param {string} beginning
 * @returns {string[]}
 */
export function versionedFolders(folder, beginning) {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => name.startsWith(beginning));
  return names
    .sort((left, right) => right.localeCompare(left, "en", { numeric: true }))
    .map((name) => path.join(folder, name));
}
