// npm run check [-- <name>…]: types and lint, format, unused code, the structure rules, the documents and the specification.
// Without names, all of them.
import { availableParallelism } from "node:os";
import { prepare } from "./lib/prepare.mjs";
import { fromRoot, packageBin, PlainError, runMain } from "./lib/repository.mjs";
import { runCaptured } from "./lib/run-captured.mjs";

/**
 * @typedef {object} Check
 * @property {string} name
 * @property {() => string} program
 * @property {string[]} arguments
 * @property {string} [within] the check that finds the same; this one runs only when it is named, since it looks at less
 */

/**
 * Remembers the checked state, so that the next run only checks changes.
 * @param {string} name
 * @returns {string[]}
 */
const remembering = (name) => ["--incremental", "--tsBuildInfoFile", fromRoot(".cache", `${name}.tsbuildinfo`)];

/** @type {Check[]} the longest first, so that they do not start last */
const checks = [
  // One program checks the types and the lint rules that need them, so that it reads everything once.
  { name: "lint", program: () => packageBin("oxlint"), arguments: ["--type-aware", "--type-check"] },
  {
    name: "types",
    program: () => packageBin("typescript", { bin: "tsc" }),
    arguments: ["-p", "tsconfig.json", ...remembering("types")],
    within: "lint",
  },
  {
    name: "types-console",
    program: () => packageBin("typescript", { bin: "tsc" }),
    arguments: ["-p", "apps/console/tsconfig.json", ...remembering("types-console")],
    within: "lint",
  },
  {
    name: "types-scripts",
    program: () => packageBin("typescript", { bin: "tsc" }),
    arguments: ["-p", "scripts/tsconfig.json"],
    within: "lint",
  },
  { name: "unused", program: () => packageBin("knip"), arguments: ["--no-progress"] },
  { name: "format", program: () => packageBin("oxfmt"), arguments: ["--check", "."] },
  { name: "size", program: () => fromRoot("scripts", "lint", "check-size.mjs"), arguments: [] },
  { name: "structure", program: () => fromRoot("scripts", "lint", "check-structure.mjs"), arguments: [] },
  { name: "documents", program: () => fromRoot("scripts", "lint", "check-documents.mjs"), arguments: [] },
  { name: "providers", program: () => fromRoot("scripts", "lint", "check-providers.mjs"), arguments: [] },
  { name: "management-api", program: () => fromRoot("scripts", "lint", "check-management-api.mjs"), arguments: [] },
  { name: "specification", program: () => fromRoot("scripts", "lint", "check-specification.mjs"), arguments: [] },
];

await runMain(async () => {
  const chosen = chooseChecks(process.argv.slice(2));
  const node = await prepare({ withConsole: false });
  const waiting = [...chosen];
  let failed = 0;
  async function work() {
    for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
      if (!(await runCheck(node, check))) failed++;
    }
  }
  await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, work));
  console.log(failed === 0 ? `all ${chosen.length} checks passed` : `${failed} of ${chosen.length} checks failed`);
  process.exitCode = failed === 0 ? 0 : 1;
});

/** @param {string[]} names @returns {Check[]} */
function chooseChecks(names) {
  const unknown = names.find((name) => !checks.some((check) => check.name === name));
  if (unknown === undefined)
    return checks.filter((check) => (names.length === 0 ? check.within === undefined : names.includes(check.name)));
  throw new PlainError(`There is no check "${unknown}": use ${checks.map((check) => check.name).join(", ")}.`);
}

/** @param {string} node @param {Check} check @returns {Promise<boolean>} true when it found nothing */
async function runCheck(node, check) {
  const startMs = performance.now();
  const run = await runCaptured(node, [check.program(), ...check.arguments]);
  const seconds = ((performance.now() - startMs) / 1_000).toFixed(1);
  if (run.ok) console.log(`ok      ${check.name} (${seconds} s)`);
  else console.log(`FAILED  ${check.name} (${seconds} s, ${run.ending})\n${run.output.trimEnd()}\n`);
  return run.ok;
}
