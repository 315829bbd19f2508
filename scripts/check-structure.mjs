// Enforces the import rules and habits of ARCHITECTURE.md. The rules are data: structure/{import,text,file}-rules.mjs.
import { findViolations } from "./structure/find-violations.mjs";
import { readSourceFiles } from "./structure/source-files.mjs";

const files = readSourceFiles();
const { warnings, violations } = findViolations(files);

for (const finding of warnings) console.log(`warning: ${describe(finding)}`);
for (const finding of violations) console.log(describe(finding));
console.log(`${files.length} files, ${violations.length} violations`);
process.exitCode = violations.length > 0 ? 1 : 0;

/** @param {import("./structure/check-imports.mjs").Violation} finding */
function describe({ file, line, rule, fix }) {
  return `${file}:${line} ${rule} — ${fix}`;
}
