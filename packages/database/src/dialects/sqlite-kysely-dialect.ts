import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteDialect,
  SqliteDriver,
} from "kysely";
import type { SqliteConnection } from "./sqlite-connection.ts";

/** Kysely on the shared connection: every query and every transaction of Kysely takes its turn. */
export class SharedSqliteDialect extends SqliteDialect {
  readonly #connection: SqliteConnection;

  constructor(connection: SqliteConnection) {
    super({ database: kyselyDatabase(connection) });
    this.#connection = connection;
  }

  override createDriver(): Driver {
    return new SharedSqliteDriver(this.#connection);
  }

  override createAdapter(): SqliteAdapter {
    return new TakingTurnsAdapter();
  }
}

/** The connection's own queue keeps order, so Kysely need not queue a second time. */
class TakingTurnsAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

class SharedSqliteDriver extends SqliteDriver {
  readonly #connection: SqliteConnection;

  constructor(connection: SqliteConnection) {
    super({ database: kyselyDatabase(connection) });
    this.#connection = connection;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    await this.#connection.turns.take();
    return new WritingInTurn(await super.acquireConnection(), this.#connection);
  }

  override async releaseConnection(): Promise<void> {
    this.#connection.turns.release();
  }

  override async beginTransaction(): Promise<void> {
    await this.#connection.begin();
  }

  override async commitTransaction(): Promise<void> {
    this.#connection.commit();
  }

  override async rollbackTransaction(): Promise<void> {
    this.#connection.rollback();
  }
}

/** Lets a statement that writes on its own wait for other connections' writes, instead of blocking the process while SQLite waits. */
class WritingInTurn implements DatabaseConnection {
  readonly #inner: DatabaseConnection;
  readonly #connection: SqliteConnection;

  constructor(inner: DatabaseConnection, connection: SqliteConnection) {
    this.#inner = inner;
    this.#connection = connection;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (query.query.kind === "SelectQueryNode" || this.#connection.isWriting) return this.#inner.executeQuery(query);
    await this.#connection.writes.take();
    try {
      return await this.#inner.executeQuery(query);
    } finally {
      this.#connection.writes.release();
    }
  }

  streamQuery<Row>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<Row>> {
    return this.#inner.streamQuery(query, chunkSize);
  }
}

/** The file is closed by `OpenDatabase.close`, which owns it, and not by Kysely. */
function kyselyDatabase(connection: SqliteConnection) {
  return { prepare: (sql: string) => connection.statements.prepare(sql), close: () => undefined };
}
