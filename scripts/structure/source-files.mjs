import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { listFiles } from "../lib/list-files.mjs";
import { fromRoot, repositoryRoot } from "../lib/repository-paths.mjs";

/**
 * @typedef {object} SourceFile
 * @property {string} path from the repository's root, with forward slashes
 * @property {string} text
 */

const sourceEnding = /\.(?:ts|tsx|mts|mjs|js|css)$/;
const sourceFolders = /^(?:apps|packages|scripts|bench|e2e)\//;

/**
 * Every source file that git knows or would take (tracked and untracked, not ignored); without git, every file on disk.
 * @returns {SourceFile[]}
 */
export function readSourceFiles() {
  return listRepositoryFiles()
    .filter((file) => sourceFolders.test(file) && sourceEnding.test(file) && existsSync(fromRoot(file)))
    .map((file) => ({ path: file, text: readFileSync(fromRoot(file), "utf8") }));
}

function listRepositoryFiles() {
  const git = spawnSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: repositoryRoot,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  const files = git.status === 0 ? git.stdout.split("\0").filter(Boolean) : [];
  if (files.length > 0) return [...new Set(files)].sort();
  return listFiles(repositoryRoot).map((file) => path.relative(repositoryRoot, file).split(path.sep).join("/"));
}
