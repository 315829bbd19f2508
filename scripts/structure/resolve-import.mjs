import { builtinModules } from "node:module";
import path from "node:path";

const appNames = new Set(["server", "console"]);
const endings = ["", ".ts", ".tsx", ".mjs", "/index.ts", "/index.tsx"];

/**
 * What an import stands for, in one spelling for all rules: a repository path (`packages/contract/src/token.ts`), `npm:<package>`
 * or `node:<module>`.
 * @param {string} file repository path of the importing file
 * @param {string} specifier
 * @param {Set<string>} knownFiles repository paths, to find the ending of an import without one
 * @returns {string}
 */
export function resolveImport(file, specifier, knownFiles) {
  const bare = specifier.replace(/\?.*$/, "");
  if (bare.startsWith(".")) return withEnding(path.posix.join(path.posix.dirname(file), bare), knownFiles);
  if (bare.startsWith("node:")) return bare;
  if (builtinModules.includes(bare)) return `node:${bare}`;
  const [first = "", second = "", ...rest] = bare.split("/");
  if (first === "@one-api") {
    const folder = `${appNames.has(second) ? "apps" : "packages"}/${second}/src`;
    return withEnding([folder, ...rest].join("/"), knownFiles);
  }
  return `npm:${first.startsWith("@") ? `${first}/${second}` : first}`;
}

/** @param {string} place @param {Set<string>} knownFiles */
function withEnding(place, knownFiles) {
  const ending = endings.find((candidate) => knownFiles.has(place + candidate)) ?? "";
  return place + ending;
}
