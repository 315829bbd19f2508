import type { SavedViewsTable } from "@one-api/database/log-tables";
import type { Insertable, Selectable } from "kysely";
import type { Queryable } from "../../core/transaction.ts";

export type ViewRow = Pick<Selectable<SavedViewsTable>, "id" | "user_id" | "name" | "search" | "is_shared">;

export type PagedViewRow = ViewRow & Pick<Selectable<SavedViewsTable>, "page">;

const COLUMNS = ["id", "user_id", "name", "search", "is_shared"] as const;

export function listOwnViewRows(queryable: Queryable, userId: number, page: string): Promise<ViewRow[]> {
  return queryable
    .selectFrom("saved_views")
    .select(COLUMNS)
    .where("user_id", "=", userId)
    .where("page", "=", page)
    .orderBy("name")
    .execute();
}

/** Views of a list that other users share, by name. */
export function listSharedViewRows(queryable: Queryable, userId: number, page: string): Promise<ViewRow[]> {
  return queryable
    .selectFrom("saved_views")
    .select(COLUMNS)
    .where("user_id", "!=", userId)
    .where("is_shared", "=", 1)
    .where("page", "=", page)
    .orderBy("name")
    .execute();
}

export function findViewRow(queryable: Queryable, id: number): Promise<PagedViewRow | undefined> {
  return queryable
    .selectFrom("saved_views")
    .select([...COLUMNS, "page"])
    .where("id", "=", id)
    .executeTakeFirst();
}

/** Shares the view, or makes it private and removes it as other users' default. */
export async function shareViewRow(queryable: Queryable, { id, user_id }: ViewRow, isShared: boolean): Promise<void> {
  const is_shared = isShared ? 1 : 0;
  await queryable.updateTable("saved_views").set({ is_shared }).where("id", "=", id).execute();
  if (isShared) return;
  await queryable.deleteFrom("default_views").where("view_id", "=", id).where("user_id", "!=", user_id).execute();
}

export async function findDefaultView(queryable: Queryable, userId: number, page: string): Promise<number | undefined> {
  const query = queryable.selectFrom("default_views").select("view_id").where("user_id", "=", userId);
  return (await query.where("page", "=", page).executeTakeFirst())?.view_id;
}

export async function putDefaultView(
  queryable: Queryable,
  userId: number,
  page: string,
  id: number | undefined,
): Promise<void> {
  await queryable.deleteFrom("default_views").where("user_id", "=", userId).where("page", "=", page).execute();
  if (id === undefined) return;
  await queryable.insertInto("default_views").values({ user_id: userId, page, view_id: id }).execute();
}

export function putViewRow(queryable: Queryable, view: Insertable<SavedViewsTable>): Promise<PagedViewRow> {
  return queryable
    .insertInto("saved_views")
    .values(view)
    .onConflict((conflict) => conflict.columns(["user_id", "page", "name"]).doUpdateSet({ search: view.search }))
    .returning([...COLUMNS, "page"])
    .executeTakeFirstOrThrow();
}

/** Returns the deleted view; undefined if the user has no such view. */
export function deleteViewRow(queryable: Queryable, userId: number, id: number): Promise<PagedViewRow | undefined> {
  return queryable
    .deleteFrom("saved_views")
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .returning([...COLUMNS, "page"])
    .executeTakeFirst();
}
