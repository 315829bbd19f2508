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

/** Kysely on the shared connection. Every query and transaction takes the connection lock. */
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
    return new SharedConnectionAdapter();
  }
}

/** The connection's queue orders statements, so Kysely need not. */
class SharedConnectionAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

class SharedSqliteDriver extends SqliteDriver {
  readonly #connection: SqliteConnection;
  readonly #locks = new WeakMap<DatabaseConnection, ConnectionLock>();

  constructor(connection: SqliteConnection) {
    super({ database: kyselyDatabase(connection) });
    this.#connection = connection;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    const inner = await super.acquireConnection();
    const lock = await lockConnection(this.#connection);
    const connection = new LockedConnection(inner, this.#connection, lock);
    this.#locks.set(connection, lock);
    return connection;
  }

  override async releaseConnection(connection?: DatabaseConnection): Promise<void> {
    if (connection !== undefined) this.#locks.get(connection)?.release();
  }

  override async beginTransaction(): Promise<void> {
    await this.#connection.begin();
  }

  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    this.#connection.commit();
    this.#locks.get(connection)?.release();
    await this.#connection.whenOnDisk();
  }

  /** Kysely also calls it after a commit that did not reach the disk, when another statement may own the connection. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#locks.get(connection)?.isReleased() === false) this.#connection.rollback();
  }
}

/** Lock of the connection. A commit releases it before Kysely does: the next statement does not wait for the disk. */
interface ConnectionLock {
  readonly isReleased: () => boolean;
  /** Idempotent. */
  readonly release: () => void;
}

async function lockConnection({ connectionLock }: SqliteConnection): Promise<ConnectionLock> {
  await connectionLock.lock();
  let isReleased = false;
  return {
    isReleased: () => isReleased,
    release() {
      if (isReleased) return;
      isReleased = true;
      connectionLock.release();
    },
  };
}

/** A single writing statement waits for other writes here, because SQLite's own wait blocks the process. */
class LockedConnection implements DatabaseConnection {
  readonly #inner: DatabaseConnection;
  readonly #connection: SqliteConnection;
  readonly #lock: ConnectionLock;

  constructor(inner: DatabaseConnection, connection: SqliteConnection, lock: ConnectionLock) {
    this.#inner = inner;
    this.#connection = connection;
    this.#lock = lock;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.#lock.isReleased()) throw new Error("This connection runs one statement or one transaction");
    if (query.query.kind === "SelectQueryNode" || this.#connection.isWriting) return this.#inner.executeQuery(query);
    const result = await this.#writeAlone<Row>(query);
    this.#lock.release();
    await this.#connection.whenOnDisk();
    return result;
  }

  async #writeAlone<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    await this.#connection.lockForWriting();
    try {
      return await this.#inner.executeQuery(query);
    } finally {
      this.#connection.writeLock.release();
    }
  }

  streamQuery<Row>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<Row>> {
    return this.#inner.streamQuery(query, chunkSize);
  }
}

/** `OpenDatabase.close` closes the file, not Kysely. */
function kyselyDatabase(connection: SqliteConnection) {
  return { prepare: (sql: string) => connection.statements.prepare(sql), close: () => undefined };
}
