import { createHash } from "node:crypto";

/** Every connection keeps its named statements in the server's memory. */
const MOST_NAMES = 300;
const names = new Map<string, string>();

/** Returns the name under which PostgreSQL keeps this text prepared; undefined once there are too many texts to keep. */
export function postgresStatementName(sql: string): string | undefined {
  const known = names.get(sql);
  if (known !== undefined || names.size >= MOST_NAMES) return known;
  const name = createHash("sha256").update(sql).digest("base64url").slice(0, 22);
  names.set(sql, name);
  return name;
}
