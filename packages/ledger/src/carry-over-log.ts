import { LOG_TYPE } from "@one-api/contract/logs/log";
import { sql } from "kysely";
import type { Queryable } from "./quota.ts";
import type { LogRow } from "./ledger.ts";

export interface CarriedEntry {
  readonly row: LogRow;
  /** The user's charge there. */
  readonly charged: number;
}

/** SQLite permits 32,766 parameters in a statement, and a row has about 25. */
const ROWS_PER_STATEMENT = 1_000;

/**
 * Writes the log of another product in its order, in the caller's transaction. Does not change balances. Returns the charges by user, for
 * `carryOverBalances`.
 */
export async function carryOverLog(
  transaction: Queryable,
  pages: AsyncIterable<readonly CarriedEntry[]>,
): Promise<ReadonlyMap<number, number>> {
  const charged = new Map<number, number>();
  for await (const page of pages) {
    const isKnown = await findKnownCharges(transaction, page);
    const rows = page.map(({ row, charged: quota }) => {
      const request_id = isKnown(row) ? "" : row.request_id;
      return { ...row, request_id, quota, token_id: 0 };
    });
    for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT)
      await transaction
        .insertInto("logs")
        .values(rows.slice(start, start + ROWS_PER_STATEMENT))
        .execute();
    for (const { user_id, quota } of rows) charged.set(user_id, (charged.get(user_id) ?? 0) + quota);
  }
  return charged;
}

/** A request has one charge here, so a second charge loses its request id. Returns for each charge of the page whether its request has one. */
async function findKnownCharges(
  transaction: Queryable,
  page: readonly CarriedEntry[],
): Promise<(row: LogRow) => boolean> {
  const isNamed = ({ type, request_id }: LogRow) => type === LOG_TYPE.consumption && request_id !== "";
  const ids = page.flatMap(({ row }) => (isNamed(row) ? [row.request_id] : []));
  if (ids.length === 0) return () => false;
  const found = await transaction
    .selectFrom("logs")
    .select("request_id")
    .where("type", "=", sql.lit(LOG_TYPE.consumption))
    .where("request_id", "<>", sql.lit(""))
    .where("request_id", "in", ids)
    .execute();
  const known = new Set(found.map(({ request_id }) => request_id));
  return (row) => {
    if (!isNamed(row)) return false;
    if (known.has(row.request_id)) return true;
    known.add(row.request_id);
    return false;
  };
}
