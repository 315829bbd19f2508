import type { OpenDatabase } from "@one-api/database/open-database";
import type { Tables } from "@one-api/database/tables";
import type { Kysely, Transaction } from "kysely";

export type Queryable = Kysely<Tables> | Transaction<Tables>;

/** Runs the work in a transaction. A database inside a transaction joins that one: see `joinTransaction`. */
export function inTransaction<Result>(
  { db }: Pick<OpenDatabase, "db">,
  work: (transaction: Transaction<Tables>) => Promise<Result>,
): Promise<Result> {
  return isTransaction(db) ? work(db) : db.transaction().execute(work);
}

function isTransaction(db: Queryable): db is Transaction<Tables> {
  return db.isTransaction;
}

/** The database inside the transaction, so that several verbs are one change. */
export function joinTransaction(database: OpenDatabase, transaction: Transaction<Tables>): OpenDatabase {
  return { ...database, db: transaction };
}
