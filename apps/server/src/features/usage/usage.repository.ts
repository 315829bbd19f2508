import { setImmediate as nextTurn } from "node:timers/promises";
import type { OpenDatabase } from "@one-api/database/open-database";
import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Rest } from "../../core/work/pace.ts";
import { rowsReader } from "../../core/database/read-rows.ts";
import type { Queryable } from "../../core/transaction.ts";
import type { IdStretch } from "../logs/index.ts";
import { countSteps, NO_FIRST_BYTES, readTimes, sumTimes, type TimedStreams } from "./first-bytes.ts";
import type { SlotSpan } from "./slot-spans.ts";
import type { SumKey } from "./sum-table.ts";
import {
  addEntry,
  CORRECTIONS,
  COUNTED,
  COUNTED_COLUMNS,
  type CountedEntry,
  NO_SUMS,
  SLOT_OF_ROW,
  SUM_NAMES,
  type SumName,
  type Sums,
  SUMS_OF_ROWS,
  SUMS_WITH_TIMES,
  TIME_OF_ROW,
} from "./usage-sums.ts";

/** What sums are kept by, for everybody together. */
const VIEWS = { all: 0, model: 1, channel: 2, user: 3, token: 4 } as const;

export type ViewName = keyof typeof VIEWS;

/** Of which of them is kept how long streams took: of users and tokens it would be long. */
export const WITH_FIRST_BYTES: ReadonlySet<ViewName> = new Set(["all", "model", "channel"]);

type RowsTable = "logs" | "usage_corrections";

const KEYS: Readonly<Record<ViewName, RawBuilder<unknown>>> = {
  all: sql`''`,
  model: sql`model_name`,
  channel: sql`channel_id`,
  user: sql`user_id`,
  // A token that was just seen for the first time has no number yet.
  token: sql`coalesce(
    (select cast(usage_tokens.id as text) from usage_tokens
      where usage_tokens.user_id = logs.user_id and usage_tokens.token_name = logs.token_name),
    cast(user_id as text) || '/' || token_name)`,
};

/** The key as sums are kept by it. */
const keyOf = (view: ViewName, key: SumKey): SumKey =>
  view === "token" && !String(key).includes("/") ? Number(key) : key;

/** How far the log is added up. */
export interface UsageProgress {
  /** Entries up to this id are in the sums. */
  readonly lastId: number;
  /** The latest slot that has any; -1 for none. */
  readonly newestSlot: number;
  /** How often something was added. */
  readonly steps: number;
}

/** With `lock`, nobody whose entry is booked anew may ask meanwhile whether it is in the sums (PostgreSQL; SQLite writes one by one). */
export async function readProgress(queryable: Queryable, { lock = false } = {}): Promise<UsageProgress> {
  const query = queryable.selectFrom("usage_progress").select(["last_id", "newest_slot", "steps"]);
  const row = await (lock ? query.forUpdate() : query).executeTakeFirst();
  return { lastId: row?.last_id ?? 0, newestSlot: row?.newest_slot ?? -1, steps: row?.steps ?? 0 };
}

/** How far the log is added up, and the id of its newest entry; 0 for none. */
export async function readState(queryable: Queryable): Promise<UsageProgress & { readonly newestId: number }> {
  const { rows } = await sql<UsageProgress & { newestId: number }>`
    select last_id as "lastId", newest_slot as "newestSlot", steps, coalesce((select id from logs order by id desc limit 1), 0) as "newestId"
    from usage_progress`.execute(queryable);
  return rows[0] ?? { lastId: 0, newestSlot: -1, steps: 0, newestId: 0 };
}

export async function saveProgress(queryable: Queryable, { lastId, newestSlot, steps }: UsageProgress): Promise<void> {
  await queryable
    .updateTable("usage_progress")
    .set({ last_id: lastId, newest_slot: newestSlot, steps })
    .where("id", "=", 1)
    .execute();
}

/** Sums of one key in one slot. */
export interface SlotSums extends Sums {
  readonly slot: number;
  readonly key: SumKey;
}

/** Sums as the database answers them with the times of streams as one text, in place of what is made of those. */
type WithTimes<Row extends Sums> = Omit<Row, "timed" | "first_log" | "firstBytes" | "steps"> & {
  readonly times: string;
};

