import { checkFeatureCycles } from "./check-feature-cycles.mjs";
import { checkFile } from "./check-file.mjs";
import { checkImports } from "./check-imports.mjs";
import { checkTexts } from "./check-texts.mjs";
import { readImports } from "./read-imports.mjs";
import { resolveImport } from "./resolve-import.mjs";

/**
 * Applies every rule to a set of source files.
 * @param {import("./source-files.mjs").SourceFile[]} files
 */
export function findViolations(files) {
  const knownFiles = new Set(files.map((file) => file.path));
  const imports = files.flatMap(({ path, text }) =>
    readImports(text).map(({ specifier, line }) => ({
      file: path,
      line,
      target: resolveImport(path, specifier, knownFiles),
    })),
  );
  const fileFindings = files.map(checkFile);
  return {
    warnings: fileFindings.flatMap((finding) => finding.warnings),
    violations: [
      ...checkImports(imports),
      ...checkFeatureCycles(imports),
      ...files.flatMap((file) => checkTexts(file)),
      ...fileFindings.flatMap((finding) => finding.violations),
    ],
  };
}
