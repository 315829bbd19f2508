// npm run archive -- FILE.tar.gz: the committed files with the built console, which start with `npm start` and need no build.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { ensureConsole } from "./lib/ensure-console.mjs";
import { prepare } from "./lib/prepare.mjs";
import { fromRoot, PlainError, repositoryFiles, repositoryRoot, runMain } from "./lib/repository.mjs";

await runMain(async () => {
  const [file] = process.argv.slice(2);
  if (!file?.endsWith(".tar.gz")) throw new PlainError("Name the file: npm run archive -- one-api.tar.gz");
  const changes = git(["status", "--porcelain"]);
  if (changes !== "")
    throw new PlainError(`Commit these changes first, since the archive has committed files:\n${changes}`);
  await ensureConsole(await prepare({ withConsole: false }));
  /** @type {{ version: string }} */
  const { version } = JSON.parse(readFileSync(fromRoot("package.json"), "utf8"));
  const folder = `one-api-${version}`;
  // Each file follows the prefix of its folder; the last prefix is that of the committed files.
  const added = repositoryFiles(["apps/console/dist"]).flatMap((name) => [
    `--prefix=${folder}/${path.posix.dirname(name)}/`,
    `--add-file=${name}`,
  ]);
  git(["archive", "--format=tar.gz", `--output=${path.resolve(file)}`, ...added, `--prefix=${folder}/`, "HEAD"]);
  console.log(`${file}: unpack it and run npm start in ${folder}`);
});

/** @param {string[]} words @returns {string} standard output, trimmed */
function git(words) {
  const run = spawnSync("git", words, { cwd: repositoryRoot, encoding: "utf8" });
  if (run.status !== 0) throw new PlainError(`${run.stderr ?? ""}\ngit ${words[0]} failed.`);
  return run.stdout.trim();
}
