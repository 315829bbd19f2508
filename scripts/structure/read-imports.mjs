import { blankSource } from "./blank-source.mjs";

/**
 * @typedef {object} Import
 * @property {string} specifier as written
 * @property {number} line counted from 1
 */

const importForms = [
  /\b(?:import|export)\b[\w\s{},*$]*?\bfrom\s*["']([^"'\n]+)["']/dg,
  /\bimport\s*["']([^"'\n]+)["']/dg,
  /\b(?:import|require)\s*\(\s*["'`]([^"'`\n]+)["'`]/dg,
];

/**
 * Every module a source file names: static, side-effect, re-exporting, type-only and dynamic imports, and `require`.
 * @param {string} text
 * @returns {Import[]}
 */
export function readImports(text) {
  const { withoutComments, codeOnly } = blankSource(text);
  return importForms.flatMap((form) =>
    [...withoutComments.matchAll(form)]
      .filter((match) => /^(?:import|export|require)/.test(codeOnly.slice(match.index, match.index + 7)))
      .map((match) => ({ specifier: match[1] ?? "", line: lineAt(text, match.indices?.[1]?.[0] ?? match.index) })),
  );
}

/** @param {string} text @param {number} position @returns {number} line counted from 1 */
export function lineAt(text, position) {
  return text.slice(0, position).split("\n").length;
}
