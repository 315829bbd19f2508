import type { OpenDatabase } from "@one-api/database/open-database";
import { type Clock, nowSeconds } from "../../../platform/clock.ts";
import { findSettledId } from "@one-api/database/find-settled-id";
import type { Secrets } from "../../../core/secrets.ts";
import { inTransaction, type Queryable } from "../../../core/transaction.ts";
import {
  BEFORE_ALL,
  deleteEntriesUpTo,
  findNewestSeal,
  findRemovableSeal,
  insertSeal,
  listEntries,
  lockSealing,
} from "./audit-seal.repository.ts";
import { type AuditSeal, hashSeal, listEntryHashes } from "./seal-chain.ts";

const MOST_ENTRIES = 500;
const MOST_SEALS = 10;

export interface AuditSealing {
  readonly database: OpenDatabase;
  readonly secrets: Secrets;
  readonly clock: Clock;
}

/**
 * Seals all entries up to the watermark; later commits fall into the next seal. One server at a time seals. Returns the
 * new seals, oldest first.
 */
export async function sealAudit(sealing: AuditSealing): Promise<AuditSeal[]> {
  const settledId = await findSettledId(sealing.database, "audit");
  const made: AuditSeal[] = [];
  for (;;) {
    const seal = await inTransaction(sealing.database, (transaction) => sealNext(sealing, transaction, settledId));
    if (seal === undefined) return made;
    made.push(seal);
  }
}

async function sealNext(sealing: AuditSealing, transaction: Queryable, settledId: number) {
  if (!(await lockSealing(sealing.database.kind, transaction))) return undefined;
  const after = (await findNewestSeal(transaction, "entries"))?.last_id ?? BEFORE_ALL;
  const entries = await listEntries(transaction, { after, last: settledId }, MOST_ENTRIES);
  const last = entries.at(-1);
  if (last === undefined) return undefined;
  return append(sealing, transaction, {
    kind: "entries",
    last_id: last.id,
    newest_at: Math.max(...entries.map((entry) => entry.created_at)),
    entry_hashes: listEntryHashes(entries),
  });
}

/**
 * Removes sealed entries older than `before` (Unix seconds), whole seals, oldest first. A removal seal in the
 * same transaction records it.
 * Returns the number of entries removed.
 */
export async function removeSealedBefore(sealing: AuditSealing, before: number): Promise<number> {
  for (let removed = 0; ;) {
    const count = await inTransaction(sealing.database, (transaction) => removeNext(sealing, transaction, before));
    if (count === undefined) return removed;
    removed += count;
  }
}

async function removeNext(sealing: AuditSealing, transaction: Queryable, before: number) {
  if (!(await lockSealing(sealing.database.kind, transaction))) return undefined;
  const last = await findRemovableSeal(transaction, before, MOST_SEALS);
  if (last === undefined) return undefined;
  const removal = { kind: "removal", last_id: last.last_id, newest_at: 0, entry_hashes: "" } as const;
  await append(sealing, transaction, removal);
  return deleteEntriesUpTo(transaction, last.last_id);
}

async function append(
  { secrets, clock }: AuditSealing,
  transaction: Queryable,
  content: Omit<AuditSeal, "number" | "sealed_at" | "hash">,
): Promise<AuditSeal> {
  const previous = await findNewestSeal(transaction);
  const seal = { ...content, number: (previous?.number ?? 0) + 1, sealed_at: nowSeconds(clock) };
  const sealed = { ...seal, hash: hashSeal(secrets, seal, previous?.hash ?? "") };
  await insertSeal(transaction, sealed);
  return sealed;
}
