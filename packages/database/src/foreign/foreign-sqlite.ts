import { existsSync, statSync } from "node:fs";
import { DatabaseSync, type SQLOutputValue } from "node:sqlite";
import { DatabaseStartError } from "../database-errors.ts";
import { reasonOf } from "../dialects/postgres-errors.ts";
import type { ForeignDatabase } from "./foreign-database.ts";
import { readForeignTables } from "./read-foreign-tables.ts";

export function openForeignSqlite(file: string): ForeignDatabase {
  if (!existsSync(file)) throw new DatabaseStartError(`There is no file ${file}.`);
  if (statSync(file).isDirectory())
    throw new DatabaseStartError(`${file} is a folder. Name the SQLite file in it, such as one-api.db.`);
  const database = openSnapshot(file);
  return readForeignTables({
    selectTables: "select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' order by name",
    selectColumns: "select name from pragma_table_info(?)",
    integerParameter: "cast(? as integer)",
    async query(text, parameters) {
      const statement = database.prepare(text);
      statement.setReadBigInts(true);
      return statement
        .all(...parameters)
        .map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, asText(value)])));
    },
    close: async () => database.close(),
  });
}

function openSnapshot(file: string): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { readOnly: true, timeout: 5000 });
    // The snapshot begins with the first read.
    database.exec("begin; select name from sqlite_schema limit 1");
    return database;
  } catch (error) {
    database?.close();
    throw new DatabaseStartError(
      `The file ${file} cannot be read as a SQLite database: ${reasonOf(error)}. Stop the program that writes to it, or copy it with sqlite3's .backup, and name the copy.`,
      { cause: error },
    );
  }
}

/** Programs in Go store JSON as bytes. */
function asText(value: SQLOutputValue): string | null {
  if (value === null) return null;
  return value instanceof Uint8Array ? Buffer.from(value).toString("utf8") : String(value);
}
