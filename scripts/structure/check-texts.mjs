import { blankSource } from "./blank-source.mjs";
import { testFiles } from "./import-rules.mjs";
import { matchesAny } from "./match-pattern.mjs";
import { lineAt } from "./read-imports.mjs";
import { textRules } from "./text-rules.mjs";

/**
 * Every place where a file contains what a text rule forbids.
 * @param {import("./source-files.mjs").SourceFile} file
 * @param {import("./text-rules.mjs").TextRule[]} [rules]
 * @returns {import("./check-imports.mjs").Violation[]}
 */
export function checkTexts(file, rules = textRules) {
  const isTest = matchesAny(testFiles, file.path);
  const applying = rules.filter((rule) => matchesAny(rule.files, file.path) && !(isTest && rule.tests === "exempt"));
  if (applying.length === 0) return [];
  const { codeOnly, withoutComments } = blankSource(file.text);
  return applying.flatMap((rule) => {
    const searched = rule.within === "code" ? codeOnly : withoutComments;
    const everywhere = new RegExp(rule.pattern.source, `g${rule.pattern.flags}`);
    return [...searched.matchAll(everywhere)].map((match) => ({
      file: file.path,
      line: lineAt(searched, match.index),
      rule: rule.name,
      fix: rule.fix,
    }));
  });
}
