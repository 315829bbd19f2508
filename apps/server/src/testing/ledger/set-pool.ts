import type { OpenDatabase } from "@one-api/database/open-database";
import type { Tables } from "@one-api/database/tables";
import { ACCOUNT_KIND } from "@one-api/ledger/accounts";
import type { Updateable } from "kysely";

type PoolColumns = Pick<Updateable<Tables["shares"]>, "remaining" | "used" | "requests" | "last_used_at">;

/** Sets columns of an account without shares. Balances and ledger differ afterwards. */
export async function setPool(
  { db }: OpenDatabase,
  kind: "user" | "token",
  id: number,
  columns: PoolColumns,
): Promise<void> {
  await db
    .updateTable("shares")
    .set(columns)
    .where("kind", "=", ACCOUNT_KIND[kind])
    .where("account", "=", id)
    .where("owner", "=", 0)
    .execute();
}
