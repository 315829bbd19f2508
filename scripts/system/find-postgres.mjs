import { realpathSync } from "node:fs";
import path from "node:path";
import { PlainError } from "../lib/plain-error.mjs";
import { findOnPath, isExecutable, versionedFolders } from "./find-on-path.mjs";

/**
 * The folder with PostgreSQL's server programs: `POSTGRES_BIN`, else an installed one.
 * @returns {string | undefined}
 */
export function findPostgres() {
  const named = process.env["POSTGRES_BIN"];
  if (named && !hasServer(named))
    throw new PlainError(`POSTGRES_BIN is ${named}, which has no initdb: name the folder of PostgreSQL's programs.`);
  return named || installedFolders().find(hasServer);
}

/** @returns {string[]} */
function installedFolders() {
  const initdb = findOnPath("initdb");
  const homebrew = ["/opt/homebrew/opt", "/usr/local/opt"].flatMap((folder) => versionedFolders(folder, "postgresql"));
  const versions = [
    ...versionedFolders("/usr/lib/postgresql", ""),
    ...versionedFolders("/usr", "pgsql-"),
    ...homebrew,
    ...versionedFolders("C:\\Program Files\\PostgreSQL", ""),
  ];
  return [
    ...(initdb ? [path.dirname(realpathSync(initdb))] : []),
    ...versions.map((folder) => path.join(folder, "bin")),
  ];
}

/** @param {string} folder */
function hasServer(folder) {
  const ending = process.platform === "win32" ? ".exe" : "";
  return ["initdb", "pg_ctl", "postgres"].every((program) => isExecutable(path.join(folder, program + ending)));
}
