import type { StoredObjectsTable } from "@one-api/database/channel-tables";
import type { Insertable } from "kysely";
import type { Queryable } from "../../core/transaction.ts";

export type NewStoredObject = Insertable<StoredObjectsTable>;

export type StoredObjectOwner = Pick<StoredObjectsTable, "object_id" | "kind" | "user_id" | "channel_id">;

/** Known objects stay unchanged. */
export async function insertStoredObjects(queryable: Queryable, objects: readonly NewStoredObject[]): Promise<void> {
  if (objects.length === 0) return;
  await queryable
    .insertInto("stored_objects")
    .values([...objects])
    .onConflict((conflict) => conflict.columns(["object_id", "channel_id"]).doNothing())
    .execute();
}

export async function findStoredObjects(
  queryable: Queryable,
  objectIds: readonly string[],
  now: number,
): Promise<StoredObjectOwner[]> {
  return queryable
    .selectFrom("stored_objects")
    .select(["object_id", "kind", "user_id", "channel_id"])
    .where("object_id", "in", [...objectIds])
    .where((where) => where.or([where("expires_at", "=", 0), where("expires_at", ">", now)]))
    .execute();
}

/** One row more than `limit` of a user's files, newest first, after `after`. */
export async function listStoredFiles(
  queryable: Queryable,
  userId: number,
  { after, limit, now }: { readonly after: string; readonly limit: number; readonly now: number },
): Promise<{ object_id: string; data: string }[]> {
  let query = queryable
    .selectFrom("stored_objects")
    .select(["object_id", "data"])
    .where("user_id", "=", userId)
    .where("kind", "=", "file")
    .where((where) => where.or([where("expires_at", "=", 0), where("expires_at", ">", now)]));
  if (after !== "") {
    const last = queryable
      .selectFrom("stored_objects")
      .select("id")
      .where("object_id", "=", after)
      .where("user_id", "=", userId);
    query = query.where("id", "<", last);
  }
  return query
    .orderBy("id", "desc")
    .limit(limit + 1)
    .execute();
}

export async function countStoredFiles(
  queryable: Queryable,
  userId: number,
  now: number,
): Promise<{ count: number; bytes: number }> {
  const found = await queryable
    .selectFrom("stored_objects")
    .select(({ fn }) => [
      fn.countAll<number | string>().as("count"),
      fn.sum<number | string | null>("size").as("bytes"),
    ])
    .where("user_id", "=", userId)
    .where("kind", "=", "file")
    .where((where) => where.or([where("expires_at", "=", 0), where("expires_at", ">", now)]))
    .executeTakeFirstOrThrow();
  return { count: Number(found.count), bytes: Number(found.bytes ?? 0) };
}

export async function deleteStoredObject(queryable: Queryable, objectId: string, channelId: number): Promise<void> {
  await queryable
    .deleteFrom("stored_objects")
    .where("object_id", "=", objectId)
    .where("channel_id", "=", channelId)
    .execute();
}

export async function deleteExpiredStoredObjects(queryable: Queryable, now: number): Promise<void> {
  await queryable.deleteFrom("stored_objects").where("expires_at", ">", 0).where("expires_at", "<=", now).execute();
}
