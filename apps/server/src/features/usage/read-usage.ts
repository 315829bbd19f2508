import { setImmediate as nextTurn } from "node:timers/promises";
import type { OpenDatabase } from "@one-api/database/open-database";
import type { IdStretch } from "../logs/index.ts";
import { NO_FIRST_BYTES } from "./first-bytes.ts";
import { coverSlots, type SlotSpan } from "./slot-spans.ts";
import { type SumKey, SumTable } from "./sum-table.ts";
import {
  readSpans,
  readState,
  type SlotSums,
  sumNewRows,
  type UserFilter,
  type ViewName,
  WITH_FIRST_BYTES,
} from "./usage.repository.ts";
import { sumPendingOfUser, sumUser } from "./usage-of-users.repository.ts";
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
  let state = await readState(database.db);
  for (let tries = 1; ; tries += 1) {
    const answer = await readAt(database, question, state);
    const { steps } = state;
    state = await readState(database.db);
    // Sums that were added to meanwhile may hold what was read as new.
    if (tries === MAX_TRIES || state.steps === steps) return answer;
  }
}

async function readAt(
  database: OpenDatabase,
  question: UsageQuestion,
  { lastId, newestSlot, newestId }: Awaited<ReturnType<typeof readState>>,
): Promise<UsageAnswer> {
  const { partsOf } = question;
  const partsKey = partsOf === undefined ? undefined : await findKey(database, question, partsOf);
  const tables = startTables(question);
  if (question.userId === 0) await addEverybody(database, question, tables, newestSlot);
  else await addUser(database, question, tables);
  await nextTurn();
  const stretch = { after: lastId, last: Math.min(newestId, lastId + MAX_NEW) };
  if (stretch.after < stretch.last) await addNewRows(database, question, tables, stretch);
  const { parts, table } = tables;
  return {
    parts: parts.map((part) => (partsKey === undefined ? part.total() : part.sumsOf(partsKey))),
    partTables: parts,
    table,
    isComplete: newestId <= stretch.last,
  };
}

/** What is added up: a table for each part of the time and one for all of it. */
interface Tables {
  /** The edges of the parts. */
  readonly slots: readonly number[];
  readonly first: number;
  readonly last: number;
  readonly parts: readonly SumTable[];
  readonly table: SumTable;
  /** By what the parts are told apart. */
  readonly partsBy: ViewName;
  readonly toParts: (rows: readonly SlotSums[]) => void;
  readonly toTable: (rows: readonly SlotSums[]) => void;
}

function startTables({ by, partsOf, isSplit = false, edges }: UsageQuestion): Tables {
  const slots = edges.map((edge) => Math.floor(edge / SLOT_SECONDS));
  const parts = slots.slice(1).map(() => new SumTable());
  const table = new SumTable();
  const partOf = (slot: number) => parts[slots.findLastIndex((edge) => edge <= slot)];
  return {
    slots,
    first: slots[0] ?? 0,
    last: slots.at(-1) ?? 0,
    parts,
    table,
    partsBy: partsOf === undefined && !isSplit ? "all" : by,
    toParts: (rows) => rows.forEach((row) => partOf(row.slot)?.add(row.key, row)),
    toTable: (rows) => rows.forEach((row) => table.add(row.key, row)),
  };
}

function userOf({ userId, modelName = "", tokenName = "" }: UsageQuestion): UserFilter {
  return { userId, modelName, tokenName };
}

async function addEverybody(
  database: OpenDatabase,
  { by }: UsageQuestion,
  { slots, first, last, parts, table, partsBy }: Tables,
  newestSlot: number,
): Promise<void> {
  const spansOf = (from: number, to: number) => coverSlots(from, to, newestSlot);
  await addSpans(database, [
    ...parts.map((part, index) => ({
      table: part,
      view: partsBy,
      spans: spansOf(slots[index] ?? 0, slots[index + 1] ?? 0),
    })),
    { table, view: by, spans: partsBy === by ? [] : spansOf(first, last) },
  ]);
  if (partsBy === by) for (const part of parts) table.addTable(part);
}

async function addUser(
  database: OpenDatabase,
  question: UsageQuestion,
  { slots, first, last, toParts, toTable }: Tables,
): Promise<void> {
  const ofUser = userOf(question);
  const name = question.by === "token" ? "token_name" : "model_name";
  for (const edges of stepsOf(database.kind, slots)) {
    const rows = await sumUser(database, ofUser, name, edges);
    toParts(rows);
    toTable(rows);
    await nextTurn();
  }
  const pending = await sumPendingOfUser(database.db, ofUser, name, { first, last });
  toParts(pending);
  toTable(pending);
}

async function addNewRows(
  database: OpenDatabase,
  question: UsageQuestion,
  { first, last, partsBy, toParts, toTable }: Tables,
  stretch: IdStretch,
): Promise<void> {
  const { by } = question;
  const time = { from: first * SLOT_SECONDS, to: last * SLOT_SECONDS };
  const rows = await sumNewRows(database.db, by, stretch, { ...userOf(question), ...time });
  // Of what is kept by user or token nobody counted how long streams took.
  const byKey = WITH_FIRST_BYTES.has(by) ? rows : rows.map((row) => ({ ...row, firstBytes: NO_FIRST_BYTES }));
  toParts(partsBy === "all" ? rows : byKey);
  toTable(byKey);
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

/** Adds the spans to their tables. */
async function addSpans(
  database: OpenDatabase,
  wanted: readonly { readonly table: SumTable; readonly view: ViewName; readonly spans: readonly SlotSpan[] }[],
): Promise<void> {
  const spans = wanted.flatMap(({ table, view, spans: ofTable }) => ofTable.map((span) => ({ ...span, view, table })));
  for await (const { place, sums } of readSpans(database, spans)) spans[place]?.table.addPacked(sums);
  await nextTurn();
}
