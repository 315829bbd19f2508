// Structure rules that oxlint lacks: cycles between folders, vague names, full folders, raw sizes in style sheets.
import { readFileSync } from "node:fs";
import path from "node:path";
import { readImports } from "../lib/read-imports.mjs";
import { fromRoot, repositoryFiles } from "../lib/repository.mjs";
import { findFolderCycles } from "./find-folder-cycles.mjs";
import { findFullFolders } from "./find-full-folders.mjs";
import { findRawSizes } from "./find-raw-sizes.mjs";

const folders = ["apps", "packages", "scripts", "bench", "e2e"];
const bannedNames = /^(?:utils?|helpers?|types|common|misc|create|update|delete)\./;

/** Folders whose `index.ts` others import. */
const withIndex = /^apps\/(?:server|console)\/src\/(?:features|relay)\/([^/]+)\//;

const files = repositoryFiles(folders).filter((file) => /\.(?:ts|tsx|mjs|css)$/.test(file));
const findings = [...findNames(), ...findFullFolders(files), ...findCycles(), ...findSizes()];
for (const finding of findings) console.log(finding);
console.log(`${files.length} files, ${findings.length} violations`);
process.exitCode = findings.length > 0 ? 1 : 0;

function findNames() {
  return files.flatMap((file) => {
    const name = path.basename(file);
    if (bannedNames.test(name)) return [`${file}: name the file after its main export, such as create-token.ts`];
    if (/^index\.tsx?$/.test(name) && path.dirname(file) !== withIndex.exec(file)?.[0].slice(0, -1)) {
      return [`${file}: index.ts is the door of a feature, or of a folder of the relay, and nothing else`];
    }
    return [];
  });
}

/** Tests may import from all folders. */
function findCycles() {
  const isTest = /\.(?:test|spec)\.|\/(?:testing|tests)\//;
  const sources = files.filter((file) => !file.endsWith(".css") && !isTest.test(file));
  return findFolderCycles(
    sources.flatMap((file) =>
      readImports(file, readFileSync(fromRoot(file), "utf8")).map(({ target, line }) => ({ file, target, line })),
    ),
  );
}

function findSizes() {
  const sheets = files.filter((file) => file.endsWith(".css"));
  return sheets.flatMap((file) => findRawSizes(file, readFileSync(fromRoot(file), "utf8")));
}
