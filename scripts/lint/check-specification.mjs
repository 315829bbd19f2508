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
for (const finding of findings) console.log(finding);
console.log(
  `${specification.lines.size} lines, ${specification.notBuilt.size} not built yet, ${findings.length} violations`,
);
process.exitCode = findings.length > 0 ? 1 : 0;

function readCheckNames() {
  const source = readFileSync(fromRoot("scripts", "check.mjs"), "utf8");
  return new Set([...source.matchAll(/name: "([\w-]+)"/g)].map(([, name = ""]) => name));
}

/** What the main branch lists, undefined where there is no such branch or no such page on it. */
function readNotBuiltOnMain() {
  for (const branch of ["origin/main", "main"]) {
    const shown = spawnSync("git", ["show", `${branch}:${place}`], { cwd: repositoryRoot, encoding: "utf8" });
    if (shown.status === 0) return readSpecification(shown.stdout).notBuilt;
  }
  return undefined;
}
