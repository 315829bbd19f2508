import type { ForeignDatabase } from "./foreign-database.ts";
import { openForeignMysql } from "./foreign-mysql.ts";
import { openForeignPostgres } from "./foreign-postgres.ts";
import { openForeignSqlite } from "./foreign-sqlite.ts";

/**
 * Opens another program's database for reading: a SQLite file, `postgres://…` or `mysql://…`. Throws DatabaseStartError if it cannot be read; the message
 * contains no password.
 */
export async function openForeignDatabase(source: string): Promise<ForeignDatabase> {
  if (/^postgres(ql)?:\/\//.test(source)) return openForeignPostgres(source);
  return /^(?:mysql|mariadb):\/\//.test(source) ? openForeignMysql(source) : openForeignSqlite(source);
}
