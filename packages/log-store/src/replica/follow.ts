import type { Fingerprint, LogChange, LogSource } from "../source/log-source.ts";
import { LostChangesError } from "./failures.ts";
import type { AppliedChange, Replica } from "./replica.ts";

export const STEP_ENTRIES = 8_192;

const CHANGE_IDS = 4_096;

export interface FollowStep {
  /** The last id of the database that is settled; undefined while a writer is idle in its transaction. */
  readonly settledId: number | undefined;
  /** True if the replica has everything up to it. */
  readonly isDone: boolean;
}

/**
 * Appends the next entries and applies the next changes of the database. A change during the read ends the step early: entries and their removed
 * usage must arrive together.
 */
export async function followOnce(replica: Replica, source: LogSource): Promise<FollowStep> {
  const { settledId, lastChange } = await source.readEnd();
  if (settledId === undefined) return { settledId, isDone: false };
  const changes = await readChanges(replica, source, lastChange);
  const after = replica.watermark;
  // A range of few ids: without statistics PostgreSQL reads and sorts all that follow.
  const next = (await source.nextId(after)) ?? settledId;
  const upTo = Math.max(after, Math.min(settledId, next + STEP_ENTRIES - 1));
  const isLast = upTo >= settledId;
  const entries = await source.readEntries(after, upTo);
  if (upTo === after && lastChange === replica.lastChange) return { settledId, isDone: true };
  const isNew = replica.lastChange === 0;
  const days = isNew ? EVERY_DAY : daysOf(changes);
  const cleared =
    days === undefined ? undefined : { ...days, usage: await source.readCleared(days.firstDay, days.lastDay) };
  const changeText =
    lastChange === replica.lastChange ? replica.changeText : ((await source.changeText(lastChange)) ?? "");
  const isUnchanged = (await source.lastChange()) === lastChange;
  await replica.apply({ changes, cleared, entries, upTo, lastChange, changeText });
  return { settledId, isDone: isLast && isUnchanged };
}

const EVERY_DAY = { firstDay: 0, lastDay: Number.MAX_SAFE_INTEGER };

function daysOf(changes: readonly LogChange[]): { firstDay: number; lastDay: number } | undefined {
  if (changes.length === 0) return undefined;
  return {
    firstDay: Math.min(...changes.map(({ firstDay }) => firstDay)),
    lastDay: Math.max(...changes.map(({ lastDay }) => lastDay)),
  };
}

/** The changes that a replica lacks. One that is new has none: all its entries are read after them. */
async function readChanges(replica: Replica, source: LogSource, upTo: number): Promise<AppliedChange[]> {
  if (replica.lastChange === 0 || upTo === replica.lastChange) return [];
  if (upTo < replica.lastChange) throw new LostChangesError("The database is older than the replica.");
  const changes = await source.readChanges(replica.lastChange, upTo);
  if (changes === undefined)
    throw new LostChangesError("Changes of the log were deleted before the replica read them.");
  const applied: AppliedChange[] = [];
  for (const change of changes.flatMap(inPieces)) {
    const last = Math.min(change.lastId, replica.watermark);
    applied.push({ ...change, left: await source.readEntries(change.firstId - 1, last) });
  }
  return applied;
}

/** A change as changes of few ids, all under its number. */
function inPieces(change: LogChange): LogChange[] {
  const pieces: LogChange[] = [];
  for (let from = change.firstId; from <= change.lastId; from += CHANGE_IDS)
    pieces.push({ ...change, firstId: from, lastId: Math.min(change.lastId, from + CHANGE_IDS - 1) });
  return pieces;
}

/** Throws LostChangesError where the last change of the replica is another one in the database: an older backup was restored. */
export async function checkLastChange(replica: Replica, source: LogSource): Promise<void> {
  const text = replica.lastChange === 0 ? undefined : await source.changeText(replica.lastChange);
  if (text !== undefined && text !== replica.changeText)
    throw new LostChangesError("The database has other changes than the replica.");
}

/**
 * Removes entries that the database does not have: after a power cut or a restore, ids name other entries. Compares
 * ranges of doubling size, newest first.
 */
export async function checkTail(replica: Replica, source: LogSource): Promise<void> {
  let upTo = replica.watermark;
  let length = STEP_ENTRIES;
  while (upTo > 0) {
    const after = Math.max(0, upTo - length);
    const [own, theirs] = [await replica.fingerprint(after, upTo), await source.fingerprint(after, upTo)];
    if (own.entries > 0 && isEqual(own, theirs)) break;
    if (own.entries === 0 && theirs.entries === 0 && after > 0) {
      // Nothing to compare: an empty range says nothing about those before it.
      upTo = after;
      continue;
    }
    upTo = after;
    length *= 2;
  }
  if (upTo < replica.watermark) await replica.rewind(upTo);
}

function isEqual(left: Fingerprint, right: Fingerprint): boolean {
  const { entries, ids, times, quota } = right;
  return left.entries === entries && left.ids === ids && left.times === times && left.quota === quota;
}
