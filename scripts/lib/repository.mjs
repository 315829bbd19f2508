import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

/** Absolute path of the repository, independent of the working directory. */
export const repositoryRoot = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..", "..");

const skippedFolders = new Set(["node_modules", "dist", ".git", ".cache", "coverage", "test-results"]);

/** An error whose message is meant for the person at the terminal: shown without a stack. */
export class PlainError extends Error {}

/**
 * Absolute path of something in the repository.
 * @param {...string} parts path parts below the root
 */
export function fromRoot(...parts) {
  return path.join(repositoryRoot, ...parts);
}

/**
 * Runs a script's main function; a PlainError is printed as its message alone, anything else with its stack. Exit code 1 either way.
 * @param {() => Promise<void>} main
 */
export async function runMain(main) {
  try {
    await main();
  } catch (error) {
    console.error(error instanceof PlainError ? error.message : error);
    process.exitCode = 1;
  }
}

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

/**
 * The same, as paths from the repository's root with forward slashes.
 * @param {string[]} folders from the repository's root
 * @returns {string[]}
 */
export function repositoryFiles(folders) {
  const files = folders.flatMap((folder) => listFiles(fromRoot(folder)));
  return files.map((file) => path.relative(repositoryRoot, file).split(path.sep).join("/"));
}

/**
 * Absolute path of the script behind an installed package's command, to be run with the Node of our choice.
 * @param {string} packageName
 * @param {{ bin?: string, workspace?: string }} [options] `bin`: the command, when it is not named like the package;
 *   `workspace`: the folder whose own node_modules is looked at first
 */
export function packageBin(packageName, { bin = packageName, workspace = "" } = {}) {
  const folder = [fromRoot(workspace, "node_modules", packageName), fromRoot("node_modules", packageName)].find(
    (place) => existsSync(path.join(place, "package.json")),
  );
  if (folder === undefined) throw new PlainError(`The package ${packageName} is not installed: run npm install.`);
  /** @type {{ bin: string | Record<string, string> }} */
  const manifest = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"));
  const script = typeof manifest.bin === "string" ? manifest.bin : manifest.bin[bin];
  if (script === undefined) throw new PlainError(`The package ${packageName} has no command ${bin}.`);
  return path.join(folder, script);
}
