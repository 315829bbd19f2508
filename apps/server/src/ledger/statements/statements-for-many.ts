import type { RunStatement, StatementParameter } from "@one-api/database/open-database";
import { arrayOf, numberArray, textArray } from "@one-api/database/postgres-arrays";
import type { PreparedInsert, StatementForMany } from "./prepared-statement.ts";

/** What is booked for one account: the settlements of a group, added up. */
interface Booking {
  readonly id: number;
  /** What remains changes by this much. */
  readonly net: number;
  readonly charged: number;
}

interface UserBooking extends Booking {
  readonly requests: number;
}

interface TokenBooking extends Booking {
  /** Unix seconds. */
  readonly at: number;
}

/** What is set aside from one account. */
interface Taking {
  readonly id: number;
  readonly amount: number;
}

/** Ids of the accounts that were changed. */
type Changed = Promise<ReadonlySet<number>>;

/**
 * Statements for many accounts at once, where every statement is a question over a network (PostgreSQL). Each changes just those whose balances
 * cover it, as the statements for one account do, and tells which they were. No id may come twice.
 */
export interface StatementsForMany {
  /** Locks the rows in the order of their ids, so that several processes cannot block each other for good. */
  lock(run: RunStatement, userIds: readonly number[], tokenIds: readonly number[]): Promise<void>;
  bookUsers(run: RunStatement, bookings: readonly UserBooking[]): Changed;
  bookTokens(run: RunStatement, bookings: readonly TokenBooking[]): Changed;
  takeFromUsers(run: RunStatement, takings: readonly Taking[]): Changed;
  takeFromTokens(run: RunStatement, takings: readonly Taking[]): Changed;
  /** The versions of callers, by user; those that never changed have none. */
  readVersions(run: RunStatement, userIds: readonly number[]): Promise<ReadonlyMap<number, number>>;
}

const BOOK_USERS = `
  update user_balances as balance
  set
    remaining = balance.remaining + booking.net,
    used = balance.used + booking.charged,
    requests = balance.requests + booking.requests
  from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[]) as booking (id, net, charged, requests)
  where balance.user_id = booking.id and (booking.net >= 0 or balance.remaining - balance.leased >= -booking.net)
  returning balance.user_id as id`;

const BOOK_TOKENS = `
  update token_balances as balance
  set remaining = balance.remaining + booking.net, used = balance.used + booking.charged, last_used_at = booking.at
  from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[]) as booking (id, net, charged, at)
  where balance.token_id = booking.id and (booking.net >= 0 or balance.remaining - balance.leased >= -booking.net)
  returning balance.token_id as id`;

const takeFrom = (table: string, key: string) => `
  update ${table} as balance
  set remaining = balance.remaining - taking.amount
  from unnest($1::bigint[], $2::bigint[]) as taking (id, amount)
  where balance.${key} = taking.id and balance.remaining - balance.leased >= taking.amount
  returning balance.${key} as id`;

const TAKE_FROM_USERS = takeFrom("user_balances", "user_id");
const TAKE_FROM_TOKENS = takeFrom("token_balances", "token_id");

const lockIn = (table: string, key: string) =>
  `select ${key} from ${table} where ${key} = any($1::bigint[]) order by ${key} for update`;

const LOCK_USERS = lockIn("user_balances", "user_id");
const LOCK_TOKENS = lockIn("token_balances", "token_id");

const READ_VERSIONS = "select user_id, version from caller_versions where user_id = any($1::bigint[])";

export const statementsForMany: StatementsForMany = {
  async lock(run, userIds, tokenIds) {
    await Promise.all([run(LOCK_USERS, [numberArray(userIds)]), run(LOCK_TOKENS, [numberArray(tokenIds)])]);
  },
  bookUsers: (run, bookings) =>
    change(run, BOOK_USERS, bookings, [
      ({ id }) => id,
      ({ net }) => net,
      ({ charged }) => charged,
      ({ requests }) => requests,
    ]),
  bookTokens: (run, bookings) =>
    change(run, BOOK_TOKENS, bookings, [({ id }) => id, ({ net }) => net, ({ charged }) => charged, ({ at }) => at]),
  takeFromUsers: (run, takings) => change(run, TAKE_FROM_USERS, takings, [({ id }) => id, ({ amount }) => amount]),
  takeFromTokens: (run, takings) => change(run, TAKE_FROM_TOKENS, takings, [({ id }) => id, ({ amount }) => amount]),
  async readVersions(run, userIds) {
    if (userIds.length === 0) return new Map();
    const { rows } = await run(READ_VERSIONS, [numberArray(userIds)]);
    return new Map(rows.map((row) => [Number(row["user_id"]), Number(row["version"])]));
  },
};

/** Changes accounts of a list with one statement, which returns the ids of those that it changed. */
async function change<Row extends { readonly id: number }>(
  run: RunStatement,
  sql: string,
  rows: readonly Row[],
  columns: readonly ((row: Row) => number)[],
): Changed {
  if (rows.length === 0) return new Set();
  const { rows: changed } = await run(
    sql,
    columns.map((read) => numberArray(rows.map(read))),
  );
  return new Set(changed.map((row) => Number(row["id"])));
}

/** A statement on a list of ids that is one text, however long the list is. `sql` has the list as `$1::text[]`. */
export function prepareForList(sql: string): StatementForMany {
  return async (run, ids) => (ids.length === 0 ? [] : (await run(sql, [textArray(ids)])).rows);
}

/** An insert of many rows that is one text, however many they are. `template` shows the types. */
export function prepareListInsert<Row extends Readonly<Record<keyof Row, StatementParameter>>>(
  table: string,
  columns: readonly (keyof Row & string)[],
  template: Row,
): PreparedInsert<Row> {
  const names = columns.map((column) => `"${column}"`).join(", ");
  const lists = columns.map(
    (column, index) => `$${index + 1}::${typeof template[column] === "number" ? "bigint" : "text"}[]`,
  );
  const sql = `insert into ${table} (${names}) select ${names} from unnest(${lists.join(", ")}) as row (${names})`;
  return async (run, rows) => {
    if (rows.length === 0) return;
    await run(
      sql,
      columns.map((column) =>
        arrayOf(
          rows.map((row) => row[column]),
          typeof template[column] === "number",
        ),
      ),
    );
  };
}
