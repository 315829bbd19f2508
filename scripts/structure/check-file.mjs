import path from "node:path";
import { bannedNames, fileNamePattern, indexFiles, lengthLimits, unlimitedFiles } from "./file-rules.mjs";
import { matchesAny } from "./match-pattern.mjs";

/**
 * What is wrong with a file's name or length.
 * @param {import("./source-files.mjs").SourceFile} file
 * @returns {{ violations: import("./check-imports.mjs").Violation[], warnings: import("./check-imports.mjs").Violation[] }}
 */
export function checkFile(file) {
  if (matchesAny(unlimitedFiles, file.path)) return { violations: [], warnings: [] };
  const length = checkLength(file);
  return {
    violations: [...checkName(file.path), ...length.filter((finding) => finding.line > lengthLimits.failAt)],
    warnings: length.filter((finding) => finding.line <= lengthLimits.failAt),
  };
}

/** @param {string} place */
function checkName(place) {
  const name = path.posix.basename(place);
  const stem = name.split(".")[0] ?? "";
  const finding = { file: place, line: 1 };
  if (bannedNames.includes(stem)) {
    return [{ ...finding, rule: "banned-name", fix: "name the file after its main export, such as create-token.ts" }];
  }
  if (stem === "index" && /\.tsx?$/.test(name) && !matchesAny(indexFiles, place)) {
    return [
      { ...finding, rule: "banned-name", fix: "index.ts is for features/*/ only: name the file after its main export" },
    ];
  }
  if (!fileNamePattern.test(name)) {
    return [{ ...finding, rule: "kebab-case", fix: "write file names in kebab-case, such as token-list-page.tsx" }];
  }
  return [];
}

/** @param {import("./source-files.mjs").SourceFile} file */
function checkLength(file) {
  const lines = file.text.trimEnd().split("\n").length;
  if (lines <= lengthLimits.warnAt) return [];
  const rule = `file-length (${lines} lines, limit ${lengthLimits.failAt})`;
  return [{ file: file.path, line: lines, rule, fix: "split it by reason to change" }];
}
