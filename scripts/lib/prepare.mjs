import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { ensureConsole } from "./ensure-console.mjs";
import { fromRoot, PlainError, repositoryRoot } from "./repository.mjs";
import { runCaptured } from "./run-captured.mjs";
import { runtimeNode } from "./runtime-node.mjs";
import { hashFiles, stampAt } from "./stamp.mjs";
import { withLock } from "./with-lock.mjs";

const stamp = stampAt(fromRoot("node_modules", ".one-api-stamp"));
const dependencyFields = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"];

/**
 * Makes the checkout ready to run: npm packages, the Node for the sources and, when asked for, a fresh build of the console.
 * Does nothing but a few look-ups when all of that is there.
 * @param {{ withConsole: boolean }} options
 * @returns {Promise<string>} path of the Node that runs the TypeScript sources
 */
export async function prepare({ withConsole }) {
  await ensureDependencies();
  const node = runtimeNode();
  if (withConsole) await ensureConsole(node);
  return node;
}

/**
 * Installs the npm packages when they are missing or package-lock.json or a workspace's package.json has changed since.
 * Prints one line when it installs, npm's whole output when that fails.
 */
async function ensureDependencies() {
  if (stamp.matches(dependencyHash())) return;
  await withLock(fromRoot(".cache", "install.lock"), async () => {
    if (stamp.matches(dependencyHash())) return;
    const isNew = !existsSync(fromRoot("node_modules"));
    if (isNew || !installedMatchesLock(workspaceFolders())) await install(isNew);
    stamp.write(dependencyHash());
  });
}

/** @param {boolean} isNew */
async function install(isNew) {
  console.log(isNew ? "Installing dependencies (first start)…" : "Installing dependencies (they have changed)…");
  stamp.remove();
  const verb = installVerb();
  const npm = npmCommand();
  const run = await runCaptured(
    npm.command,
    // A machine with NODE_ENV=production still needs the tools that build the console.
    [
      ...npm.leading,
      verb,
      "--include=dev",
      "--include=optional",
      "--loglevel=error",
      "--no-progress",
      "--no-fund",
      "--no-audit",
    ],
    { shell: npm.shell },
  );
  if (!run.ok) throw new PlainError(`${run.output}\nnpm ${verb} failed (${run.ending}); its output is above.`);
}

/** Windows cannot delete the node.exe that runs this script, which `npm ci` would do. */
function installVerb() {
  const runsFromModules = process.execPath.startsWith(fromRoot("node_modules"));
  if (process.platform === "win32" && runsFromModules) return "install";
  return existsSync(fromRoot("package-lock.json")) ? "ci" : "install";
}

/** The npm that started us, run by the Node that runs it: the Node in node_modules may be replaced meanwhile. */
function npmCommand() {
  const { npm_execpath: script, npm_node_execpath: node } = process.env;
  if (script?.endsWith(".js") && node && existsSync(script) && existsSync(node)) {
    return { command: node, leading: [script], shell: false };
  }
  return { command: "npm", leading: [], shell: process.platform === "win32" };
}

function dependencyHash() {
  const manifests = workspaceFolders().map((folder) => fromRoot(folder, "package.json"));
  return hashFiles([fromRoot("package-lock.json"), ...manifests]);
}

/** Folders of the root's `workspaces` that have a package.json, with "" for the root itself. */
function workspaceFolders() {
  /** @type {{ workspaces?: string[] }} */
  const { workspaces = [] } = JSON.parse(readFileSync(fromRoot("package.json"), "utf8"));
  const folders = workspaces.flatMap((pattern) =>
    pattern.endsWith("/*") ? subfolders(pattern.slice(0, -2)) : [pattern],
  );
  return ["", ...folders.filter((folder) => existsSync(path.join(repositoryRoot, folder, "package.json")))];
}

/** @param {string} folder */
function subfolders(folder) {
  if (!existsSync(fromRoot(folder))) return [];
  return readdirSync(fromRoot(folder)).map((name) => `${folder}/${name}`);
}

/**
 * @typedef {Record<string, unknown>} Manifest
 * @typedef {Manifest & { version?: string, resolved?: string, optional?: boolean }} LockedPackage
 */

/**
 * True when node_modules holds what package-lock.json asks for, so that an `npm install` by hand is not repeated.
 * Reads npm's own record of the installed tree, node_modules/.package-lock.json.
 * @param {string[]} folders relative paths, with "" for the root
 */
function installedMatchesLock(folders) {
  try {
    /** @type {Record<string, LockedPackage>} */
    const wanted = readJson("package-lock.json").packages;
    /** @type {Record<string, LockedPackage>} */
    const installed = readJson("node_modules", ".package-lock.json").packages;
    return (
      folders.every((folder) => declaresTheSame(wanted[folder], readJson(folder, "package.json"))) &&
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
