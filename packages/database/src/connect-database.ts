import { openPostgres } from "./dialects/postgres.ts";
import { openSqlite } from "./dialects/sqlite.ts";
import type { DatabaseLocation, OpenDatabase } from "./open-database.ts";

/**
 * Opens the database and checks its settings; migrations are a step of their own (`migrate`). Throws a message for the operator when
 * the file is in use by another process, the server is out of reach or a setting would endanger committed data.
 */
export function connectDatabase(location: DatabaseLocation): Promise<OpenDatabase> {
  return location.databaseUrl === "" ? openSqlite(location.dataDirectory) : openPostgres(location.databaseUrl);
}
