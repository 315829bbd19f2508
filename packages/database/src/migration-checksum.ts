import { createHash } from "node:crypto";

/** Returns the SHA-256 of the statements, blind to spaces, quotes and letter case: another way of writing the same is no change. */
export function migrationChecksum(statements: readonly string[]): string {
  const text = statements.map((statement) => statement.toLowerCase().replaceAll(/[\s"]+/g, "")).join(";");
  return createHash("sha256").update(text).digest("hex");
}
