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
  readonly #turns = new WeakMap<DatabaseConnection, ConnectionTurn>();

  constructor(connection: SqliteConnection) {
    super({ database: kyselyDatabase(connection) });
    this.#connection = connection;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    const inner = await super.acquireConnection();
    const turn = await takeTurn(this.#connection);
    const connection = new WritingInTurn(inner, this.#connection, turn);
    this.#turns.set(connection, turn);
    return connection;
  }

  override async releaseConnection(connection?: DatabaseConnection): Promise<void> {
    if (connection !== undefined) this.#turns.get(connection)?.end();
  }

  override async beginTransaction(): Promise<void> {
    await this.#connection.begin();
  }

  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    this.#connection.commit();
    this.#turns.get(connection)?.end();
    await this.#connection.whenOnDisk();
  }

  /** Kysely asks for it also when a commit did not reach the disk; by then it may be another's turn. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#turns.get(connection)?.hasEnded() === false) this.#connection.rollback();
  }
}

/** A turn on the connection. It ends before Kysely is done with it: the next one need not wait for the disk. */
interface ConnectionTurn {
  readonly hasEnded: () => boolean;
  /** Ends it, unless it has ended. */
  readonly end: () => void;
}

async function takeTurn({ turns }: SqliteConnection): Promise<ConnectionTurn> {
  await turns.take();
  let hasEnded = false;
  return {
    hasEnded: () => hasEnded,
    end() {
      if (hasEnded) return;
      hasEnded = true;
      turns.release();
    },
  };
}

/** Lets a statement that writes on its own wait for other connections' writes, instead of blocking the process while SQLite waits. */
class WritingInTurn implements DatabaseConnection {
  readonly #inner: DatabaseConnection;
  readonly #connection: SqliteConnection;
  readonly #turn: ConnectionTurn;

  constructor(inner: DatabaseConnection, connection: SqliteConnection, turn: ConnectionTurn) {
    this.#inner = inner;
    this.#connection = connection;
    this.#turn = turn;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.#turn.hasEnded()) throw new Error("This connection runs one statement or one transaction");
    if (query.query.kind === "SelectQueryNode" || this.#connection.isWriting) return this.#inner.executeQuery(query);
    const result = await this.#writeAlone<Row>(query);
    this.#turn.end();
    await this.#connection.whenOnDisk();
    return result;
  }

  async #writeAlone<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    await this.#connection.takeWriteTurn();
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
