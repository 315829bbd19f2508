// Every line of docs/specification.md is named by a test, proved by a check, or listed as not built yet.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fromRoot, repositoryFiles, repositoryRoot } from "../lib/repository.mjs";
import { findUnprovedLines, readProvedIds, readSpecification } from "./find-unproved-lines.mjs";

const place = "docs/specification.md";
const folders = ["apps", "packages", "scripts", "bench", "e2e"];
const files = repositoryFiles(folders).filter((file) => /\.(?:test|spec)\.(?:ts|tsx|mjs)$/.test(file));

const specification = readSpecification(readFileSync(fromRoot(place), "utf8"));
const findings = findUnprovedLines(
  specification,
  new Map(files.map((file) => [file, readProvedIds(readFileSync(fromRoot(file), "utf8"))])),
  { checks: readCheckNames(), notBuiltBefore: readNotBuiltOnMain() },
);
if (repositoryFiles(["docs/decisions"]).length === 0) findings.push("START-10: docs/decisions has no page");
for (const finding of findings) console.log(finding);
console.log(
  `${specification.lines.size} lines, ${specification.notBuilt.size} not built yet, ${findings.length} violations`,
);
process.exitCode = findings.length > 0 ? 1 : 0;

function readCheckNames() {
  const source = readFileSync(fromRoot("scripts", "check.mjs"), "utf8");
  return new Set([...source.matchAll(/name: "([\w-]+)"/g)].map(([, name = ""]) => name));
}

/** Section "Not built yet" of the main branch; undefined without that branch or page. */
function readNotBuiltOnMain() {
  for (const branch of ["origin/main", "main"]) {
    const base = git("merge-base", "HEAD", branch);
    const page = base && git("show", `${base.trim()}:${place}`);
    if (page) return readSpecification(page).notBuilt;
  }
  return undefined;
}

/** @param {string[]} words @returns {string | undefined} what git says; undefined when it fails */
function git(...words) {
  const run = spawnSync("git", words, { cwd: repositoryRoot, encoding: "utf8" });
  return run.status === 0 ? run.stdout : undefined;
}
