import { stripVTControlCharacters } from "node:util";

/**
 * @typedef {object} RanRing
 * @property {string} name
 * @property {number} fileCount
 * @property {number} seconds
 * @property {import("./ring-result.mjs").RingResult} result
 */

/** @param {RanRing} ring its failures, one after the other */
export function printFailures({ name, result }) {
  for (const { title, message } of result.failures) {
    console.log(`\n✗ ${name} › ${title}`);
    if (message.trim() !== "") console.log(indent(stripVTControlCharacters(message.trimEnd())));
  }
  if (result.failures.length > 0) console.log();
}

/**
 * A table of all rings and, as the last line, the totals.
 * @param {RanRing[]} ran
 */
export function printSummary(ran) {
  const head = ["ring", "files", "passed", "failed", "skipped", "seconds"];
  const rows = ran.map(({ name, fileCount, seconds, result }) =>
    fileCount === 0
      ? [name, "no tests", "", "", "", ""]
      : [name, fileCount, result.passed, result.failed, result.skipped, seconds.toFixed(1)].map(String),
  );
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)));
  console.log();
  for (const row of [head, ...rows]) {
    console.log(
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
        .join("  "),
    );
  }
  const totals = totalsOf(ran);
  const skipped = totals.skipped > 0 ? `, ${totals.skipped} skipped` : "";
  console.log(`\n${totals.passed} passed, ${totals.failed} failed${skipped}`);
}

/** @param {RanRing[]} ran */
export function totalsOf(ran) {
  /** @param {"passed" | "failed" | "skipped"} key */
  const sum = (key) => ran.reduce((total, { result }) => total + result[key], 0);
  return { passed: sum("passed"), failed: sum("failed"), skipped: sum("skipped") };
}

/** @param {string} text */
function indent(text) {
  return text.replace(/^/gm, "    ");
}
