import type { OpenDatabase } from "@one-api/database/open-database";
import { sql } from "kysely";
import type { Queryable } from "../../../core/transaction.ts";
import type { AuditSeal, SealedEntry } from "./seal-chain.ts";

const SEAL_COLUMNS = ["number", "kind", "last_id", "newest_at", "sealed_at", "entry_hashes", "hash"] as const;

const ENTRY_COLUMNS = [
  "id",
  "created_at",
  "actor_id",
  "actor_name",
  "actor_role",
  "via",
  "address",
  "request_id",
  "kind",
  "action",
  "object",
  "detail",
] as const;

/** Key of PostgreSQL's advisory lock, unique in this database. It spells "seal". */
const ADVISORY_LOCK = 0x7365616c;
/** Less than every id, also than ids inserted by hand. */
export const BEFORE_ALL = Number.MIN_SAFE_INTEGER;
const CHECK_ID = 1;

/**
 * Takes the lock of sealing until the transaction ends. Returns false while another server has it. SQLite has
 * one writer anyway.
 */
export async function lockSealing(kind: OpenDatabase["kind"], transaction: Queryable): Promise<boolean> {
  if (kind === "sqlite") return true;
  const lock = sql<{ mine: boolean }>`select pg_try_advisory_xact_lock(${ADVISORY_LOCK}) as mine`;
  return (await lock.execute(transaction)).rows[0]?.mine === true;
}

export function findNewestSeal(queryable: Queryable, kind?: AuditSeal["kind"]): Promise<AuditSeal | undefined> {
  return queryable
    .selectFrom("audit_seals")
    .select(SEAL_COLUMNS)
    .$if(kind !== undefined, (query) => query.where("kind", "=", kind ?? "entries"))
    .orderBy("number", "desc")
    .limit(1)
    .executeTakeFirst();
}

export function listSealsAfter(queryable: Queryable, number: number, most: number): Promise<AuditSeal[]> {
  return queryable
    .selectFrom("audit_seals")
    .select(SEAL_COLUMNS)
    .where("number", ">", number)
    .orderBy("number")
    .limit(most)
    .execute();
}

export async function insertSeal(queryable: Queryable, seal: AuditSeal): Promise<void> {
  await queryable.insertInto("audit_seals").values(seal).execute();
}

export function listEntries(
  queryable: Queryable,
  { after, last }: { readonly after: number; readonly last: number },
  most?: number,
): Promise<SealedEntry[]> {
  const entries = queryable
    .selectFrom("audit")
    .select(ENTRY_COLUMNS)
    .where("id", ">", after)
    .where("id", "<=", last)
    .orderBy("id");
  return (most === undefined ? entries : entries.limit(most)).execute();
}

export async function countUnsealed(queryable: Queryable): Promise<number> {
  const lastSealed = (await findNewestSeal(queryable, "entries"))?.last_id ?? BEFORE_ALL;
  const { unsealed } = await queryable
    .selectFrom("audit")
    .select((select) => select.fn.countAll<number>().as("unsealed"))
    .where("id", ">", lastSealed)
    .executeTakeFirstOrThrow();
  return unsealed;
}

/**
 * The last seal of a removal: of the oldest seals, at most `most`, the last one whose entries are all older
 * than `before` (Unix seconds).
 */
export async function findRemovableSeal(
  queryable: Queryable,
  before: number,
  most: number,
): Promise<AuditSeal | undefined> {
  const removed = (await findNewestSeal(queryable, "removal"))?.last_id ?? BEFORE_ALL;
  const oldest = await queryable
    .selectFrom("audit_seals")
    .select(SEAL_COLUMNS)
    .where("kind", "=", "entries")
    .where("last_id", ">", removed)
    .orderBy("number")
    .limit(most)
    .execute();
  const young = oldest.findIndex((seal) => seal.newest_at >= before);
  return young === -1 ? oldest.at(-1) : oldest[young - 1];
}

export async function deleteEntriesUpTo(queryable: Queryable, lastId: number): Promise<number> {
  const result = await queryable.deleteFrom("audit").where("id", "<=", lastId).executeTakeFirst();
  return Number(result.numDeletedRows);
}

export function findCheck(queryable: Queryable): Promise<{ checked_at: number; problems: string } | undefined> {
  return queryable
    .selectFrom("audit_checks")
    .select(["checked_at", "problems"])
    .where("id", "=", CHECK_ID)
    .executeTakeFirst();
}

/**
 * Replaces the stored result of the check that ran at `checkedBefore`. Returns false if another server has
 * replaced it already.
 */
export async function saveCheck(
  queryable: Queryable,
  check: { readonly checked_at: number; readonly problems: string },
  checkedBefore: number | undefined,
): Promise<boolean> {
  const insert = queryable
    .insertInto("audit_checks")
    .values({ id: CHECK_ID, ...check })
    .returning("id");
  const saved =
    checkedBefore === undefined
      ? insert.onConflict((conflict) => conflict.column("id").doNothing())
      : insert.onConflict((conflict) =>
          conflict.column("id").doUpdateSet(check).where("audit_checks.checked_at", "=", checkedBefore),
        );
  return (await saved.executeTakeFirst()) !== undefined;
}
