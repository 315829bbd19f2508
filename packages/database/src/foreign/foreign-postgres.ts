import pg from "pg";
import { DatabaseStartError } from "../database-errors.ts";
import { reasonOf, redactDatabaseUrl } from "../dialects/postgres-errors.ts";
import type { ForeignDatabase, ForeignRow } from "./foreign-database.ts";
import { readForeignTables } from "./read-foreign-tables.ts";

export async function openForeignPostgres(address: string): Promise<ForeignDatabase> {
  const client = new pg.Client({
    connectionString: address,
    types: { getTypeParser: () => String },
    connectionTimeoutMillis: 5000,
  });
  // Without a listener, the loss of an idle connection would end the process. The next query reports it.
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.query("begin transaction isolation level repeatable read read only");
    await client.query("set local idle_in_transaction_session_timeout = 0");
  } catch (error) {
    await client.end().catch(() => undefined);
    throw new DatabaseStartError(
      `Cannot read PostgreSQL at ${redactDatabaseUrl(address)}: ${reasonOf(error)}. Check that the server runs and that address, user, password and database name are right.`,
      { cause: error },
    );
  }
  return readForeignTables({
    selectTables: `select table_name::text as name from information_schema.tables
      where table_schema = any (current_schemas(false)) and table_type = 'BASE TABLE' order by 1`,
    selectColumns: `select column_name::text as name from information_schema.columns
      where table_name = $1 and table_schema = any (current_schemas(false)) order by ordinal_position`,
    integerParameter: "$1::bigint",
    query: async (text, parameters) => (await client.query<ForeignRow>(text, [...parameters])).rows,
    close: () => client.end(),
  });
}
