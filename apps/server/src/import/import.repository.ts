import { PRICE_KEYS } from "@one-api/contract/prices/ratios";
import { ROLE } from "@one-api/contract/accounts/roles";
import type { OpenDatabase } from "@one-api/database/open-database";
import type { Balances } from "@one-api/importer/money/compare-balances";
import { sql } from "kysely";
import type { Queryable } from "../core/transaction.ts";

export const IMPORT_ACTION = "user.import";

/** Returns the time of an import into this database, in Unix seconds; undefined without one. */
export async function findImportTime(queryable: Queryable): Promise<number | undefined> {
  const row = await queryable
    .selectFrom("audit")
    .select("created_at")
    .where("action", "=", IMPORT_ACTION)
    .limit(1)
    .executeTakeFirst();
  return row?.created_at;
}

/** Counts users without super administrators, tokens, channels and redemption codes. */
export async function countRows(queryable: Queryable): Promise<number> {
  const { total } = await queryable
    .selectNoFrom((select) =>
      sql<number>`${select.selectFrom("users").select(select.fn.countAll<number>().as("count")).where("role", "<>", ROLE.root)}
        + ${select.selectFrom("tokens").select(select.fn.countAll<number>().as("count"))}
        + ${select.selectFrom("channels").select(select.fn.countAll<number>().as("count"))}
        + ${select.selectFrom("redemptions").select(select.fn.countAll<number>().as("count"))}`.as("total"),
    )
    .executeTakeFirstOrThrow();
  return total;
}

/** Returns the super administrators with their balances. */
export function listRoots(queryable: Queryable) {
  return queryable
    .selectFrom("users")
    .innerJoin("user_balances", "user_balances.user_id", "users.id")
    .select(["users.id", "user_balances.remaining", "user_balances.used"])
    .where("users.role", "=", ROLE.root)
    .execute();
}

/** Removes a user's row, and all rows that reference it. */
export async function removeUser(transaction: Queryable, id: number): Promise<void> {
  await transaction.deleteFrom("users").where("id", "=", id).execute();
}

/** Sets the sequences behind the imported ids. SQLite needs no such step. */
export async function advanceSequences(transaction: Queryable, kind: OpenDatabase["kind"]): Promise<void> {
  if (kind === "sqlite") return;
  for (const table of ["users", "tokens", "channels", "redemptions"])
    await sql`select setval(pg_get_serial_sequence(${table}, 'id'), greatest(nextval(pg_get_serial_sequence(${table}, 'id')), max(id)))
      from ${sql.table(table)}`.execute(transaction);
}

export async function readBalances(queryable: Queryable): Promise<Balances> {
  const users = await queryable.selectFrom("user_balances").select(["user_id as id", "remaining", "used"]).execute();
  const tokens = await queryable.selectFrom("token_balances").select(["token_id as id", "remaining", "used"]).execute();
  return { users: new Map(users.map((row) => [row.id, row])), tokens: new Map(tokens.map((row) => [row.id, row])) };
}

export function listPriceOptions(queryable: Queryable) {
  return queryable.selectFrom("options").select(["key", "value"]).where("key", "in", PRICE_KEYS).execute();
}
