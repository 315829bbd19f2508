import type { DatabaseSync } from "node:sqlite";
import { DatabaseStartError } from "../database-errors.ts";

/** Up to 3.51.2 a rare race in the write-ahead log could damage the file (sqlite.org/releaselog/3_51_3.html). */
const OLDEST_SAFE_VERSION = "3.51.3";

/** What makes a commit durable, and what keeps memory in bounds. `synchronous = full` is what survives a power cut. */
const SETTINGS = `
  pragma journal_mode = wal;
  pragma synchronous = full;
  pragma foreign_keys = on;
  pragma busy_timeout = 5000;
  pragma mmap_size = 0;
  pragma temp_store = memory;
  pragma cache_size = -65536;
  pragma wal_autocheckpoint = 8000;
  pragma journal_size_limit = 67108864;
`;

/** Makes the connection durable and checks that it is. Throws `DatabaseStartError` when SQLite is too old or refuses a setting. */
export function applySqliteSettings(database: DatabaseSync): void {
  const version = String(database.prepare("select sqlite_version() as version").get()?.["version"]);
  if (isOlder(version, OLDEST_SAFE_VERSION)) {
    throw new DatabaseStartError(
      `SQLite ${version} is too old: ${OLDEST_SAFE_VERSION} or newer is needed. Start with the Node.js that the project brings.`,
    );
  }
  database.exec(SETTINGS);
  requireSetting(database, "journal_mode", "wal");
  requireSetting(database, "synchronous", 2);
  requireSetting(database, "foreign_keys", 1);
}

/** Whether the first dotted version is older than the second. */
export function isOlder(version: string, than: string): boolean {
  const left = version.split(".").map(Number);
  const right = than.split(".").map(Number);
  for (const [index, wanted] of right.entries()) {
    const part = left[index] ?? 0;
    if (part !== wanted) return part < wanted;
  }
  return false;
}

function requireSetting(database: DatabaseSync, name: string, wanted: string | number): void {
  const value = database.prepare(`pragma ${name}`).get()?.[name];
  if (value === wanted) return;
  throw new DatabaseStartError(
    `SQLite would not set ${name} to ${wanted} (it is ${String(value)}). DATA_DIR must be on a local disk: network file systems lose data.`,
  );
}
