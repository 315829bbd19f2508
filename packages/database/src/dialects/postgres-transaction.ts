import type { Pool, PoolClient, QueryConfig, QueryResult } from "pg";
import { CommitOutcomeUnknownError } from "../database-errors.ts";
import type { Durability, RunStatement, StatementOutcome } from "../open-database.ts";
import { isConnectionLoss, isReadOnly, reasonOf } from "./postgres-errors.ts";
import { postgresStatementName } from "./postgres-kysely-dialect.ts";
import { storableValue } from "./storable-value.ts";

type Send = (query: string | QueryConfig) => Promise<QueryResult<Record<string, unknown>>>;

const WRITES: ReadonlySet<string> = new Set(["INSERT", "UPDATE", "DELETE", "MERGE"]);

interface TransactionParts {
  readonly pool: Pool;
  readonly namedError: (error: unknown) => unknown;
}

/**
 * See `OpenDatabase.writeTransaction`. Maps errors of PostgreSQL by `namedError`, and leaves those of the work. A
 * connection lost during the commit is a `CommitOutcomeUnknownError`.
 */
export async function runPostgresTransaction<Result>(
  { pool, namedError }: TransactionParts,
  work: (run: RunStatement) => Promise<Result>,
  durability: Durability = "on-disk",
): Promise<Result> {
  const client = await connect(pool, namedError);
  let isLost = false;
  let isOpen = true;
  const send: Send = async (query) => {
    try {
      return await client.query(query);
    } catch (error) {
      isLost ||= isConnectionLoss(error) || isReadOnly(error);
      throw namedError(error);
    }
  };
  const run: RunStatement = (sql, parameters) => {
    if (!isOpen) throw new Error("This transaction has ended");
    return runStatement(send, sql, parameters);
  };
  try {
    await send(durability === "on-disk" ? "begin" : "begin; set local synchronous_commit = off");
    const result = await work(run);
    isOpen = false;
    await commit(send, () => isLost);
    return result;
  } catch (error) {
    isOpen = false;
    // If the rollback fails, the connection is closed and PostgreSQL rolls back.
    if (!isLost) await send("rollback").catch(() => (isLost = true));
    throw error;
  } finally {
    client.release(isLost);
  }
}

async function connect(pool: Pool, namedError: (error: unknown) => unknown): Promise<PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    throw namedError(error);
  }
}

/** Runs a statement, prepared if its text has a name. */
export async function runStatement(send: Send, sql: string, parameters: readonly unknown[]): Promise<StatementOutcome> {
  const name = postgresStatementName(sql);
  const values = parameters.map(storableValue);
  const { rows, rowCount, command } = await send(
    name === undefined ? { text: sql, values } : { name, text: sql, values },
  );
  return { rows, changes: WRITES.has(command) ? (rowCount ?? 0) : 0 };
}

async function commit(send: Send, isLost: () => boolean): Promise<void> {
  try {
    const { command } = await send("commit");
    if (command === "ROLLBACK")
      throw new Error("PostgreSQL rolled the transaction back: one of its statements had failed");
  } catch (error) {
    if (!isLost()) throw error;
    throw new CommitOutcomeUnknownError(`The commit was sent and not answered. ${reasonOf(error)}`, { cause: error });
  }
}