/** What of a user is added up: with one model, one token, or both; empty for all. */
export interface UserFilter {
  readonly userId: number;
  readonly modelName: string;
  readonly tokenName: string;
}

/** Which entries are added up: those of one user, or with 0 of all, from one time to another (Unix seconds, the second left out). */
interface RowFilter extends UserFilter {
  readonly from: number;
  readonly to: number;
}

/** Adds up the entries of the log themselves, by one view: the new ones, which are in no sums yet. How long streams took is told of everybody's, whatever the view. */
export async function sumNewRows(
  queryable: Queryable,
  view: ViewName,
  { after, last }: IdStretch,
  filter: RowFilter,
): Promise<readonly SlotSums[]> {
  const isOfOne = filter.userId !== 0;
  const key = isOfOne && view === "token" ? sql`token_name` : KEYS[view];
  const { rows } = await sql<WithTimes<SlotSums> | Omit<SlotSums, "firstBytes">>`
    select ${SLOT_OF_ROW} as slot, ${key} as key, ${isOfOne ? SUMS_OF_ROWS : SUMS_WITH_TIMES} from logs
    where id > ${after} and id <= ${last} and ${COUNTED} and ${matching(filter)}
    group by 1, 2`.execute(queryable);
  return rows.map((row) => {
    const of = isOfOne ? row.key : keyOf(view, row.key);
    if (!("times" in row)) return { ...row, key: of, firstBytes: NO_FIRST_BYTES };
    const { times, ...sums } = row;
    const { steps, ...timed } = readTimes(times);
    return { ...sums, ...timed, key: of, firstBytes: countSteps(steps) };
  });
}

function matching({ from, to, ...user }: RowFilter): RawBuilder<SqlBool> {
  const time = sql<SqlBool>`created_at >= ${from} and created_at < ${to}`;
  return user.userId === 0 ? time : sql`${time} and ${ofUser(user)}`;
}

export function ofUser({ userId, modelName, tokenName }: UserFilter): RawBuilder<SqlBool> {
  const model = modelName === "" ? sql`` : sql` and model_name = ${modelName}`;
  const token = tokenName === "" ? sql`` : sql` and token_name = ${tokenName}`;
  return sql`user_id = ${userId}${model}${token}`;
}

/** Some of what is added up in a span of a level, as text. All parts of a span together are its sums. */
export interface UsagePart {
  readonly view: ViewName;
  readonly level: number;
  readonly slot: number;
  readonly part: number;
  readonly sums: string;
}

/** Spans of a level that follow each other: from the first up to, but not with, the last. */
export interface SpanStretch {
  readonly first: number;
  readonly last: number;
}

/** Sums of some of what was used in a span of a level. */
type PartOfSlot = Pick<UsagePart, "slot" | "sums">;

/** Parts that one statement reads on SQLite: long ones are a few ms of work, those of everything together are short. */
const partsPerRead = (view: ViewName): number => (view === "all" ? 1_000 : 12);
/** On PostgreSQL, where what is asked waits longer than it works: some MB. */
const PARTS_PER_ANSWER = 400;
/** Long parts that are worked on before requests get their turn. */
const PARTS_PER_TURN = 12;

/** Sums of some of what was used in a span, which stands at this place among those that were asked for. */
interface PartOfPlace {
  readonly place: number;
  readonly sums: string;
}

/** Every part of the spans that are asked for, each of which is asked for once, some at a time; requests get their turn in between. */
export async function* readSpans(
  { kind, db }: Pick<OpenDatabase, "kind" | "db">,
  wanted: readonly (SlotSpan & { readonly view: ViewName })[],
): AsyncGenerator<PartOfPlace> {
  if (kind === "postgres") {
    yield* readPlaces(db, wanted);
    return;
  }
  const places = wanted.map((span, place) => ({ ...span, place }));
  for (const ofLevel of Map.groupBy(places, ({ view, level }) => `${view}/${level}`).values()) {
    const placeOf = new Map(ofLevel.map(({ span, place }) => [span, place]));
    const [{ view, level } = { view: "all", level: 0 } as const] = ofLevel;
    const among = sql`slot in (select value from json_each(${JSON.stringify([...placeOf.keys()])}))`;
    for await (const { slot, sums } of readPages(db, view, level, among)) yield { place: placeOf.get(slot) ?? 0, sums };
  }
}

