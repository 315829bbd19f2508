import { type Connection, type ConnectionOptions, createConnection, type RowDataPacket } from "mysql2/promise";
import { DatabaseStartError } from "../database-errors.ts";
import type { ForeignDatabase } from "./foreign-database.ts";
import { readForeignTables } from "./read-foreign-tables.ts";
import { readMysqlAddress } from "./read-mysql-address.ts";

const CONNECT_TIMEOUT_MS = 5000;

/**
 * Statements of a session that cannot write. ANSI_QUOTES permits double quotes around names, and replaces modes that
 * refuse the date 0000-00-00. The session may be idle for hours. The isolation level gives one snapshot of all InnoDB
 * tables.
 */
const BEGIN = [
  "set session sql_mode = 'ANSI_QUOTES'",
  "set session wait_timeout = 28800",
  "set session transaction isolation level repeatable read, read only",
  "start transaction with consistent snapshot, read only",
];

/** Opens a database of MySQL or MariaDB. */
export async function openForeignMysql(address: string): Promise<ForeignDatabase> {
  const { shown, options } = readMysqlAddress(address);
  const connection = await connect(options, shown);
  return readForeignTables({
    selectTables: `select table_name as "name" from information_schema.tables
      where table_schema = database() and table_type = 'BASE TABLE' order by 1`,
    selectColumns: `select column_name as "name" from information_schema.columns
      where table_schema = database() and table_name = ? order by ordinal_position`,
    integerParameter: "cast(? as signed)",
    async query(text, parameters) {
      try {
        const [rows] = await connection.query<RowDataPacket[]>(text, [...parameters]);
        return rows;
      } catch (error) {
        throw new DatabaseStartError(
          `Cannot read on from MySQL at ${shown}: ${reasonOf(error)}. Check its log, and run the command again.`,
          { cause: error },
        );
      }
    },
    close: () => connection.end(),
  });
}

async function connect(options: ConnectionOptions, shown: string): Promise<Connection> {
  let connection: Connection | undefined;
  try {
    connection = await createConnection({
      ...options,
      charset: "utf8mb4",
      connectTimeout: CONNECT_TIMEOUT_MS,
      typeCast: (field) => textOf(field.type, field.buffer()),
    });
    for (const statement of BEGIN) await connection.query(statement);
    return connection;
  } catch (error) {
    connection?.destroy();
    throw new DatabaseStartError(
      `Cannot read MySQL at ${shown}: ${reasonOf(error)}. Check that the server runs, that address, user, password and database name are right, and whether it needs ?ssl-mode=REQUIRED.`,
      { cause: error },
    );
  }
}

/** Decodes UTF-8, since the driver decodes JSON columns as Latin-1. A BIT is one byte. */
function textOf(type: string, bytes: Buffer | null): string | null {
  if (bytes === null) return null;
  return type === "BIT" ? String(bytes.at(-1) ?? 0) : bytes.toString("utf8");
}

/** Returns the driver's message, which names the user but no password; the code of a refused connection, which has no message. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message || ("code" in error ? String(error.code) : error.name);
}
