import type { AuditProblem } from "@one-api/contract/audit";
import type { OpenDatabase } from "@one-api/database/open-database";
import type { Secrets } from "../../../core/secrets.ts";
import { BEFORE_ALL, countUnsealed, findNewestSeal, listEntries, listSealsAfter } from "./audit-seal.repository.ts";
import { type AuditSeal, hashEntry, hashSeal, readEntryHashes, type SealedEntry } from "./seal-chain.ts";

const SEALS_PER_STEP = 20;
const MOST_PROBLEMS = 100;

export interface AuditVerdict {
  readonly problems: readonly AuditProblem[];
  readonly seals: number;
  readonly entries: number;
  /** Entries without a seal, which cannot be checked. */
  readonly unsealed: number;
  readonly newest: Pick<AuditSeal, "number" | "hash" | "sealed_at"> | undefined;
}

export interface KnownSeal {
  readonly number: number;
  readonly hash: string;
}

interface Reading {
  readonly database: OpenDatabase;
  readonly secrets: Secrets;
}

/**
 * Recomputes all seals and compares them and the entries with the stored ones.
 * Without a `known` seal, a removal of the newest seals and their entries goes unnoticed.
 */
export async function verifyAudit(reading: Reading, known?: KnownSeal): Promise<AuditVerdict> {
  const { db } = reading.database;
  const removedBefore = (await findNewestSeal(db, "removal"))?.number;
  const verdict = await verifyOnce(reading, known);
  const removedSince = (await findNewestSeal(db, "removal"))?.number;
  // The retention job removed entries while their seals were read.
  return removedBefore === removedSince || verdict.problems.length === 0 ? verdict : verifyAudit(reading, known);
}

async function verifyOnce(reading: Reading, known: KnownSeal | undefined): Promise<AuditVerdict> {
  const { database } = reading;
  const chain = await verifySeals(reading, known);
  const problems = [...chain.problems];
  let [entries, after] = [0, chain.removedUpTo];
  problems.push(...(await listEntries(database.db, { after: BEFORE_ALL, last: after }, MOST_PROBLEMS)).map(inserted));
  for await (const seal of readSeals(database)) {
    if (seal.kind === "removal" || seal.last_id <= after || seal.number > chain.seals) continue;
    const found = await listEntries(database.db, { after, last: seal.last_id });
    entries += found.length;
    problems.push(...compareEntries(seal, found));
    after = seal.last_id;
  }
  const unsealed = await countUnsealed(database.db);
  const { seals, newest } = chain;
  return { problems: problems.slice(0, MOST_PROBLEMS), seals, entries, unsealed, newest };
}

async function verifySeals({ database, secrets }: Reading, known: KnownSeal | undefined) {
  const problems: AuditProblem[] = [];
  let removedUpTo = BEFORE_ALL;
  let newest: AuditSeal | undefined;
  let isKnown = known === undefined;
  for await (const seal of readSeals(database)) {
    const expected = (newest?.number ?? 0) + 1;
    if (seal.number !== expected) problems.push({ kind: "seal-removed", id: expected });
    if (hashSeal(secrets, seal, newest?.hash ?? "") !== seal.hash)
      problems.push({ kind: "seal-changed", id: seal.number });
    if (seal.kind === "removal") removedUpTo = Math.max(removedUpTo, seal.last_id);
    isKnown ||= seal.number === known?.number && seal.hash === known.hash;
    newest = seal;
  }
  if (known !== undefined && !isKnown) problems.push({ kind: "seal-removed", id: known.number });
  return { problems, removedUpTo, newest, seals: newest?.number ?? 0 };
}

async function* readSeals({ db }: OpenDatabase): AsyncGenerator<AuditSeal> {
  for (let after = 0; ;) {
    const seals = await listSealsAfter(db, after, SEALS_PER_STEP);
    yield* seals;
    const last = seals.at(-1);
    if (last === undefined) return;
    after = last.number;
  }
}

function compareEntries(seal: AuditSeal, found: readonly SealedEntry[]): AuditProblem[] {
  const missing = new Map(readEntryHashes(seal));
  const problems = found.flatMap((entry): AuditProblem[] => {
    const expected = missing.get(entry.id);
    missing.delete(entry.id);
    if (expected === undefined) return [inserted(entry)];
    return expected === hashEntry(entry) ? [] : [{ kind: "entry-changed", id: entry.id }];
  });
  return [...problems, ...[...missing.keys()].map((id): AuditProblem => ({ kind: "entry-removed", id }))];
}

function inserted({ id }: SealedEntry): AuditProblem {
  return { kind: "entry-inserted", id };
}
