import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  PostgresDialect,
  type PostgresDialectConfig,
  type QueryCompiler,
  type QueryResult,
  type TransactionSettings,
} from "kysely";
import { storableValue } from "./storable-value.ts";
import { createHash } from "node:crypto";

/** Kysely's PostgreSQL dialect with exact integers, and with lost connections distinguished from wrong statements. */
export class CheckedPostgresDialect extends PostgresDialect {
  readonly #namedError: (error: unknown) => unknown;

  constructor(config: PostgresDialectConfig, namedError: (error: unknown) => unknown) {
    super(config);
    this.#namedError = namedError;
  }

  override createDriver(): Driver {
    return new CheckedPostgresDriver(super.createDriver(), this.#namedError);
  }
}

class CheckedConnection implements DatabaseConnection {
  readonly inner: DatabaseConnection;
  readonly #namedError: (error: unknown) => unknown;

  constructor(inner: DatabaseConnection, namedError: (error: unknown) => unknown) {
    this.inner = inner;
    this.#namedError = namedError;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const parameters = query.parameters.map(toPostgresValue);
    try {
      return await this.inner.executeQuery<Row>({ ...query, parameters });
    } catch (error) {
      throw this.#namedError(error);
    }
  }

  streamQuery(): never {
    throw new Error("Streams are not supported: read in pages by id instead");
  }
}

class CheckedPostgresDriver implements Driver {
  readonly #driver: Driver;
  readonly #namedError: (error: unknown) => unknown;

  constructor(driver: Driver, namedError: (error: unknown) => unknown) {
    this.#driver = driver;
    this.#namedError = namedError;
  }

  init(): Promise<void> {
    return this.#driver.init();
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    try {
      return new CheckedConnection(await this.#driver.acquireConnection(), this.#namedError);
    } catch (error) {
      throw this.#namedError(error);
    }
  }

  beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    return this.#driver.beginTransaction(connection, settings);
  }

  commitTransaction(connection: DatabaseConnection): Promise<void> {
    return this.#driver.commitTransaction(connection);
  }

  rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    return this.#driver.rollbackTransaction(innerOf(connection));
  }

  async savepoint(
    connection: DatabaseConnection,
    name: string,
    compileQuery: QueryCompiler["compileQuery"],
  ): Promise<void> {
    await this.#driver.savepoint?.(connection, name, compileQuery);
  }

  async rollbackToSavepoint(
    connection: DatabaseConnection,
    name: string,
    compileQuery: QueryCompiler["compileQuery"],
  ): Promise<void> {
    await this.#driver.rollbackToSavepoint?.(connection, name, compileQuery);
  }

  async releaseSavepoint(
    connection: DatabaseConnection,
    name: string,
    compileQuery: QueryCompiler["compileQuery"],
  ): Promise<void> {
    await this.#driver.releaseSavepoint?.(connection, name, compileQuery);
  }

  releaseConnection(connection: DatabaseConnection): Promise<void> {
    return this.#driver.releaseConnection(innerOf(connection));
  }

  destroy(): Promise<void> {
    return this.#driver.destroy();
  }
}

/** Kysely's introspection passes booleans; no table of the product has them. */
function toPostgresValue(value: unknown): string | number | boolean | null {
  return typeof value === "boolean" ? value : storableValue(value);
}

function innerOf(connection: DatabaseConnection): DatabaseConnection {
  return connection instanceof CheckedConnection ? connection.inner : connection;
}

/** Prepared statements per connection: each uses memory of the server. */
const MOST_NAMES = 300;
const names = new Map<string, string>();

/** Returns the name of the prepared statement of a text; undefined once there are too many texts. */
export function postgresStatementName(sql: string): string | undefined {
  const known = names.get(sql);
  if (known !== undefined || names.size >= MOST_NAMES) return known;
  const name = createHash("sha256").update(sql).digest("base64url").slice(0, 22);
  names.set(sql, name);
  return name;
}
