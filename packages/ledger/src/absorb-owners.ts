import type { OpenDatabase } from "@one-api/database/open-database";
import { SQLITE_OWNER } from "./accounts.ts";
import { recoverOwner } from "./recover.ts";
import { SqliteStorage } from "./sqlite-storage.ts";

/**
 * Settles what dead servers of a PostgreSQL database left in its copy on SQLite, and removes them. A server on SQLite recovers only
 * the one before it, because there is no other.
 */
export async function absorbOwners(database: OpenDatabase): Promise<void> {
  const storage = new SqliteStorage(database);
  for (const owner of await storage.readOwners()) {
    if (owner.id === SQLITE_OWNER) continue;
    await recoverOwner(storage, owner);
    await database.db.deleteFrom("owners").where("id", "=", owner.id).execute();
  }
}
