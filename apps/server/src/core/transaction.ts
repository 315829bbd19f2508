import type { OpenDatabase } from "@one-api/database/open-database";
import type { Tables } from "@one-api/database/tables";
import type { Kysely, Transaction } from "kysely";

/** Either the database or a transaction on it: what repository functions take first. */
export type Queryable = Kysely<Tables> | Transaction<Tables>;

/** Runs the work in one transaction: committed when it resolves, rolled back when it throws. */
export function inTransaction<Result>(
  database: OpenDatabase,
  work: (transaction: Transaction<Tables>) => Promise<Result>,
): Promise<Result> {
  return database.db.transaction().execute(work);
}
