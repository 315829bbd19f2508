import type { OpenDatabase } from "@one-api/database/open-database";
import type { ListPage } from "../../core/lists/list-page.ts";
import { cutOf, idsOfGroup } from "./groups/log-cut.ts";
import { type GroupQuery, planGroups, readGroupIds } from "./groups/log-groups.repository.ts";
import { BATCHES_PER_BLOCK, LEVEL } from "./groups/log-groups.ts";
import { lastIdOf, type LogSpan, loadBatches, planSpan } from "./groups/log-span.ts";
import { tailOf } from "./groups/log-tail.ts";
import { bucketsOf, type Part, takeApart, walkGroups } from "./groups/walk-log-groups.ts";
import type { LogFilter } from "./log-filter.ts";
import { listIds } from "./log.repository.ts";

/** Counting ends here, so that a filter that leaves millions of entries costs no more than this. */
const MAX_COUNTED_LOGS = 10_000;

/** Which entries of a list. */
export interface LogPlace extends ListPage {
  /** Entries after this id are left out; 0 for none. */
  readonly upTo: number;
}

/** The ids of one page, newest first, and how many the filter leaves in all, counted up to 10,000. */
export interface FoundLogs {
  readonly ids: readonly number[];
  readonly total: number;
}

/** A piece of the list: ids that are known, with a batch whose other ids are not. */
interface Piece {
  readonly ids: readonly number[];
  /** 0 for none. */
  readonly batch: number;
  readonly count: number;
}

/**
 * Finds a page without reading what stands before it: batches and blocks of batches tell how many entries the filter leaves in each, and
 * only where the page begins are ids read.
 */
export async function findLogIds(database: OpenDatabase, filter: LogFilter, place: LogPlace): Promise<FoundLogs> {
  const wanted: Piece[] = [];
  const end = place.offset + place.limit;
  let counted = 0;
  let skipped = 0;
  const search = await startSearch(database, filter, place);
  for await (const piece of piecesOf(search, (count) => counted < end && counted + count > place.offset)) {
    if (counted < end && counted + piece.count > place.offset) wanted.push(piece);
    else if (wanted.length === 0) skipped += piece.count;
    counted += piece.count;
    if (counted >= Math.max(end, MAX_COUNTED_LOGS)) break;
  }
  const ids = await readIds(search, wanted);
  return {
    ids: ids.slice(Math.max(0, place.offset - skipped), Math.max(0, end - skipped)),
    total: Math.min(counted, MAX_COUNTED_LOGS),
  };
}

/** What a walk through the log goes by. */
export interface Search {
  readonly database: OpenDatabase;
  readonly filter: LogFilter;
  readonly span: LogSpan;
  /** The last batch all of whose entries may be listed. */
  readonly lastBatch: number;
  readonly upTo: number;
  /** Undefined when no batch has any. */
  readonly query: GroupQuery | undefined;
}

/** Looks which batches there are and which groups the filter asks for. */
export async function startSearch(
  database: OpenDatabase,
  filter: LogFilter,
  { upTo }: Pick<LogPlace, "upTo">,
): Promise<Search> {
  const span = planSpan(await loadBatches(database), filter.startTimestamp, filter.endTimestamp);
  const bound = upTo === 0 ? Number.POSITIVE_INFINITY : upTo;
  const beyond = span.batches.findIndex(({ lastId }) => lastId > bound);
  return {
    database,
    filter,
    span,
    lastBatch: beyond === -1 ? span.batches.length : beyond,
    upTo: bound,
    query: await planGroups(database, filter),
  };
}

/** The list in pieces, newest first; `isWanted` says whether a block with so many entries is to be taken apart. */
export async function* piecesOf(search: Search, isWanted: (count: number) => boolean): AsyncGenerator<Piece> {
  const { database, filter, span, upTo } = search;
  for await (const stretch of tailOf(database, span, upTo)) yield known(await listIds(database, filter, stretch));
  let single = await listSingleIds(search);
  const takeUntil = (id: number) => {
    const first = single.findIndex((other) => other <= id);
    const taken = first === -1 ? single : single.slice(0, first);
    single = single.slice(taken.length);
    return taken;
  };
  if (search.query !== undefined) {
    for await (const part of walkGroups(database, search.query, span, search.lastBatch)) {
      const last = lastIdOf(span.batches, part.isBlock ? part.batch * BATCHES_PER_BLOCK : part.batch);
      yield known(takeUntil(last));
      if (!part.isBlock || !isWanted(part.entries)) yield piece(part);
      else for (const inner of await takeApart(search.database, search.query, part)) yield piece(inner);
    }
  }
  yield known(single);

  function piece({ batch, entries, isBlock }: Part): Piece {
    // A block holds no other ids: a bound of time cuts none of its buckets.
    const ids = isBlock ? [] : takeUntil(lastIdOf(span.batches, batch - 1));
    return { ids, batch, count: entries + ids.length };
  }
}

function known(ids: readonly number[]): Piece {
  return { ids, batch: 0, count: ids.length };
}

/** Ids of buckets that a bound of time cuts, and of the batch that the last id cuts, newest first. */
async function listSingleIds({ database, filter, query, span, lastBatch, upTo }: Search): Promise<number[]> {
  const ids: number[] = [];
  for await (const stretch of cutOf(database, query, span, lastBatch))
    ids.push(...(await listIds(database, filter, stretch)));
  const after = lastIdOf(span.batches, lastBatch);
  if (lastBatch < span.batches.length) ids.push(...(await listIds(database, filter, { after, last: upTo })));
  return ids.sort((left, right) => right - left);
}

/** The ids of the pieces, newest first. */
export async function readIds({ database, query, span }: Search, pieces: readonly Piece[]): Promise<number[]> {
  const batches = pieces.map(({ batch }) => batch).filter((batch) => batch !== 0);
  const idsOf = new Map<number, number[]>();
  if (query !== undefined && batches.length > 0) {
    const stretch = { level: LEVEL.batch, batches, buckets: bucketsOf(span) };
    for (const group of await readGroupIds(database, query, stretch)) {
      const all = idsOf.get(group.batch) ?? [];
      all.push(...idsOfGroup(span, group));
      idsOf.set(group.batch, all);
    }
  }
  return pieces.flatMap(({ ids, batch }) => [...ids, ...(idsOf.get(batch) ?? [])].sort((left, right) => right - left));
}
