import type { OpenDatabase } from "@one-api/database/open-database";
import { CompiledQuery, type RawBuilder, sql } from "kysely";
import { rowsReader } from "../../core/database/read-rows.ts";
import type { Queryable } from "../../core/transaction.ts";
import { numberArray, textArray } from "@one-api/database/postgres-arrays";
import { NO_FIRST_BYTES } from "./first-bytes.ts";
import { type FinestSums, ofUser, type SlotSums, type SpanStretch, type UserFilter } from "./usage.repository.ts";
import { CORRECTIONS, NO_SUMS, SLOT_OF_ROW, SUM_NAMES, type SumName, type Sums, SUMS_OF_ROWS } from "./usage-sums.ts";

/**
 * What is added to the sums of users waits in texts, one of each step and bucket of users, and is written for one bucket at each step: so few
 * pages are written, and a row once for many steps.
 */
const BUCKETS = 32;
/** So many users, whose rows stand beside each other, follow each other in a bucket. */
const NEIGHBOURS = 16;

const bucketOf = (userId: number): number => Math.floor(userId / NEIGHBOURS) % BUCKETS;

/** What a user's token was used for with one model in one slot: the sums in the order of their names. */
type UserRow = [userId: number, slot: number, tokenName: string, modelName: string, ...sums: number[]];

/** Sums that wait, as text. */
interface PendingSums {
  readonly bucket: number;
  readonly sums: string;
}

/** Where the sums of a row begin. */
const FIRST_SUM = 4;
const COLUMNS = ["user_id", "slot", "token_name", "model_name", ...SUM_NAMES] as const;

/** What one step does with the sums of users. */
export interface UsersStep {
  /** Those that wait from now on. */
  readonly pending: readonly PendingSums[];
  /** What waited before in these buckets is written with them. */
  readonly buckets: readonly number[];
  readonly rows: readonly UserRow[];
}

/** Divides what is added into what waits and what is written, with all that waits in the same buckets: that of the step, and those of users whose sums are to be corrected. */
export async function prepareUsers(
  queryable: Queryable,
  added: readonly FinestSums[],
  step: number,
  corrected: readonly number[],
): Promise<UsersStep> {
  const written = new Set([step % BUCKETS, ...corrected.map(bucketOf)]);
  const byBucket = Map.groupBy(added, ({ userId }) => bucketOf(userId));
  const rows = await readPending(queryable, [...written]);
  const pending: PendingSums[] = [];
  for (const [bucket, ofBucket] of byBucket) {
    const made = ofBucket.map(toRow);
    if (written.has(bucket)) rows.push(...made);
    else pending.push({ bucket, sums: JSON.stringify(made) });
  }
  return { pending, buckets: [...written], rows: addUpRows(rows) };
}

/** Writes what was prepared. */
export async function saveUsers(
  kind: OpenDatabase["kind"],
  queryable: Queryable,
  step: number,
  { pending, buckets, rows }: UsersStep,
): Promise<void> {
  if (kind === "postgres") await addManyToUsers(queryable, rows);
  else await addToUsers(queryable, rows);
  await queryable.deleteFrom("usage_pending").where("bucket", "in", buckets).execute();
  if (pending.length === 0) return;
  await queryable
    .insertInto("usage_pending")
    .values(pending.map((one) => ({ ...one, step })))
    .execute();
}

async function readPending(queryable: Queryable, buckets: readonly number[]): Promise<UserRow[]> {
  const pending = await queryable.selectFrom("usage_pending").select("sums").where("bucket", "in", buckets).execute();
  return pending.flatMap(({ sums }) => parseRows(sums));
}

const parseRows = rowsReader<UserRow>([
  "number",
  "number",
  "string",
  "string",
  ...SUM_NAMES.map((): "number" => "number"),
]);

function toRow({ userId, slot, tokenName, model, values }: FinestSums): UserRow {
  return [userId, slot, tokenName, model, ...values];
}

/** Adds up rows of the same user, slot, token and model, in the order of users and slots, which is nearly that of the table. */
function addUpRows(rows: readonly UserRow[]): UserRow[] {
  const added = new Map<string, UserRow>();
  for (const row of rows) {
    const [userId, slot, tokenName, modelName] = row;
    const key = `${userId} ${slot} ${tokenName.length} ${tokenName}${modelName}`;
    const known = added.get(key);
    if (known === undefined) added.set(key, row);
    else
      for (let index = FIRST_SUM; index < row.length; index += 1)
        known[index] = Number(known[index]) + Number(row[index]);
  }
  return [...added.values()].sort(
    ([leftUser, leftSlot], [rightUser, rightSlot]) => leftUser - rightUser || leftSlot - rightSlot,
  );
}

const NAMES = COLUMNS.map((name) => `"${name}"`).join(", ");
const ADDED = SUM_NAMES.map((name) => `"${name}" = usage_of_users."${name}" + excluded."${name}"`).join(", ");
const ON_CONFLICT = `on conflict (user_id, slot, token_name, model_name) do update set ${ADDED}`;
const VALUES = `(${COLUMNS.map(() => "?").join(", ")})`;
/** Rows of one statement on SQLite, which keeps it prepared. */
const ROWS_PER_STATEMENT = [64, 8, 1];
const ADD_ROWS = ROWS_PER_STATEMENT.map((count) => {
  const rows = Array.from({ length: count }, () => VALUES).join(", ");
  return { count, text: `insert into usage_of_users (${NAMES}) values ${rows} ${ON_CONFLICT}` };
});

