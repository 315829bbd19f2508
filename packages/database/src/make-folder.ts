import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

const OWNER_ONLY = 0o700;

/**
 * Creates the folder and missing parents for their owner only. Node's `recursive` hangs if a parent can neither be found nor made, as under `/proc`.
 */
export function makeFolder(folder: string): void {
  const parent = dirname(folder);
  try {
    mkdirSync(folder, { mode: OWNER_ONLY });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "EEXIST" && statSync(folder).isDirectory()) return;
    if (code !== "ENOENT" || parent === folder) throw error;
    makeFolder(parent);
    mkdirSync(folder, { mode: OWNER_ONLY });
  }
}
