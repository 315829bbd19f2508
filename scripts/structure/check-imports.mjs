import { importRules, testFiles, testsMayImport } from "./import-rules.mjs";
import { matchesAny, matchPattern } from "./match-pattern.mjs";

/**
 * @typedef {object} ResolvedImport
 * @property {string} file repository path of the importing file
 * @property {number} line
 * @property {string} target see resolve-import.mjs
 *
 * @typedef {object} Violation
 * @property {string} file
 * @property {number} line
 * @property {string} rule
 * @property {string} fix
 */

/**
 * The first rule each import breaks.
 * @param {ResolvedImport[]} imports
 * @param {import("./import-rules.mjs").ImportRule[]} [rules]
 * @returns {Violation[]}
 */
export function checkImports(imports, rules = importRules) {
  return imports.flatMap(({ file, line, target }) => {
    const broken = rules.find((rule) => breaks(rule, file, target));
    return broken ? [{ file, line, rule: `${broken.name} (${target})`, fix: broken.fix }] : [];
  });
}

/** @param {import("./import-rules.mjs").ImportRule} rule @param {string} file @param {string} target */
function breaks(rule, file, target) {
  if (!matchesAny(rule.files, file)) return false;
  const isTest = matchesAny(testFiles, file);
  if (isTest && rule.tests === "exempt") return false;
  const captures = capturesOf(rule.files, file);
  if (rule.mayNotImport && matchesAny(rule.mayNotImport, target, captures)) return true;
  if (!rule.mayImport) return false;
  const allowed = isTest ? [...rule.mayImport, ...testsMayImport] : rule.mayImport;
  return !matchesAny(allowed, target, captures);
}

/** @param {string[]} patterns @param {string} file */
function capturesOf(patterns, file) {
  for (const pattern of patterns) {
    const captures = matchPattern(pattern, file);
    if (captures) return captures;
  }
  return {};
}
