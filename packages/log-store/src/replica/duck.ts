import type * as DuckApi from "@duckdb/node-api";
import type { DuckDBConnection, DuckDBDataChunk, DuckDBInstance, DuckDBType, DuckDBValue } from "@duckdb/node-api";
import type DuckBindings from "@duckdb/node-bindings";
import { rmSync } from "node:fs";
import { MissingEngineError } from "./failures.ts";

export type Parameter = number | string | readonly number[] | readonly string[];

export type Row = readonly (number | string | null)[];

interface Api {
  readonly api: typeof DuckApi;
  readonly bindings: typeof DuckBindings;
}

export interface DuckSettings {
  /** Upper bound of the engine's buffers, in MB. */
  readonly memoryMegabytes: number;
  readonly threads: number;
}

/** Opens a DuckDB file. Rejects with MissingEngineError if the platform has no DuckDB, else with the engine's error. */
export async function openDuck(file: string, { memoryMegabytes, threads }: DuckSettings): Promise<Duck> {
  const loaded = await loadApi();
  const temporary = `${file}.tmp`;
  const instance = await loaded.api.DuckDBInstance.create(file, {
    memory_limit: `${memoryMegabytes}MB`,
    threads: String(threads),
    // A checkpoint sometimes needs more than the memory limit, and DuckDB ends if it fails.
    temp_directory: temporary,
    max_temp_directory_size: "1GB",
    enable_external_access: "false",
    autoinstall_known_extensions: "false",
    autoload_known_extensions: "false",
    preserve_insertion_order: "true",
    checkpoint_threshold: "16MB",
  });
  try {
    // A killed process leaves its folder, but no longer has the file's lock.
    rmSync(temporary, { recursive: true, force: true });
    const connection = await instance.connect();
    await connection.run("set lock_configuration = true");
    return new Duck(loaded, instance, connection, await instance.connect());
  } catch (error) {
    instance.closeSync();
    throw error;
  }
}

/** npm installs DuckDB for the platforms that it is built for; elsewhere the module or its library is missing. */
async function loadApi(): Promise<Api> {
  try {
    return { api: await import("@duckdb/node-api"), bindings: (await import("@duckdb/node-bindings")).default };
  } catch (error) {
    throw new MissingEngineError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/** A DuckDB file with two connections: one writes, the other answers questions. */
export class Duck {
  readonly writer: DuckConnection;
  readonly reader: DuckConnection;
  readonly #instance: DuckDBInstance;

  constructor(loaded: Api, instance: DuckDBInstance, writer: DuckDBConnection, reader: DuckDBConnection) {
    this.#instance = instance;
    this.writer = new DuckConnection(loaded, writer);
    this.reader = new DuckConnection(loaded, reader);
  }

  close(): void {
    this.writer.close();
    this.reader.close();
    this.#instance.closeSync();
  }
}

export type ColumnType = "BIGINT" | "UINTEGER" | "UTINYINT" | "VARCHAR";

export class DuckConnection {
  readonly #api: Api["api"];
  readonly #bindings: Api["bindings"];
  readonly #connection: DuckDBConnection;

  constructor({ api, bindings }: Api, connection: DuckDBConnection) {
    this.#api = api;
    this.#bindings = bindings;
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
          const type = types[index] ?? "VARCHAR";
          if (type === "VARCHAR") chunk.setColumnValues(index, cells);
          else this.#copyNumbers(chunk, index, numbersAs(type, cells));
        }
        appender.appendDataChunk(chunk);
      }
      appender.flushSync();
    } finally {
      appender.closeSync();
    }
  }

  interrupt(): void {
    this.#connection.interrupt();
  }

  close(): void {
    this.#connection.disconnectSync();
  }

  /** Writes a column at once: half the time of one value after the other. DuckDB checks no bounds; a chunk has as many rows. */
  #copyNumbers(chunk: DuckDBDataChunk, column: number, numbers: NumberArray): void {
    const { data_chunk_get_vector: vectorOf, copy_data_to_vector: copy } = this.#bindings;
    copy(vectorOf(chunk.chunk, column), 0, numbers.buffer, 0, numbers.byteLength);
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

type NumberArray = Int32Array<ArrayBuffer> | Uint32Array<ArrayBuffer> | Uint8Array<ArrayBuffer>;

function numbersAs(type: Exclude<ColumnType, "VARCHAR">, cells: readonly Cell[]): NumberArray {
  const numbers = cells.map(Number);
  if (type === "UINTEGER") return Uint32Array.from(numbers);
  if (type === "UTINYINT") return Uint8Array.from(numbers);
  // The halves of 64 bits, the lower one first: a BigInt for each number would take twice as long.
  const halves = new Int32Array(numbers.length * 2);
  for (const [index, number] of numbers.entries()) {
    halves[index * 2] = number;
    halves[index * 2 + 1] = Math.floor(number / 2 ** 32);
  }
  return halves;
}

const CHUNK_ROWS = 2_048;

function plain(value: DuckDBValue): number | string | null {
  if (value === null || typeof value === "number" || typeof value === "string") return value;
  if (typeof value === "bigint") return Number(value);
  if (typeof value === "boolean") return value ? 1 : 0;
  throw new TypeError(`The statement returns ${typeof value}, which is not an integer, a number or a text.`);
}
