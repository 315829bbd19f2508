import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { hashFiles } from "./hash-files.mjs";
import { installedMatchesLock } from "./installed-matches-lock.mjs";
import { PlainError } from "./plain-error.mjs";
import { fromRoot, repositoryRoot } from "./repository-paths.mjs";
import { runCaptured } from "./run-captured.mjs";
import { stampAt } from "./stamp.mjs";
import { withLock } from "./with-lock.mjs";

const stamp = stampAt(fromRoot("node_modules", ".one-api-stamp"));

/**
 * Installs the npm packages when they are missing or package-lock.json or a workspace's package.json has changed since.
 * Prints one line when it installs, npm's whole output when that fails.
 */
export async function ensureDependencies() {
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
