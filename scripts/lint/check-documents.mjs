// Checks that paths, links and commands in the documents exist; in decision records only the links, since they describe
// a past state.
import { readFileSync } from "node:fs";
import path from "node:path";
import { fromRoot, repositoryFiles } from "../lib/repository.mjs";
import { anchorsOf, findDeadPaths } from "./find-dead-paths.mjs";

const atRoot = ["ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "GLOSSARY.md", "README.md", "package.json"];
const files = new Set(repositoryFiles(["apps", "packages", "docs", "scripts", "e2e", "bench", "deploy", ...atRoot]));
const folders = new Set([...files].flatMap(parentsOf));
/** @type {{ scripts: Record<string, string> }} */
const manifest = JSON.parse(readFileSync(fromRoot("package.json"), "utf8"));
const repository = {
  files,
  folders,
  commands: new Set(Object.keys(manifest.scripts)),
  headingsOf: (/** @type {string} */ file) => anchorsOf(readFileSync(fromRoot(file), "utf8")),
};
const documents = [...files].filter((file) => file.endsWith(".md"));
const findings = documents.flatMap((file) => findDeadPaths(file, textOf(file), repository));
for (const finding of findings) console.log(finding);
console.log(`${documents.length} documents, ${findings.length} violations`);
process.exitCode = findings.length > 0 ? 1 : 0;

/** @param {string} file */
function textOf(file) {
  const text = readFileSync(fromRoot(file), "utf8");
  return file.startsWith("docs/decisions/") ? text.replace(/`[^`\n]+`/g, "") : text;
}

/** @param {string} file @returns {string[]} */
function parentsOf(file) {
  const parent = path.posix.dirname(file);
  return parent === "." ? [] : [parent, ...parentsOf(parent)];
}
