import { type RawBuilder, sql, type Transaction } from "kysely";
import type { OpenDatabase, RunStatement } from "../open-database.ts";
import type { Tables } from "../tables.ts";
import { BACKUP_TABLES, type BackupTable, OWNER_SEQUENCE } from "./backup-tables.ts";
import type { StoredValue } from "./snapshot.ts";

export interface RowLoader {
  load(table: BackupTable, columns: readonly string[], rows: readonly (readonly StoredValue[])[]): Promise<void>;
  /** Removes rows of migrations and triggers. Call it before the first row of each table. */
  clear(table: BackupTable): Promise<void>;
  /** Continues the ids behind those of the backup, and declares its servers dead. Call it after the last row. */
  finish(sequences: ReadonlyMap<string, number>): Promise<void>;
}

/** Each page is a transaction, so the file must not be in use before the end. */
export function sqliteLoader(database: OpenDatabase): RowLoader {
  const write = (work: (run: RunStatement) => Promise<void>) => database.writeTransaction(work, "in-order");
  return {
    load: (table, columns, rows) =>
      write(async (run) => {
        const names = columns.map((name) => `"${name}"`).join(", ");
        const insert = `insert into "${table}" (${names}) values (${columns.map(() => "?").join(", ")})`;
        for (const row of rows) await run(insert, row);
      }),
    clear: (table) =>
      write(async (run) => {
        await run(`delete from "${table}"`, []);
      }),
    finish: (sequences) =>
      write(async (run) => {
        for (const [table, last] of sequences) {
          await run("delete from sqlite_sequence where name = ?1", [table]);
          await run("insert into sqlite_sequence (name, seq) values (?1, ?2)", [table, last]);
        }
        await run("update owners set epoch = epoch + 1, state = 'dead' where state = 'live'", []);
      }),
  };
}

/** Everything is one transaction, which the caller commits. */
export function postgresLoader(transaction: Transaction<Tables>): RowLoader {
  const execute = async (statement: RawBuilder<unknown>) => {
    await statement.execute(transaction);
  };
  return {
    load(table, columns, rows) {
      const records = rows.map((row) => Object.fromEntries(columns.map((name, index) => [name, row[index] ?? null])));
      const names = sql.join(columns.map((name) => sql.ref(name)));
      return execute(sql`insert into ${sql.table(table)} (${names})
        select ${names} from json_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(records)}::json)`);
    },
    clear: (table) => execute(sql`delete from ${sql.table(table)}`),
    async finish(sequences) {
      for (const [table, last] of sequences) {
        if (last > 0) await execute(sql`select setval(pg_get_serial_sequence(${table}, 'id'), ${last})`);
      }
      await execute(sql`select setval(${sql.lit(OWNER_SEQUENCE)}, greatest(10,
        (select coalesce(max(id), 0) from owners), (select coalesce(max(owner), 0) from logs)))`);
      await execute(sql`update owners set epoch = epoch + 1, state = 'dead' where state = 'live'`);
    },
  };
}

export async function emptyPostgres(transaction: Transaction<Tables>): Promise<void> {
  await sql`truncate ${sql.join(BACKUP_TABLES.map((table) => sql.table(table)))}`.execute(transaction);
}
