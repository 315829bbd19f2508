import { ROLE } from "@one-api/contract/accounts/roles";
import type { OpenDatabase } from "@one-api/database/open-database";
import { setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import type { Queryable } from "../core/transaction.ts";

/** What the audit trail calls an import. */
export const IMPORT_ACTION = "user.import";

/** When something was imported into this database, in Unix seconds; undefined for never. */
export async function findImportTime(queryable: Queryable): Promise<number | undefined> {
  const row = await queryable
    .selectFrom("audit")
    .select("created_at")
    .where("action", "=", IMPORT_ACTION)
    .limit(1)
    .executeTakeFirst();
  return row?.created_at;
}

/** How many users but super administrators, tokens, channels and redemption codes there are. */
export async function countWhatIsThere(queryable: Queryable): Promise<number> {
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

/** A server that runs beats at least once in so many ms. */
const BEATS_MS = 6_000;

/** Super administrators, with what they have left. */
export function listRoots(queryable: Queryable) {
  return queryable
    .selectFrom("users")
    .innerJoin("user_balances", "user_balances.user_id", "users.id")
    .select(["users.id", "user_balances.remaining", "user_balances.used"])
    .where("users.role", "=", ROLE.root)
    .execute();
}

/** Removes a user's row, and what hangs on it. */
export async function removeUser(transaction: Queryable, id: number): Promise<void> {
  await transaction.deleteFrom("users").where("id", "=", id).execute();
}

/** Whether a server runs on a database that several may share. */
export async function hasRunningServer({ kind, db }: OpenDatabase): Promise<boolean> {
  if (kind === "sqlite") return false;
  const readBeats = () => db.selectFrom("owners").select(["id", "heartbeat"]).where("state", "=", "live").execute();
  const before = new Map((await readBeats()).map(({ id, heartbeat }) => [id, heartbeat]));
  if (before.size === 0) return false;
  // A server that was killed stands there for half a minute: only what goes on lives.
  await wait(BEATS_MS);
  return (await readBeats()).some(({ id, heartbeat }) => before.get(id) !== heartbeat);
}

/** Has the next rows numbered after those that came with numbers of their own; SQLite does so by itself. */
export async function countOnFromHighestIds(transaction: Queryable, kind: OpenDatabase["kind"]): Promise<void> {
  if (kind === "sqlite") return;
  for (const table of ["users", "tokens", "channels", "redemptions"])
    await sql`select setval(pg_get_serial_sequence(${table}, 'id'), greatest(nextval(pg_get_serial_sequence(${table}, 'id')), max(id)))
      from ${sql.table(table)}`.execute(transaction);
}
