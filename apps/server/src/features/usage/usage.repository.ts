import type { OpenDatabase } from "@one-api/database/open-database";
import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Queryable } from "../../core/transaction.ts";
import { COUNTED, SLOT_OF_ROW, SUM_NAMES, type Sums, SUMS_OF_ROWS } from "./usage-sums.ts";

/** What sums are kept by, for everybody together. */
export const VIEWS = { all: 0, model: 1, channel: 2, user: 3, token: 4 } as const;

export type ViewName = keyof typeof VIEWS;

const KEYS: Readonly<Record<ViewName, RawBuilder<unknown>>> = {
  all: sql`''`,
  model: sql`model_name`,
  channel: sql`cast(channel_id as text)`,
  user: sql`cast(user_id as text)`,
  token: sql`cast(user_id as text) || '/' || token_name`,
};

/** Entries after the one and up to the other id. */
export interface IdStretch {
  readonly after: number;
  readonly last: number;
}

/** How far the log is added up. */
export interface UsageProgress {
  /** Entries up to this id are in the sums. */
  readonly lastId: number;
  /** The latest slot that has any; -1 for none. */
  readonly newestSlot: number;
}

export async function readProgress(queryable: Queryable): Promise<UsageProgress> {
  const row = await queryable.selectFrom("usage_progress").select(["last_id", "newest_slot"]).executeTakeFirst();
  return { lastId: row?.last_id ?? 0, newestSlot: row?.newest_slot ?? -1 };
}

export async function saveProgress(queryable: Queryable, { lastId, newestSlot }: UsageProgress): Promise<void> {
  await queryable
    .insertInto("usage_progress")
    .values({ id: 1, last_id: lastId, newest_slot: newestSlot })
    .onConflict((conflict) => conflict.column("id").doUpdateSet({ last_id: lastId, newest_slot: newestSlot }))
    .execute();
}

/** Sums of one key in one slot. */
export interface SlotSums extends Sums {
  readonly slot: number;
  readonly key: string;
}

/** Which entries are added up: those of one user, or with 0 of all, from one time to another (Unix seconds, the second left out). */
export interface RowFilter {
  readonly userId: number;
  readonly from: number;
  readonly to: number;
}

/** Adds up the entries of the log themselves: the new ones, which are in no sums yet. */
export async function sumNewRows(
  queryable: Queryable,
  view: ViewName,
  { after, last }: IdStretch,
  filter?: RowFilter,
): Promise<readonly SlotSums[]> {
  const key = filter !== undefined && filter.userId !== 0 && view === "token" ? sql`token_name` : KEYS[view];
  const { rows } = await sql<SlotSums>`
    select ${SLOT_OF_ROW} as slot, ${key} as key, ${SUMS_OF_ROWS} from logs
    where id > ${after} and id <= ${last} and ${COUNTED} and ${filter === undefined ? sql`1 = 1` : matching(filter)}
    group by 1, 2`.execute(queryable);
  return rows;
}

function matching({ userId, from, to }: RowFilter): RawBuilder<SqlBool> {
  const time = sql<SqlBool>`created_at + 0 >= ${from} and created_at + 0 < ${to}`;
  return userId === 0 ? time : sql`${time} and user_id = ${userId}`;
}

/** Spans of one level with what is added up in each, as text. */
export interface PackedSpan {
  readonly slot: number;
  readonly sums: string;
}

/** The sums of these spans of a level; those without entries are left out. */
export async function readSpans(
  { kind, db }: Pick<OpenDatabase, "kind"> & { readonly db: Queryable },
  view: ViewName,
  level: number,
  spans: readonly number[],
): Promise<readonly PackedSpan[]> {
  if (spans.length === 0) return [];
  const among =
    kind === "sqlite"
      ? sql`slot in (select value from json_each(${JSON.stringify(spans)}))`
      : sql`slot = any(cast(${`{${spans.join(",")}}`} as bigint[]))`;
  const { rows } = await sql<PackedSpan>`
    select slot, sums from usage_slots where view = ${VIEWS[view]} and level = ${level} and ${among}`.execute(db);
  return rows;
}

/** The spans of a level that have entries, from the first up to, but not with, the last. */
export async function listSpans(queryable: Queryable, level: number, first: number, last: number): Promise<number[]> {
  const rows = await queryable
    .selectFrom("usage_slots")
    .select("slot")
    .where("view", "=", VIEWS.all)
    .where("level", "=", level)
    .where("slot", ">=", first)
    .where("slot", "<", last)
    .execute();
  return rows.map(({ slot }) => slot);
}

export async function saveSpan(
  queryable: Queryable,
  row: { readonly view: ViewName; readonly level: number; readonly slot: number; readonly sums: string },
): Promise<void> {
  await queryable
    .insertInto("usage_slots")
    .values({ ...row, view: VIEWS[row.view] })
    .onConflict((conflict) => conflict.columns(["view", "level", "slot"]).doUpdateSet({ sums: row.sums }))
    .execute();
}

const NAMES = sql.join(
  SUM_NAMES.map((name) => sql.ref(name)),
  sql`, `,
);

/** Adds the entries to what is kept of each user. */
export async function addToUsers(queryable: Queryable, { after, last }: IdStretch): Promise<void> {
  const added = sql.join(
    SUM_NAMES.map(
      (name) => sql`${sql.ref(name)} = ${sql.ref(`usage_of_users.${name}`)} + ${sql.ref(`excluded.${name}`)}`,
    ),
    sql`, `,
  );
  await sql`
    insert into usage_of_users (user_id, slot, token_name, model_name, ${NAMES})
    select user_id, ${SLOT_OF_ROW} as slot, token_name, model_name, ${SUMS_OF_ROWS} from logs
    where id > ${after} and id <= ${last} and ${COUNTED}
    group by user_id, 2, token_name, model_name
    on conflict (user_id, slot, token_name, model_name) do update set ${added}`.execute(queryable);
}

/** Adds up what is kept of one user in the slots from the first up to, but not with, the last, by model or token. */
export async function sumUser(
  queryable: Queryable,
  userId: number,
  by: "model_name" | "token_name",
  [first, last]: readonly [first: number, last: number],
): Promise<readonly SlotSums[]> {
  const sums = sql.join(
    SUM_NAMES.map((name) => sql`sum(${sql.ref(name)}) as ${sql.ref(name)}`),
    sql`, `,
  );
  const { rows } = await sql<SlotSums>`
    select cast(${first} as bigint) as slot, ${sql.ref(by)} as key, ${sums} from usage_of_users
    where user_id = ${userId} and slot >= ${first} and slot < ${last} group by ${sql.ref(by)}`.execute(queryable);
  return rows;
}

/** The id of the last of the next entries, once there are so many up to an id; undefined before. */
export async function findStretch(
  queryable: Queryable,
  after: number,
  settledId: number,
  entries: number,
): Promise<IdStretch | undefined> {
  const { rows } = await sql<{ entries: number; last: number }>`
    select count(*) as entries, max(id) as last from (
      select id from logs where id > ${after} and id <= ${settledId} order by id limit ${entries}) as next_entries`.execute(
    queryable,
  );
  const next = rows[0];
  return next === undefined || next.entries < entries ? undefined : { after, last: next.last };
}
