import { setImmediate as nextTurn } from "node:timers/promises";
import type { OpenDatabase } from "@one-api/database/open-database";
import { sql } from "kysely";
import type { Rest } from "../../core/work/pace.ts";
import { inTransaction, type Queryable } from "../../core/transaction.ts";
import { findNextStretch, type IdStretch } from "../logs/index.ts";
import { isClosed, SPANS } from "./slot-spans.ts";
import { type SumKey, SumTable } from "./sum-table.ts";
import {
  type FinestSums,
  findNewestCorrection,
  keyIn,
  readParts,
  readProgress,
  savePart,
  saveProgress,
  sumCorrections,
  sumFinest,
  type UsagePart,
  type UsageProgress,
  type ViewName,
  WITH_FIRST_BYTES,
} from "./usage.repository.ts";
import { correctUsers, prepareUsers, saveUsers, type UsersStep } from "./usage-of-users.repository.ts";
import { TokenNumbers, withTokenKeys, type Write } from "./usage-tokens.repository.ts";

/** Whoever adds up on PostgreSQL holds this advisory lock. */
const ADVISORY_LOCK = 0x75736167;
/** How much is added up at a time, in entries. */
interface StepSize {
  /** Fewer wait for more. */
  readonly least: number;
  readonly most: number;
}

/** On SQLite charges wait for a step that is being written, some ms; on PostgreSQL nobody does, and few long steps cost half of many short ones. */
export const STEP_SIZES: Readonly<Record<OpenDatabase["kind"], StepSize>> = {
  sqlite: { least: 1_024, most: 2_048 },
  postgres: { least: 1_024, most: 4_096 },
};
/** Keys of one part of a span's sums: about a ms of work. */
const KEYS_PER_PART = 1_000;
/** Parts that one step makes of a span at the most: beyond that they get longer. */
const MOST_PARTS = 1_000;
/** So many characters are written before requests get their turn. */
const CHARACTERS_PER_TURN = 200_000;

const VIEW_NAMES: readonly ViewName[] = ["all", "model", "channel", "user", "token"];

interface FoldOptions {
  /** Makes a step of just so many. */
  readonly entries?: number | undefined;
  /** Between parts of what is made before it is written, on SQLite; on PostgreSQL, where others may wait for the transaction, and by default, who waits in this process has a turn. */
  readonly rest?: Rest;
}

/**
 * Adds the next entries, up to an id below which nothing is written any more, to the sums, and takes out of them what was booked anew since;
 * false when there is nothing to do yet. What is added and how far the log is added up commit together, so that nothing is added twice. Of several
 * processes on PostgreSQL one at a time does it; on SQLite there is one, and the sums are made before the transaction that writes them. What is
 * removed from the log later stays in the sums.
 */
export async function foldNextUsage(
  database: OpenDatabase,
  settledId: number,
  { entries, rest = nextTurn }: FoldOptions = {},
): Promise<boolean> {
  const tokens = new TokenNumbers(database);
  const size = entries === undefined ? STEP_SIZES[database.kind] : { least: entries, most: entries };
  const isAdded = await (database.kind === "sqlite"
    ? foldInFile(database, settledId, { size, tokens, rest })
    : foldOnServer(database, settledId, { size, tokens, rest: nextTurn }));
  if (isAdded) tokens.keep();
  return isAdded;
}

interface FoldParts {
  readonly size: StepSize;
  readonly tokens: TokenNumbers;
  readonly rest: Rest;
}

async function foldInFile(database: OpenDatabase, settledId: number, { size, ...parts }: FoldParts): Promise<boolean> {
  const { kind, db } = database;
  const source: Source = { kind, db, write: (work) => inTransaction(database, work), ...parts };
  const fold = await prepareFold(source, await readProgress(db), settledId, size);
  if (fold === undefined) return false;
  await inTransaction(database, async (transaction) => {
    // An entry that went away meanwhile may be in some of the sums that were made: they are made again.
    if (await isAsItWas(transaction, fold)) await writeFold(kind, transaction, fold);
  });
  return true;
}

function foldOnServer(database: OpenDatabase, settledId: number, { size, ...parts }: FoldParts): Promise<boolean> {
  const { kind } = database;
  return inTransaction(database, async (db) => {
    const { rows } = await sql<{ mine: boolean }>`select pg_try_advisory_xact_lock(${ADVISORY_LOCK}) as mine`.execute(
      db,
    );
    if (rows[0]?.mine !== true) return false;
    const source: Source = { kind, db, write: (work) => work(db), ...parts };
    const fold = await prepareFold(source, await readProgress(db, { lock: true }), settledId, size);
    if (fold === undefined) return false;
    await writeFold(kind, db, fold);
    return true;
  });
}

interface Source extends Pick<OpenDatabase, "kind">, Omit<FoldParts, "size"> {
  readonly db: Queryable;
  readonly write: Write;
}

/** What one step writes. */
interface Fold {
  readonly stretch: IdStretch & { readonly entries: number };
  /** Corrections up to this id are in it. */
  readonly corrected: number;
  readonly progress: UsageProgress;
  readonly parts: readonly UsagePart[];
  readonly users: UsersStep;
}