/** On PostgreSQL one statement reads all spans: each is work for two processes, which on a busy machine wait for each other. */
async function* readPlaces(
  queryable: Queryable,
  wanted: readonly (SlotSpan & { readonly view: ViewName })[],
): AsyncGenerator<PartOfPlace> {
  const listOf = (numbers: readonly number[]) => sql`cast(${`{${numbers.join(",")}}`} as bigint[])`;
  const keys = sql.join([
    listOf(wanted.map(({ view }) => VIEWS[view])),
    listOf(wanted.map(({ level }) => level)),
    listOf(wanted.map(({ span }) => span)),
  ]);
  let after = { place: 0, part: -1 };
  for (;;) {
    const { rows } = await sql<PartOfPlace & { readonly part: number }>`
      select place, part, sums from unnest(${keys}) with ordinality as wanted (view, level, slot, place)
      join usage_parts using (view, level, slot)
      where (place, part) > (${after.place}, ${after.part}) order by place, part limit ${PARTS_PER_ANSWER}`.execute(
      queryable,
    );
    for (const [index, { place, sums }] of rows.entries()) {
      yield { place: place - 1, sums };
      if (index % PARTS_PER_TURN === PARTS_PER_TURN - 1) await nextTurn();
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < PARTS_PER_ANSWER) return;
    after = last;
  }
}

/** Every part of the spans of a level that follow each other, some at a time; requests get their turn in between. */
export function readParts(
  queryable: Queryable,
  view: ViewName,
  level: number,
  { first, last }: SpanStretch,
): AsyncGenerator<PartOfSlot> {
  return readPages(queryable, view, level, sql`slot >= ${first} and slot < ${last}`);
}

async function* readPages(
  queryable: Queryable,
  view: ViewName,
  level: number,
  among: RawBuilder<unknown>,
): AsyncGenerator<PartOfSlot> {
  let [slot, part] = [-1, -1];
  for (;;) {
    const { rows } = await sql<PartOfSlot & Pick<UsagePart, "part">>`
      select slot, part, sums from usage_parts where view = ${VIEWS[view]} and level = ${level} and ${among}
        and (slot, part) > (${slot}, ${part}) order by slot, part limit ${partsPerRead(view)}`.execute(queryable);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < partsPerRead(view)) return;
    [slot, part] = [last.slot, last.part];
    await nextTurn();
  }
}

export async function savePart(queryable: Queryable, part: UsagePart): Promise<void> {
  await queryable
    .insertInto("usage_parts")
    .values({ ...part, view: VIEWS[part.view] })
    .execute();
}

/** What one user's token was used for with one model on one channel, in one slot: the sums of every view are made of these. */
export interface FinestSums {
  readonly slot: number;
  readonly userId: number;
  readonly tokenName: string;
  /** The token's number, or its text while it has none. */
  readonly token: SumKey;
  readonly model: string;
  readonly channel: number;
  /** The sums in the order of their names. */
  readonly values: readonly number[];
  /** The step of time of each timed stream. */
  readonly steps: readonly number[];
  /** What each of these counts. */
  readonly sign: 1 | -1;
}

const FINEST_KEYS: Readonly<Record<ViewName, (sums: FinestSums) => SumKey>> = {
  all: () => "",
  model: ({ model }) => model,
  channel: ({ channel }) => channel,
  user: ({ userId }) => userId,
  token: ({ token }) => token,
};

/** What tells the sums of a view apart. */
export const keyIn = (view: ViewName): ((sums: FinestSums) => SumKey) => FINEST_KEYS[view];

/** Where new entries are read from. */
interface EntrySource extends Pick<OpenDatabase, "kind"> {
  readonly db: Queryable;
  /** Between parts of the work. */
  readonly rest: Rest;
}

/** The same before it is known by which key the token stands in the sums. */
export type SumsWithoutKey = Omit<FinestSums, "token">;

/** Adds up new entries of the log, each of which is read once. */
export function sumFinest(source: EntrySource, stretch: IdStretch): Promise<SumsWithoutKey[]> {
  const { after, last } = stretch;
  if (source.kind === "sqlite") return addUpEntries(source, stretch);
  return addUpFinest(source.db, "logs", sql`id > ${after} and id <= ${last} and ${COUNTED}`);
}

