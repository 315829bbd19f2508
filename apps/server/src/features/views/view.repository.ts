import type { SavedViewsTable } from "@one-api/database/log-tables";
import type { Insertable, Selectable } from "kysely";
import type { Queryable } from "../../core/transaction.ts";

/** A view as it is stored: its search fields as JSON. */
export type ViewRow = Pick<Selectable<SavedViewsTable>, "id" | "name" | "search">;

/** The user's views of a list, by name. */
export function listViewRows(queryable: Queryable, userId: number, page: string): Promise<ViewRow[]> {
  return queryable
    .selectFrom("saved_views")
    .select(["id", "name", "search"])
    .where("user_id", "=", userId)
    .where("page", "=", page)
    .orderBy("name")
    .execute();
}

/** Stores the view in place of the one with its name, if any. */
export function putViewRow(queryable: Queryable, view: Insertable<SavedViewsTable>): Promise<ViewRow> {
  return queryable
    .insertInto("saved_views")
    .values(view)
    .onConflict((conflict) => conflict.columns(["user_id", "page", "name"]).doUpdateSet({ search: view.search }))
    .returning(["id", "name", "search"])
    .executeTakeFirstOrThrow();
}

/** Deletes the user's view; false when there is none, or it is somebody else's. */
export async function deleteViewRow(queryable: Queryable, userId: number, id: number): Promise<boolean> {
  const row = await queryable
    .deleteFrom("saved_views")
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .returning("id")
    .executeTakeFirst();
  return row !== undefined;
}