async function prepareFold(
  source: Source,
  before: UsageProgress,
  settledId: number,
  { least, most }: StepSize,
): Promise<Fold | undefined> {
  const corrected = await findNewestCorrection(source.db);
  const found = await findNextStretch(source.db, { after: before.lastId, last: settledId }, most);
  const isLong = found.entries >= least;
  if (!isLong && corrected === 0) return undefined;
  const stretch = isLong ? found : { after: before.lastId, last: before.lastId, entries: 0 };
  const steps = before.steps + 1;
  const parts: UsagePart[] = [];
  const added = isLong ? await source.tokens.number(source.write, await sumFinest(source, stretch)) : [];
  const newestSlot = added.reduce((newest, { slot }) => Math.max(newest, slot), before.newestSlot);
  const lost = corrected > 0 ? await withTokenKeys(source.db, await sumCorrections(source.db, corrected)) : [];
  await source.rest();
  // What is to be corrected is written, as sums that wait are never below 0.
  const correctedUsers = lost.map(({ userId }) => userId);
  const users = await prepareUsers(source.db, added, steps, correctedUsers);
  added.push(...lost);
  await source.rest();
  for (const view of VIEW_NAMES) {
    const made = new MadeSums(source, view);
    made.add(added, before.newestSlot);
    await made.close(before.newestSlot, newestSlot);
    for await (const part of made.parts(steps)) parts.push(part);
    await source.rest();
  }
  return { stretch, corrected, progress: { lastId: stretch.last, newestSlot, steps }, parts, users };
}

async function isAsItWas(transaction: Queryable, { stretch: { after, last, entries } }: Fold): Promise<boolean> {
  return entries === 0 || (await findNextStretch(transaction, { after, last }, entries)).entries === entries;
}

async function writeFold(
  kind: OpenDatabase["kind"],
  transaction: Queryable,
  { corrected, progress, parts, users }: Fold,
): Promise<void> {
  let written = 0;
  for (const part of parts) {
    await savePart(transaction, part);
    written += part.sums.length;
    if (written < CHARACTERS_PER_TURN) continue;
    await nextTurn();
    written = 0;
  }
  await saveUsers(kind, transaction, progress.steps, users);
  if (corrected > 0) await correctUsers(transaction, corrected);
  await saveProgress(transaction, progress);
}

/** What one step adds to the spans of one view: to slots, to closed spans that they are in, and to spans that are closed by it, which it makes. */
class MadeSums {
  readonly #source: Source;
  readonly #view: ViewName;
  readonly #made = SPANS.map(() => new Map<number, SumTable>());

  constructor(source: Source, view: ViewName) {
    this.#source = source;
    this.#view = view;
  }

  /** Adds to the slots, and to all spans that they are in and that were closed before. */
  add(added: readonly FinestSums[], newestSlot: number): void {
    const keyOf = keyIn(this.#view);
    const hasSteps = WITH_FIRST_BYTES.has(this.#view);
    const addTo = (table: SumTable, key: SumKey, sums: FinestSums) => {
      table.addValues(key, sums.values);
      if (hasSteps) table.addSteps(key, sums.steps, sums.sign);
    };
    for (const sums of added) {
      const key = keyOf(sums);
      addTo(this.#tableOf(0, sums.slot), key, sums);
      for (let level = 1; level < SPANS.length; level += 1) {
        const span = Math.floor(sums.slot / (SPANS[level] ?? 1));
        // A longer span ends no earlier.
        if (!isClosed({ level, span }, newestSlot)) break;
        addTo(this.#tableOf(level, span), key, sums);
      }
    }
  }

  /** Adds up the spans that were not closed before and are now, each of those that it consists of. */
  async close(before: number, now: number): Promise<void> {
    for (let level = 1; level < SPANS.length; level += 1) {
      const length = SPANS[level] ?? 1;
      const children = length / (SPANS[level - 1] ?? 1);
      const [first, end] = [Math.floor(Math.max(0, before) / length), Math.floor(now / length)];
      if (first >= end) return;
      const stretch = { first: first * children, last: end * children };
      for await (const { slot, sums } of readParts(this.#source.db, this.#view, level - 1, stretch))
        this.#tableOf(level, Math.floor(slot / children)).addPacked(sums);
      for (const [child, table] of this.#made[level - 1] ?? []) {
        if (child < stretch.first || child >= stretch.last) continue;
        this.#tableOf(level, Math.floor(child / children)).addTable(table);
        await this.#source.rest();
      }
    }
  }

  /** Everything that was made, in parts that have their numbers by the step. */
  async *parts(step: number): AsyncGenerator<UsagePart> {
    for (const [level, tables] of this.#made.entries()) {
      for (const [slot, table] of tables) {
        let part = step * MOST_PARTS;
        for (const sums of table.pack(Math.max(KEYS_PER_PART, Math.ceil(table.size / MOST_PARTS)))) {
          yield { view: this.#view, level, slot, part, sums };
          part += 1;
          if (sums.length > KEYS_PER_PART) await this.#source.rest();
        }
      }
    }
  }

  #tableOf(level: number, span: number): SumTable {
    const known = this.#made[level]?.get(span);
    if (known !== undefined) return known;
    const table = new SumTable();
    this.#made[level]?.set(span, table);
    return table;
  }
}
