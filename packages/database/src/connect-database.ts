import { openSqlite, openSqliteToRead } from "./dialects/sqlite.ts";
import type { DatabaseLocation, OpenDatabase } from "./open-database.ts";

/**
 * Opens the database and checks its settings; migrations are a step of their own (`migrate`). Throws a message for the operator when
 * the file is in use by another process, the server is out of reach or a setting would endanger committed data.
 */
export function connectDatabase(location: DatabaseLocation): Promise<OpenDatabase> {
  return location.databaseUrl === "" ? openSqlite(location.dataDirectory) : openOnServer(location.databaseUrl);
}

/**
 * Opens the database for a look beside a server that runs, or at a copy of it: nothing can be written where it is a file. Throws a message
 * for the operator when it is out of reach.
 */
export function connectDatabaseToRead(location: DatabaseLocation): Promise<OpenDatabase> {
  return location.databaseUrl === "" ? openSqliteToRead(location.dataDirectory) : openOnServer(location.databaseUrl);
}

/** PostgreSQL's driver is loaded only where it is used. */
async function openOnServer(databaseUrl: string): Promise<OpenDatabase> {
  const { openPostgres } = await import("./dialects/postgres.ts");
  return openPostgres(databaseUrl);
}
