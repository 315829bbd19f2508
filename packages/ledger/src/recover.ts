import type { OpenDatabase } from "@one-api/database/open-database";
import { SQLITE_OWNER } from "./accounts.ts";
import { SqliteStorage } from "./storage/sqlite-storage.ts";
import { type OwnerRow, StaleEpochError, type Storage } from "./storage/storage.ts";

const BATCH = 500;

/**
 * Recovers a dead server in this order: charges its checkpoints, applies its journal, returns its shares. Steps may be
 * repeated. Returns the number of charged requests.
 */
export async function recoverOwner(storage: Storage, owner: OwnerRow): Promise<number> {
  const charged = owner.state === "dead" ? await storage.chargeCheckpoints(owner) : 0;
  const state = await storage.readOwner(owner.id);
  if (state === undefined) return charged;
  // Another server that recovers it may have applied it meanwhile.
  if (state.lastId > state.appliedId) await storage.apply(owner, state.appliedId, state.lastId).catch(ignoreStale);
  let left = Number.POSITIVE_INFINITY;
  for (;;) {
    const before = left;
    left = await storage.returnShares(owner, BATCH);
    if (left === 0 || left >= before) return charged;
  }
}

function ignoreStale(error: unknown): void {
  if (!(error instanceof StaleEpochError)) throw error;
}

/**
 * Settles what dead servers of a PostgreSQL database left in its copy on SQLite, and removes them: a server on SQLite
 * recovers only the one before it.
 */
export async function absorbOwners(database: OpenDatabase): Promise<void> {
  const storage = new SqliteStorage(database);
  for (const owner of await storage.readOwners()) {
    if (owner.id === SQLITE_OWNER) continue;
    await recoverOwner(storage, owner);
    await database.db.deleteFrom("owners").where("id", "=", owner.id).execute();
  }
}
