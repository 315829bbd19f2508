import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { fromRoot } from "./repository-paths.mjs";

const dependencyFields = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"];

/**
 * @typedef {Record<string, unknown>} Manifest
 * @typedef {Manifest & { version?: string, resolved?: string, optional?: boolean }} LockedPackage
 */

/**
 * True when node_modules holds what package-lock.json asks for, so that an `npm install` by hand is not repeated.
 * Reads npm's own record of the installed tree, node_modules/.package-lock.json.
 * @param {string[]} workspaceFolders relative paths, with "" for the root
 */
export function installedMatchesLock(workspaceFolders) {
  try {
    /** @type {Record<string, LockedPackage>} */
    const wanted = readJson("package-lock.json").packages;
    /** @type {Record<string, LockedPackage>} */
    const installed = readJson("node_modules", ".package-lock.json").packages;
    return (
      workspaceFolders.every((folder) => declaresTheSame(wanted[folder], readJson(folder, "package.json"))) &&
      Object.entries(wanted).every(([place, entry]) => isInstalled(place, entry, installed[place]))
    );
  } catch {
    return false;
  }
}

/** @param {LockedPackage | undefined} locked @param {Manifest} manifest */
function declaresTheSame(locked, manifest) {
  return locked !== undefined && dependencyFields.every((field) => isDeepStrictEqual(locked[field], manifest[field]));
}

/**
 * Optional packages may be missing: they are for other machines.
 * @param {string} place @param {LockedPackage} wanted @param {LockedPackage | undefined} installed
 */
function isInstalled(place, wanted, installed) {
  if (!place.includes("node_modules/")) return true;
  if (installed === undefined) return wanted.optional === true;
  return installed.version === wanted.version && installed.resolved === wanted.resolved;
}

/** @param {...string} parts */
function readJson(...parts) {
  return JSON.parse(readFileSync(fromRoot(...parts), "utf8"));
}