/** Adds up, from below 0, what the sums must lose by corrections up to an id. */
export async function sumCorrections(queryable: Queryable, upTo: number): Promise<SumsWithoutKey[]> {
  const lost = await addUpFinest(queryable, "usage_corrections", sql`id <= ${upTo}`);
  return lost.map((sums) => ({ ...sums, values: sums.values.map((value) => -value), sign: -1 }));
}

type FinestKeys = Pick<FinestSums, "slot" | "userId" | "tokenName" | "model" | "channel">;

/** So many entries are read before requests get their turn: a ms or two. */
const ENTRIES_PER_READ = 512;

type ReadEntry = readonly [
  id: number,
  slot: number,
  userId: number,
  tokenName: string,
  model: string,
  channel: number,
  time: number,
  ...counted: CountedEntry,
];

const parseEntries = rowsReader<ReadEntry>([
  "number",
  "number",
  "number",
  "string",
  "string",
  "number",
  "number",
  "number",
  "number",
  "number",
  "number",
  "number",
]);

/** As one text of SQLite's, which takes half of what rows with as many columns do. */
async function* readEntries({ db, rest }: EntrySource, { after, last }: IdStretch): AsyncGenerator<ReadEntry[]> {
  let before = after;
  for (;;) {
    const { rows } = await sql<{ entries: string }>`
      select '[' || coalesce(string_agg(entry, ','), '') || ']' as entries from (
        select json_array(id, ${SLOT_OF_ROW}, user_id, token_name, model_name, channel_id, ${TIME_OF_ROW}, ${COUNTED_COLUMNS}) as entry
        from logs where id > ${before} and id <= ${last} and ${COUNTED} order by id limit ${ENTRIES_PER_READ})`.execute(
      db,
    );
    const entries = parseEntries(rows[0]?.entries ?? "[]");
    yield entries;
    const newest = entries.at(-1);
    if (newest === undefined || entries.length < ENTRIES_PER_READ) return;
    [before] = newest;
    await rest();
  }
}

/** On SQLite, which groups in this process too, and for many users takes twice as long as reading the entries. */
async function addUpEntries(source: EntrySource, stretch: IdStretch): Promise<SumsWithoutKey[]> {
  const added = new Map<
    string,
    { readonly of: FinestKeys; readonly sums: Record<SumName, number>; readonly times: number[] }
  >();
  for await (const entries of readEntries(source, stretch)) {
    for (const [, slot, userId, tokenName, model, channel, time, ...counted] of entries) {
      const key = `${slot} ${userId} ${channel} ${model.length} ${model}${tokenName}`;
      let known = added.get(key);
      if (known === undefined) {
        const { firstBytes: _, ...sums } = NO_SUMS;
        known = { of: { slot, userId, tokenName, model, channel }, sums, times: [] };
        added.set(key, known);
      }
      addEntry(known.sums, counted);
      if (time > 0) known.times.push(time);
    }
  }
  return [...added.values()].map(({ of, sums, times }) => toFinest(of, sums, sumTimes(times)));
}

async function addUpFinest(
  queryable: Queryable,
  table: RowsTable,
  which: RawBuilder<unknown>,
): Promise<SumsWithoutKey[]> {
  const { rows } = await sql<FinestKeys & WithTimes<Sums>>`
    select ${SLOT_OF_ROW} as slot, user_id as "userId", token_name as "tokenName", model_name as model, channel_id as channel, ${SUMS_WITH_TIMES}
    from ${table === "logs" ? sql.table(table) : CORRECTIONS} where ${which} group by 1, 2, 3, 4, 5`.execute(queryable);
  return rows.map((row) => toFinest(row, row, readTimes(row.times)));
}

function toFinest(
  { slot, userId, tokenName, model, channel }: FinestKeys,
  untimed: Readonly<Record<Exclude<SumName, "timed" | "first_log">, number>>,
  timed: TimedStreams,
): SumsWithoutKey {
  const sums = { ...untimed, ...timed };
  const values = SUM_NAMES.map((name) => sums[name]);
  return { slot, userId, tokenName, model, channel, values, steps: timed.steps, sign: 1 };
}

/** The latest correction; 0 for none. */
export async function findNewestCorrection(queryable: Queryable): Promise<number> {
  const row = await queryable.selectFrom("usage_corrections").select("id").orderBy("id", "desc").executeTakeFirst();
  return row?.id ?? 0;
}
