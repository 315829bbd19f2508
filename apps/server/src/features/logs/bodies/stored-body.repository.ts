import type { OpenDatabase } from "@one-api/database/open-database";
import type { StoredBodiesTable } from "@one-api/database/log-tables";
import { inTransaction, type Queryable } from "../../../core/transaction.ts";

export type StoredBodies = Readonly<StoredBodiesTable>;

/** Stores bodies, except of tokens that were deleted or no longer store bodies. */
export async function insertStoredBodies(database: OpenDatabase, bodies: readonly StoredBodies[]): Promise<void> {
  await inTransaction(database, async (transaction) => {
    const asked = transaction
      .selectFrom("tokens")
      .select("id")
      .where("keep_bodies", "=", 1)
      .where("id", "in", [...new Set(bodies.map(({ token_id }) => token_id))]);
    // Locked, so that no token is deleted before the commit. SQLite has one writer at a time.
    const rows = await (database.kind === "postgres" ? asked.forKeyShare() : asked).execute();
    const tokens = new Set(rows.map(({ id }) => id));
    const wanted = bodies.filter(({ token_id }) => tokens.has(token_id));
    if (wanted.length > 0) await transaction.insertInto("stored_bodies").values(wanted).execute();
  });
}

export function findStoredBodies(queryable: Queryable, requestId: string) {
  return queryable
    .selectFrom("stored_bodies")
    .select(["request", "answer", "request_bytes", "answer_bytes", "request_is_truncated", "answer_is_truncated"])
    .where("request_id", "=", requestId)
    .executeTakeFirst();
}

export async function hasStoredBodies(queryable: Queryable, requestId: string): Promise<boolean> {
  if (requestId === "") return false;
  const row = await queryable
    .selectFrom("stored_bodies")
    .select("token_id")
    .where("request_id", "=", requestId)
    .executeTakeFirst();
  return row !== undefined;
}

const STEP = 50;

/** `time` in Unix seconds. */
export async function removeBodiesBefore(queryable: Queryable, time: number): Promise<void> {
  for (;;) {
    const rows = await queryable
      .selectFrom("stored_bodies")
      .select("request_id")
      .where("created_at", "<", time)
      .limit(STEP)
      .execute();
    if (rows.length === 0) return;
    const ids = rows.map(({ request_id }) => request_id);
    await queryable.deleteFrom("stored_bodies").where("request_id", "in", ids).execute();
  }
}

export async function trimBodies(queryable: Queryable, mostBytes: number): Promise<void> {
  const { total } = await queryable
    .selectFrom("stored_bodies")
    .select((select) => select.fn.coalesce(select.fn.sum<number>("size"), select.val(0)).as("total"))
    .executeTakeFirstOrThrow();
  let excess = total - mostBytes;
  while (excess > 0) {
    const rows = await queryable
      .selectFrom("stored_bodies")
      .select(["request_id", "size"])
      .orderBy("created_at")
      .limit(STEP)
      .execute();
    const ids: string[] = [];
    for (const { request_id, size } of rows) {
      if (excess <= 0) break;
      excess -= size;
      ids.push(request_id);
    }
    if (ids.length === 0) return;
    await queryable.deleteFrom("stored_bodies").where("request_id", "in", ids).execute();
  }
}
