import { setImmediate as nextTurn } from "node:timers/promises";
import type { OpenDatabase } from "@one-api/database/open-database";
import { findNewestId } from "../logs/index.ts";
import { coverSlots, type SlotSpan } from "./slot-spans.ts";
import { type SumKey, SumTable } from "./sum-table.ts";
import {
  readProgress,
  readParts,
  type SlotSums,
  sumNewRows,
  sumUser,
  type UsageProgress,
  type ViewName,
} from "./usage.repository.ts";
import { findTokenKey } from "./usage-tokens.repository.ts";
import { SLOT_SECONDS, type Sums } from "./usage-sums.ts";

/** What is asked. */
export interface UsageQuestion {
  /** Unix seconds, at least two, one after the other: where the parts of the time begin, and where the last one ends. They count by half hours. */
  readonly edges: readonly number[];
  readonly by: ViewName;
  /** 0 for everybody. */
  readonly userId: number;
  /** Of one user: with this model and this token alone; empty or left out for all. */
  readonly modelName?: string;
  readonly tokenName?: string;
  /** The parts are of this key alone; undefined for all. */
  readonly partsOf?: string | undefined;
  /** Parts tell keys apart too, in `partTables`. */
  readonly isSplit?: boolean;
}

export interface UsageAnswer {
  /** Of each part of the time. */
  readonly parts: readonly Sums[];
  /** Of each part by what was asked, where the question is split; else of all together. */
  readonly partTables: readonly SumTable[];
  /** Of the whole time, by what was asked; keys of one user's tokens are their names, else `nameTokens` has their texts. */
  readonly table: SumTable;
  /** False while a long log is still being added up: what is newest is missing. */
  readonly isComplete: boolean;
}

/** More new entries than this are not looked at: they are being added up. */
const MAX_NEW = 50_000;
/** Slots of a user that one statement reads: two days. */
const MOST_SLOTS = 96;
const MAX_TRIES = 5;

/** Adds up what was used in a time, from the sums and from the entries that are newer than those. */
export async function readUsage(database: OpenDatabase, question: UsageQuestion): Promise<UsageAnswer> {
  for (let tries = 1; ; tries += 1) {
    const progress = await readProgress(database.db);
    const answer = await readAt(database, question, progress);
    // Sums that were added to meanwhile may hold what was read as new.
    if (tries === MAX_TRIES || (await readProgress(database.db)).steps === progress.steps) return answer;
  }
}

async function readAt(database: OpenDatabase, question: UsageQuestion, progress: UsageProgress): Promise<UsageAnswer> {
  const { by, userId, partsOf, modelName = "", tokenName = "", isSplit = false } = question;
  const partsBy = partsOf === undefined && !isSplit ? "all" : by;
  const partsKey = partsOf === undefined ? undefined : await findKey(database, question, partsOf);
  const slots = question.edges.map((edge) => Math.floor(edge / SLOT_SECONDS));
  const parts = slots.slice(1).map(() => new SumTable());
  const table = new SumTable();
  const [first = 0, last = 0] = [slots[0], slots.at(-1)];
  const partOf = (slot: number) => parts[slots.findLastIndex((edge) => edge <= slot)];
  const ofUser = { userId, modelName, tokenName };
  const filter = { ...ofUser, from: first * SLOT_SECONDS, to: last * SLOT_SECONDS };
  const newest = await findNewestId(database.db);
  const stretch = { after: progress.lastId, last: Math.min(newest, progress.lastId + MAX_NEW) };
  const toTable = (rows: readonly SlotSums[]) => rows.forEach((row) => table.add(row.key, row));
  const toParts = (rows: readonly SlotSums[]) => rows.forEach((row) => partOf(row.slot)?.add(row.key, row));
  if (userId === 0) {
    const spansOf = (from: number, to: number) => coverSlots(from, to, progress.newestSlot);
    await addSpans(
      database,
      partsBy,
      parts.map((part, index) => [part, spansOf(slots[index] ?? 0, slots[index + 1] ?? 0)]),
    );
    await addSpans(database, by, [[table, spansOf(first, last)]]);
  } else {
    for (const edges of stepsOf(database.kind, slots)) {
      const rows = await sumUser(database, ofUser, by === "token" ? "token_name" : "model_name", edges);
      toParts(rows);
      toTable(rows);
      await nextTurn();
    }
  }
  await nextTurn();
  toParts(await sumNewRows(database.db, partsBy, stretch, filter));
  toTable(await sumNewRows(database.db, by, stretch, filter));
  const sumsOf = (part: SumTable) => (partsKey === undefined ? part.total() : part.sumsOf(partsKey));
  return {
    parts: parts.map(sumsOf),
    partTables: parts,
    table,
    isComplete: newest <= stretch.last,
  };
}

/** The key that a text stands for. */
async function findKey({ db }: OpenDatabase, { by, userId }: UsageQuestion, text: string): Promise<SumKey> {
  if (by === "model" || userId !== 0) return text;
  return by === "token" ? findTokenKey(db, text) : Number(text);
}

/** What is read at once: the edges of all parts, on SQLite each part by itself and long ones in pieces, a few ms of work for a user who has very much. */
function stepsOf(kind: OpenDatabase["kind"], slots: readonly number[]): (readonly number[])[] {
  if (kind === "postgres") return [slots];
  return slots.slice(1).flatMap((end, index) => {
    const start = slots[index] ?? 0;
    const pieces = Math.ceil((end - start) / MOST_SLOTS);
    return Array.from({ length: pieces }, (_, piece) => {
      const first = start + piece * MOST_SLOTS;
      return [first, Math.min(end, first + MOST_SLOTS)] as const;
    });
  });
}

/** Adds the spans to their tables, some at a time. */
async function addSpans(
  database: OpenDatabase,
  view: ViewName,
  wanted: readonly (readonly [table: SumTable, spans: readonly SlotSpan[]])[],
): Promise<void> {
  const tables = new Map<number, Map<number, SumTable>>();
  for (const [table, spans] of wanted) {
    for (const { level, span } of spans) {
      const ofLevel = tables.get(level) ?? new Map<number, SumTable>();
      tables.set(level, ofLevel.set(span, table));
    }
  }
  for (const [level, ofLevel] of tables) {
    for await (const { slot, sums } of readParts(database, view, level, [...ofLevel.keys()]))
      ofLevel.get(slot)?.addPacked(sums);
    await nextTurn();
  }
}
