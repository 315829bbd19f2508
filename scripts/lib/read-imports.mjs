import { existsSync } from "node:fs";
import path from "node:path";
import { fromRoot } from "./repository.mjs";

const importForms = [
  /^(?:import|export)\b[^;"'`]*?\bfrom\s*"([^"\n]+)"/gm,
  /^import\s*"([^"\n]+)"/gm,
  /\bimport\(\s*"([^"\n]+)"/g,
];

/**
 * The files of the repository that a source file names: static, re-exporting, type-only and dynamic imports. Found by the look of the
 * text as oxfmt writes it.
 * @param {string} file repository path
 * @param {string} text
 * @returns {{ target: string, line: number }[]} repository paths; packages of others are left out
 */
export function readImports(file, text) {
  return importForms.flatMap((form) =>
    [...text.matchAll(form)].flatMap((match) => {
      const target = resolve(file, match[1] ?? "");
      const line = text.slice(0, match.index + match[0].length).split("\n").length;
      return target !== undefined && existsSync(fromRoot(target)) ? [{ target, line }] : [];
    }),
  );
}

/** @param {string} file @param {string} specifier */
function resolve(file, specifier) {
  if (specifier.startsWith(".")) return path.posix.join(path.posix.dirname(file), specifier);
  const [, name, rest] = /^@one-api\/([\w-]+)\/(.+)$/.exec(specifier) ?? [];
  return name === undefined ? undefined : `packages/${name}/src/${rest}.ts`;
}
