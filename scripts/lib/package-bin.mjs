import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { PlainError } from "./plain-error.mjs";
import { fromRoot } from "./repository-paths.mjs";

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
