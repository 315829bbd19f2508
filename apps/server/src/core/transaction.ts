import type { OpenDatabase } from "@one-api/database/open-database";
import type { Tables } from "@one-api/database/tables";
import type { Kysely, Transaction } from "kysely";

export type Queryable = Kysely<Tables> | Transaction<Tables>;

export function inTransaction<Result>(
  database: OpenDatabase,
  work: (transaction: Transaction<Tables>) => Promise<Result>,
): Promise<Result> {
  return database.db.transaction().execute(work);
}
