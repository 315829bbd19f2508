import type { BatchesTable } from "@one-api/database/batch-tables";
import type { Insertable, Selectable } from "kysely";
import type { Queryable } from "../../core/transaction.ts";

/** A batch without its line bounds, which may take megabytes. */
export type BatchRow = Omit<Selectable<BatchesTable>, "line_bounds">;
type NewBatch = Omit<Insertable<BatchesTable>, "id">;

const COLUMNS = [
  "id",
  "request_id",
  "batch_id",
  "state",
  "user_id",
  "username",
  "token_id",
  "token_name",
  "token_unlimited",
  "channel_id",
  "model",
  "endpoint",
  "source_file_id",
  "input_file_id",
  "reserved",
  "terms",
  "line_count",
  "model_tokens",
  "data",
  "created_at",
  "checked_at",
] as const;

export async function insertBatch(queryable: Queryable, batch: NewBatch): Promise<number> {
  const row = await queryable.insertInto("batches").values(batch).returning("id").executeTakeFirstOrThrow();
  return row.id;
}

export function findBatch(queryable: Queryable, id: number): Promise<BatchRow | undefined> {
  return queryable.selectFrom("batches").select(COLUMNS).where("id", "=", id).executeTakeFirst();
}

export function findBatchOf(queryable: Queryable, userId: number, batchId: string): Promise<BatchRow | undefined> {
  return queryable
    .selectFrom("batches")
    .select(COLUMNS)
    .where("batch_id", "=", batchId)
    .where("user_id", "=", userId)
    .executeTakeFirst();
}

/** One row more than `limit` of a user's batches, newest first, after the one with the provider's id `after`. */
export function listBatchesOf(
  queryable: Queryable,
  userId: number,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<BatchRow[]> {
  let query = queryable.selectFrom("batches").select(COLUMNS).where("user_id", "=", userId).where("batch_id", "<>", "");
  if (after !== "") {
    const last = queryable
      .selectFrom("batches")
      .select("id")
      .where("batch_id", "=", after)
      .where("user_id", "=", userId);
    query = query.where("id", "<", last);
  }
  return query
    .orderBy("id", "desc")
    .limit(limit + 1)
    .execute();
}

export async function countOpenBatches(queryable: Queryable, userId: number): Promise<number> {
  const { count } = await queryable
    .selectFrom("batches")
    .select(({ fn }) => fn.countAll<number | string>().as("count"))
    .where("user_id", "=", userId)
    .where("state", "in", ["creating", "open"])
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Lines and model tokens of a token's batches since the time, without lost ones. */
export async function sumBatchesOf(
  queryable: Queryable,
  tokenId: number,
  since: number,
): Promise<{ readonly lines: number; readonly modelTokens: number }> {
  const { lines, tokens } = await queryable
    .selectFrom("batches")
    .select(({ fn }) => [
      fn.sum<number | string | null>("line_count").as("lines"),
      fn.sum<number | string | null>("model_tokens").as("tokens"),
    ])
    .where("token_id", "=", tokenId)
    .where("created_at", ">", since)
    .where("state", "<>", "lost")
    .executeTakeFirstOrThrow();
  return { lines: Number(lines), modelTokens: Number(tokens) };
}

/** Upper bounds of the batch's lines, as stored. Empty once the batch is charged or abandoned. */
export async function findLineBounds(queryable: Queryable, id: number): Promise<string> {
  const row = await queryable.selectFrom("batches").select("line_bounds").where("id", "=", id).executeTakeFirst();
  return row?.line_bounds ?? "";
}

export async function forgetLineBounds(queryable: Queryable, id: number): Promise<void> {
  await queryable.updateTable("batches").set({ line_bounds: "" }).where("id", "=", id).execute();
}

/**
 * Batches that are not finished, or lost and not cleaned up, and were last checked before the time. Longest
 * ago first.
 */
export function findDueBatches(queryable: Queryable, before: number, limit: number): Promise<BatchRow[]> {
  return queryable
    .selectFrom("batches")
    .select(COLUMNS)
    .where((where) =>
      where.or([
        where("state", "in", ["creating", "open"]),
        where.and([where("state", "=", "lost"), where("line_bounds", "<>", "")]),
      ]),
    )
    .where("checked_at", "<", before)
    .orderBy("checked_at")
    .limit(limit)
    .execute();
}

/** Claims the next check of the batch. Returns false if another server has checked it since. */
export async function claimBatch(
  queryable: Queryable,
  { id, checked_at: seen }: Pick<BatchRow, "id" | "checked_at">,
  now: number,
): Promise<boolean> {
  const { numUpdatedRows } = await queryable
    .updateTable("batches")
    .set({ checked_at: now })
    .where("id", "=", id)
    .where("checked_at", "=", seen)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Changes an open batch. Returns false if it is finished. */
export async function changeBatch(
  queryable: Queryable,
  id: number,
  changes: Partial<
    Pick<BatchesTable, "batch_id" | "state" | "input_file_id" | "line_bounds" | "model_tokens" | "data">
  >,
): Promise<boolean> {
  const { numUpdatedRows } = await queryable
    .updateTable("batches")
    .set(changes)
    .where("id", "=", id)
    .where("state", "in", ["creating", "open"])
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

export async function deleteBatch(queryable: Queryable, id: number): Promise<void> {
  await queryable.deleteFrom("batches").where("id", "=", id).execute();
}

export async function deleteOldBatches(queryable: Queryable, before: number): Promise<void> {
  await queryable
    .deleteFrom("batches")
    .where("state", "in", ["closed", "lost"])
    .where("created_at", "<", before)
    .execute();
}
