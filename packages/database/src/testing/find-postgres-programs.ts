import { existsSync, readdirSync } from "node:fs";
import path from "node:path";

const DEBIAN_FOLDER = "/usr/lib/postgresql";

/** Returns the folder with PostgreSQL's server programs: `TEST_POSTGRES_BIN`, Debian's newest, or the first of PATH; undefined without any. */
export function findPostgresPrograms(environment: NodeJS.ProcessEnv): string | undefined {
  const named = environment["TEST_POSTGRES_BIN"];
  const candidates = named ? [named] : [...debianFolders(), ...(environment["PATH"] ?? "").split(path.delimiter)];
  return candidates.find(
    (folder) => existsSync(path.join(folder, "initdb")) && existsSync(path.join(folder, "pg_ctl")),
  );
}

function debianFolders(): string[] {
  if (!existsSync(DEBIAN_FOLDER)) return [];
  const versions = readdirSync(DEBIAN_FOLDER).toSorted((left, right) => Number(right) - Number(left));
  return versions.map((version) => path.join(DEBIAN_FOLDER, version, "bin"));
}
