import type * as DuckApi from "@duckdb/node-api";
import type { DuckDBConnection, DuckDBInstance, DuckDBType, DuckDBValue } from "@duckdb/node-api";
import { rmSync } from "node:fs";
import { MissingEngineError } from "./failures.ts";

/** A value of a statement: an integer, a text or a list of either. */
export type Parameter = number | string | readonly number[] | readonly string[];

export type Row = readonly (number | string | null)[];

type Api = typeof DuckApi;

/** The engine's settings. */
export interface DuckSettings {
  /** Upper bound of the engine's buffers, in MB. */
  readonly memoryMegabytes: number;
  readonly threads: number;
}

/** Opens a DuckDB file. Rejects with MissingEngineError where there is no DuckDB for this platform, else with the engine's error. */
export async function openDuck(file: string, { memoryMegabytes, threads }: DuckSettings): Promise<Duck> {
  const api = await loadApi();
  const temporary = `${file}.tmp`;
  const instance = await api.DuckDBInstance.create(file, {
    memory_limit: `${memoryMegabytes}MB`,
    threads: String(threads),
    // A checkpoint needs more than the memory limit now and then, and DuckDB ends where it fails.
    temp_directory: temporary,
    max_temp_directory_size: "1GB",
    enable_external_access: "false",
    autoinstall_known_extensions: "false",
    autoload_known_extensions: "false",
    preserve_insertion_order: "true",
    checkpoint_threshold: "16MB",
  });
  try {
    // A killed process leaves its folder. It has the file's lock no more.
    rmSync(temporary, { recursive: true, force: true });
    const connection = await instance.connect();
    await connection.run("set lock_configuration = true");
    return new Duck(api, instance, connection, await instance.connect());
  } catch (error) {
    instance.closeSync();
    throw error;
  }
}

/** npm installs DuckDB for the platforms that it is built for; elsewhere the module or its library is missing. */
async function loadApi(): Promise<Api> {
  try {
    return await import("@duckdb/node-api");
  } catch (error) {
    throw new MissingEngineError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/** A DuckDB file with two connections: one writes, the other answers questions. */
export class Duck {
  readonly writer: DuckConnection;
  readonly reader: DuckConnection;
  readonly #instance: DuckDBInstance;

  constructor(api: Api, instance: DuckDBInstance, writer: DuckDBConnection, reader: DuckDBConnection) {
    this.#instance = instance;
    this.writer = new DuckConnection(api, writer);
    this.reader = new DuckConnection(api, reader);
  }

  close(): void {
    this.writer.close();
    this.reader.close();
    this.#instance.closeSync();
  }
}

/** A column of a table, by the name of its type. */
export type ColumnType = "BIGINT" | "UINTEGER" | "USMALLINT" | "UTINYINT" | "VARCHAR";

/** Statements of one connection. */
export class DuckConnection {
  readonly #api: Api;
  readonly #connection: DuckDBConnection;

  constructor(api: Api, connection: DuckDBConnection) {
    this.#api = api;
    this.#connection = connection;
  }

  /** Runs one or more statements without parameters. */
  async run(sql: string): Promise<void> {
    await this.#connection.run(sql);
  }

  /** Runs a statement and returns its rows; `$1` is the first parameter. Integers are returned as numbers. */
  async rows(sql: string, parameters: readonly Parameter[] = []): Promise<Row[]> {
    const values = parameters.map((parameter) => this.#valueOf(parameter));
    const types = parameters.map((parameter) => this.#typeOf(parameter));
    const reader = await this.#connection.runAndReadAll(sql, values, types);
    return reader.getRows().map((row) => row.map(plain));
  }

  /** Appends rows that are given by columns. A chunk has at most 2,048 rows. */
  async append(table: string, types: readonly ColumnType[], columns: readonly (readonly Cell[])[]): Promise<void> {
    const appender = await this.#connection.createAppender(table);
    try {
      const duckTypes = types.map((type) => this.#api[type]);
      const length = columns[0]?.length ?? 0;
      for (let from = 0; from < length; from += CHUNK_ROWS) {
        const rows = Math.min(CHUNK_ROWS, length - from);
        const chunk = this.#api.DuckDBDataChunk.create(duckTypes, rows);
        for (const [index, column] of columns.entries()) {
          const cells = column.slice(from, from + rows);
          chunk.setColumnValues(index, types[index] === "BIGINT" ? cells.map((cell) => BigInt(cell)) : cells);
        }
        appender.appendDataChunk(chunk);
      }
      appender.flushSync();
    } finally {
      appender.closeSync();
    }
  }

  /** Ends the statement that runs. */
  interrupt(): void {
    this.#connection.interrupt();
  }

  close(): void {
    this.#connection.disconnectSync();
  }

  #valueOf(parameter: Parameter): DuckDBValue {
    if (typeof parameter === "string") return parameter;
    if (typeof parameter === "number") return BigInt(parameter);
    return this.#api.listValue(parameter.map((item) => (typeof item === "number" ? BigInt(item) : item)));
  }

  #typeOf(parameter: Parameter): DuckDBType {
    if (typeof parameter === "string") return this.#api.VARCHAR;
    if (typeof parameter === "number") return this.#api.BIGINT;
    return this.#api.LIST(typeof parameter[0] === "number" ? this.#api.BIGINT : this.#api.VARCHAR);
  }
}

type Cell = number | string;

const CHUNK_ROWS = 2_048;

function plain(value: DuckDBValue): number | string | null {
  if (value === null || typeof value === "number" || typeof value === "string") return value;
  if (typeof value === "bigint") return Number(value);
  if (typeof value === "boolean") return value ? 1 : 0;
  throw new TypeError(`The statement returns ${typeof value}, which is not an integer, a number or a text.`);
}