async function addToUsers(queryable: Queryable, rows: readonly UserRow[]): Promise<void> {
  let first = 0;
  for (const { count, text } of ADD_ROWS) {
    for (; first + count <= rows.length; first += count)
      await queryable.executeQuery(CompiledQuery.raw(text, rows.slice(first, first + count).flat()));
  }
}

const LISTS = COLUMNS.map((name, index) => `$${index + 1}::${name.endsWith("_name") ? "text" : "bigint"}[]`).join(", ");
const ADD_MANY = `insert into usage_of_users (${NAMES}) select ${NAMES} from unnest(${LISTS}) as added (${NAMES}) ${ON_CONFLICT}`;

/** On PostgreSQL one statement adds all, by a list for each column. */
async function addManyToUsers(queryable: Queryable, rows: readonly UserRow[]): Promise<void> {
  const lists = [
    numberArray(rows.map(([userId]) => userId)),
    numberArray(rows.map(([, slot]) => slot)),
    textArray(rows.map(([, , tokenName]) => tokenName)),
    textArray(rows.map(([, , , modelName]) => modelName)),
    ...SUM_NAMES.map((_, index) => numberArray(rows.map((row) => Number(row[FIRST_SUM + index])))),
  ];
  await queryable.executeQuery(CompiledQuery.raw(ADD_MANY, lists));
}

/**
 * Adds up what is kept of one user, by model or token, in the parts between these slots, each after the one before; the last is left out. On SQLite that is one
 * part at a time. Sums have the slot that their part begins with.
 */
export async function sumUser(
  { kind, db }: Pick<OpenDatabase, "kind" | "db">,
  user: UserFilter,
  by: "model_name" | "token_name",
  edges: readonly number[],
): Promise<readonly SlotSums[]> {
  const sums = sql.join(
    SUM_NAMES.map((name) => sql`sum(${sql.ref(name)}) as ${sql.ref(name)}`),
    sql`, `,
  );
  const sumsOf = (first: RawBuilder<unknown>, last: RawBuilder<unknown>) => sql`
    select ${sql.ref(by)} as key, ${sums} from usage_of_users
    where ${ofUser(user)} and slot >= ${first} and slot < ${last} group by ${sql.ref(by)}`;
  const [first, last] = [sql`${edges[0] ?? 0}`, sql`${edges.at(-1) ?? 0}`];
  const listOf = (slots: readonly number[]) => sql`cast(${`{${slots.join(",")}}`} as bigint[])`;
  // Parts by themselves: together they are more groups than PostgreSQL keeps in memory, which sorts all rows on its disk then.
  const query =
    kind === "sqlite"
      ? sql<SlotSums>`select cast(${first} as integer) as slot, used.* from (${sumsOf(first, last)}) as used`
      : sql<SlotSums>`
        select part.first as slot, used.* from unnest(${listOf(edges.slice(0, -1))}, ${listOf(edges.slice(1))}) as part (first, last)
        cross join lateral (${sumsOf(sql`part.first`, sql`part.last`)}) as used`;
  const { rows } = await query.execute(db);
  return rows.map((row) => ({ ...row, firstBytes: NO_FIRST_BYTES }));
}

/** What of one user waits to be written, in the slots from the first up to, but not with, the last. */
export async function sumPendingOfUser(
  queryable: Queryable,
  { userId, modelName, tokenName }: UserFilter,
  by: "model_name" | "token_name",
  { first, last }: SpanStretch,
): Promise<readonly SlotSums[]> {
  const rows = await readPending(queryable, [bucketOf(userId)]);
  return rows
    .filter(
      ([user, slot, token, model]) =>
        user === userId &&
        slot >= first &&
        slot < last &&
        (modelName === "" || model === modelName) &&
        (tokenName === "" || token === tokenName),
    )
    .map(([, slot, token, model, ...sums]) => ({ slot, key: by === "token_name" ? token : model, ...toSums(sums) }));
}

function toSums(values: readonly number[]): Sums {
  const sums: Record<SumName, number> & Pick<Sums, "firstBytes"> = { ...NO_SUMS };
  for (const [index, name] of SUM_NAMES.entries()) sums[name] = values[index] ?? 0;
  return sums;
}

/** Takes corrections up to an id from what is written of each user, and forgets them. */
export async function correctUsers(queryable: Queryable, upTo: number): Promise<void> {
  const lost = sql.join(
    SUM_NAMES.map((name) => sql`${sql.ref(name)} = ${sql.ref(`usage_of_users.${name}`)} - ${sql.ref(`lost.${name}`)}`),
    sql`, `,
  );
  await sql`
    update usage_of_users set ${lost} from (
      select user_id, ${SLOT_OF_ROW} as slot, token_name, model_name, ${SUMS_OF_ROWS} from ${CORRECTIONS}
      where id <= ${upTo} group by user_id, 2, token_name, model_name) as lost
    where usage_of_users.user_id = lost.user_id and usage_of_users.slot = lost.slot
      and usage_of_users.token_name = lost.token_name and usage_of_users.model_name = lost.model_name`.execute(
    queryable,
  );
  await queryable.deleteFrom("usage_corrections").where("id", "<=", upTo).execute();
}
