import type { StoredObjectsTable } from "@one-api/database/channel-tables";
import type { Insertable } from "kysely";
import type { Queryable } from "../../core/transaction.ts";

export type NewKeptObject = Insertable<StoredObjectsTable>;

/** Whose it is, and where. */
export type KeptPlace = Pick<StoredObjectsTable, "object_id" | "kind" | "user_id" | "channel_id">;

/** Adds what providers keep; what is known already stays as it is. */
export async function insertKeptObjects(queryable: Queryable, objects: readonly NewKeptObject[]): Promise<void> {
  if (objects.length === 0) return;
  await queryable
    .insertInto("stored_objects")
    .values([...objects])
    .onConflict((conflict) => conflict.columns(["object_id", "channel_id"]).doNothing())
    .execute();
}

/** Everything of those ids that has not expired, whoever has it. */
export async function findKeptObjects(
  queryable: Queryable,
  objectIds: readonly string[],
  now: number,
): Promise<KeptPlace[]> {
  return queryable
    .selectFrom("stored_objects")
    .select(["object_id", "kind", "user_id", "channel_id"])
    .where("object_id", "in", [...objectIds])
    .where((where) => where.or([where("expires_at", "=", 0), where("expires_at", ">", now)]))
    .execute();
}

/** One more than `limit` of a user's files, the newest first, from behind `after` on. */
export async function listKeptFiles(
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

/** How many files a user has, and their bytes in all. */
export async function countKeptFiles(
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

/** Forgets one that its owner has deleted. */
export async function deleteKeptObject(queryable: Queryable, objectId: string, channelId: number): Promise<void> {
  await queryable
    .deleteFrom("stored_objects")
    .where("object_id", "=", objectId)
    .where("channel_id", "=", channelId)
    .execute();
}

/** Forgets what has expired. */
export async function deleteExpiredKeptObjects(queryable: Queryable, now: number): Promise<void> {
  await queryable.deleteFrom("stored_objects").where("expires_at", ">", 0).where("expires_at", "<=", now).execute();
}
