import path from "node:path";
import { fileURLToPath } from "node:url";

/** Absolute path of the repository, whatever the caller's working directory is. */
export const repositoryRoot = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..", "..");

/**
 * Absolute path of something in the repository.
 * @param {...string} parts path parts below the root
 */
export function fromRoot(...parts) {
  return path.join(repositoryRoot, ...parts);
}
