import { type OwnerRow, StaleEpochError, type Storage } from "./storage.ts";

const BATCH = 500;

/**
 * Recovers a dead server: charges its checkpoints, applies its journal, returns its shares to the pool, in this order. Steps may be repeated, also by
 * several servers. Returns the number of charged requests.
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
