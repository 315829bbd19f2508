import type { Queryable } from "../../core/transaction.ts";
import type { Selectable } from "kysely";
import type { Tables } from "@one-api/database/tables";

export type PriceListRow = Selectable<Tables["price_lists"]>;

/** The list in use without its data; undefined for the built-in list. */
export function findListInUse(queryable: Queryable): Promise<Omit<PriceListRow, "data"> | undefined> {
  return queryable
    .selectFrom("price_lists")
    .select(["version", "in_use", "fetched_at", "program", "waiting"])
    .where("in_use", "=", 1)
    .executeTakeFirst();
}

/** The list that was fetched last, in use or not, without its data. */
export function findFetchedList(queryable: Queryable): Promise<Omit<PriceListRow, "data"> | undefined> {
  return queryable
    .selectFrom("price_lists")
    .select(["version", "in_use", "fetched_at", "program", "waiting"])
    .orderBy("fetched_at", "desc")
    .orderBy("in_use")
    .executeTakeFirst();
}

/** JSON; undefined if the list was deleted. */
export async function findListData(queryable: Queryable, version: string): Promise<string | undefined> {
  const row = await queryable
    .selectFrom("price_lists")
    .select("data")
    .where("version", "=", version)
    .executeTakeFirst();
  return row?.data;
}

export async function saveFoundList(queryable: Queryable, list: Omit<PriceListRow, "in_use">): Promise<void> {
  await queryable.deleteFrom("price_lists").where("in_use", "=", 0).execute();
  const { fetched_at, program, waiting } = list;
  await queryable
    .insertInto("price_lists")
    .values({ ...list, in_use: 0 })
    .onConflict((conflict) => conflict.column("version").doUpdateSet({ fetched_at, program, waiting }))
    .execute();
}

export async function saveListInUse(queryable: Queryable, list: Omit<PriceListRow, "in_use">): Promise<void> {
  await queryable.deleteFrom("price_lists").where("in_use", "=", 1).execute();
  await queryable
    .insertInto("price_lists")
    .values({ ...list, in_use: 1 })
    .onConflict((conflict) => conflict.column("version").doUpdateSet({ in_use: 1, waiting: list.waiting }))
    .execute();
}

/** Puts a list into use, or the built-in one for an empty version. False if there is no such list. */
export async function putInUse(queryable: Queryable, version: string): Promise<boolean> {
  if (version !== "" && (await findListData(queryable, version)) === undefined) return false;
  await queryable.deleteFrom("price_lists").where("in_use", "=", 1).where("version", "!=", version).execute();
  await queryable.updateTable("price_lists").set({ in_use: 1, waiting: "{}" }).where("version", "=", version).execute();
  return true;
}
