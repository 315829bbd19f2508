import { setImmediate as nextTurn } from "node:timers/promises";
import type { OpenDatabase } from "@one-api/database/open-database";
import { sql } from "kysely";
import { inTransaction, type Queryable } from "../../core/transaction.ts";
import { isClosed, SPANS } from "./slot-spans.ts";
import { SumTable } from "./sum-table.ts";
import {
  addToUsers,
  findStretch,
  type IdStretch,
  listSpans,
  readProgress,
  readSpans,
  saveProgress,
  saveSpan,
  type SlotSums,
  sumNewRows,
  type UsageProgress,
  type ViewName,
} from "./usage.repository.ts";

/** Whoever adds up on PostgreSQL holds this advisory lock. */
const ADVISORY_LOCK = 0x75736167;
/** Entries of one step: some ms of work. */
const ENTRIES = 1_024;

const VIEW_NAMES: readonly ViewName[] = ["all", "model", "channel", "user", "token"];

/**
 * Adds the next entries, up to an id below which nothing is written any more, to the sums; false when fewer are there. What is added and how far
 * the log is added up commit together, so that nothing is added twice. Of several processes on PostgreSQL one at a time does it; on SQLite there
 * is one, and the sums are made before the transaction that writes them. What is removed from the log later stays in the sums.
 */
export async function foldNextUsage(database: OpenDatabase, settledId: number, entries = ENTRIES): Promise<boolean> {
  if (database.kind === "sqlite") {
    const fold = await prepareFold(database, settledId, entries);
    if (fold === undefined) return false;
    await inTransaction(database, (transaction) => writeFold(transaction, fold));
    return true;
  }
  return inTransaction(database, async (transaction) => {
    const { rows } = await sql<{ mine: boolean }>`select pg_try_advisory_xact_lock(${ADVISORY_LOCK}) as mine`.execute(
      transaction,
    );
    if (rows[0]?.mine !== true) return false;
    const fold = await prepareFold({ kind: database.kind, db: transaction }, settledId, entries);
    if (fold === undefined) return false;
    await writeFold(transaction, fold);
    return true;
  });
}

type Source = Pick<OpenDatabase, "kind"> & { readonly db: Queryable };

/** What one step writes. */
interface Fold {
  readonly stretch: IdStretch;
  readonly progress: UsageProgress;
  readonly spans: readonly Span[];
}

interface Span {
  readonly view: ViewName;
  readonly level: number;
  readonly slot: number;
  readonly sums: string;
}

async function prepareFold(source: Source, settledId: number, entries: number): Promise<Fold | undefined> {
  const before = await readProgress(source.db);
  const stretch = await findStretch(source.db, before.lastId, settledId, entries);
  if (stretch === undefined) return undefined;
  const spans: Span[] = [];
  let newestSlot = before.newestSlot;
  for (const view of VIEW_NAMES) {
    const added = await sumNewRows(source.db, view, stretch);
    newestSlot = added.reduce((newest, { slot }) => Math.max(newest, slot), newestSlot);
    await nextTurn();
    const changed = new ChangedSpans(source, view);
    await changed.add(added, before.newestSlot);
    await changed.close(before.newestSlot, newestSlot);
    spans.push(...changed.rows());
    await nextTurn();
  }
  return { stretch, progress: { lastId: stretch.last, newestSlot }, spans };
}

async function writeFold(transaction: Queryable, { stretch, progress, spans }: Fold): Promise<void> {
  for (const span of spans) await saveSpan(transaction, span);
  await addToUsers(transaction, stretch);
  await saveProgress(transaction, progress);
}

/** The spans of one view that a step changes. */
class ChangedSpans {
  readonly #source: Source;
  readonly #view: ViewName;
  readonly #known: Map<number, SumTable>[] = SPANS.map(() => new Map<number, SumTable>());
  readonly #changed: Set<number>[] = SPANS.map(() => new Set<number>());

  constructor(source: Source, view: ViewName) {
    this.#source = source;
    this.#view = view;
  }

  /** Adds to the slots, and to all closed spans that they are in. */
  async add(added: readonly SlotSums[], newestSlot: number): Promise<void> {
    for (const [level, length] of SPANS.entries()) {
      const spanOf = ({ slot }: SlotSums) => Math.floor(slot / length);
      const here = added.filter((sums) => isClosed({ level, span: spanOf(sums) }, newestSlot));
      const tables = await this.#load(level, [...new Set(here.map(spanOf))]);
      for (const sums of here) {
        tables.get(spanOf(sums))?.add(sums.key, sums);
        this.#changed[level]?.add(spanOf(sums));
      }
    }
  }

  /** Adds up the spans that were not closed before and are now, each of those that it consists of. */
  async close(before: number, now: number): Promise<void> {
    for (let level = 1; level < SPANS.length; level += 1) {
      const length = SPANS[level] ?? 1;
      const parts = length / (SPANS[level - 1] ?? 1);
      const [first, end] = [Math.floor(Math.max(0, before) / length), Math.floor(now / length)];
      if (first >= end) return;
      const children = await this.#listWithEntries(level - 1, first * parts, end * parts);
      const tables = await this.#load(level - 1, children);
      for (const child of children) {
        const span = Math.floor(child / parts);
        const table = this.#known[level]?.get(span) ?? new SumTable();
        const part = tables.get(child);
        if (part !== undefined) table.addTable(part);
        this.#known[level]?.set(span, table);
        this.#changed[level]?.add(span);
      }
      await nextTurn();
    }
  }

  rows(): Span[] {
    return this.#changed.flatMap((changed, level) =>
      [...changed].map((slot) => ({
        view: this.#view,
        level,
        slot,
        sums: (this.#known[level]?.get(slot) ?? new SumTable()).pack(),
      })),
    );
  }

  async #listWithEntries(level: number, first: number, last: number): Promise<number[]> {
    const stored = await listSpans(this.#source.db, level, first, last);
    const made = [...(this.#changed[level] ?? [])].filter((span) => span >= first && span < last);
    return [...new Set([...stored, ...made])];
  }

  /** What is known of the spans of a level; reads those that are not here yet. */
  async #load(level: number, spans: readonly number[]): Promise<ReadonlyMap<number, SumTable>> {
    const tables = this.#known[level] ?? new Map<number, SumTable>();
    const missing = spans.filter((span) => !tables.has(span));
    const stored = await readSpans(this.#source, this.#view, level, missing);
    for (const span of missing) tables.set(span, new SumTable());
    for (const { slot, sums } of stored) tables.get(slot)?.addPacked(sums);
    return tables;
  }
}
