import { openSqlite, openSqliteToRead } from "./dialects/sqlite.ts";
import type { DatabaseLocation, OpenDatabase } from "./open-database.ts";

/**
 * Opens the database and checks its settings, without migrating. Throws an error for the operator if the file is in
 * use, the server unreachable, or a setting unsafe.
 */
export function connectDatabase(location: DatabaseLocation): Promise<OpenDatabase> {
  return location.databaseUrl === "" ? openSqlite(location.dataDirectory) : openOnServer(location.databaseUrl);
}

/**
 * Opens a running server's database, or a copy, for reading; a file cannot be written. Throws an error for the operator
 * if it is unreachable.
 */
export function connectDatabaseToRead(location: DatabaseLocation): Promise<OpenDatabase> {
  return location.databaseUrl === "" ? openSqliteToRead(location.dataDirectory) : openOnServer(location.databaseUrl);
}

async function openOnServer(databaseUrl: string): Promise<OpenDatabase> {
  const { openPostgres } = await import("./dialects/postgres.ts");
  return openPostgres(databaseUrl);
}
