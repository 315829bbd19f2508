import type { ColumnValue, ForeignDatabase, ForeignRow, PageRequest } from "./foreign-database.ts";

/** The differences between the databases. Names are quoted with double quotes in all of them. */
export interface ForeignConnection {
  /** Selects one text column, `name`: all tables, sorted. */
  readonly selectTables: string;
  /** Selects one text column, `name`: the columns of the table in the only parameter. */
  readonly selectColumns: string;
  /** Parameter for an integer that is passed as text. */
  readonly integerParameter: string;
  query(text: string, parameters: readonly string[]): Promise<readonly ForeignRow[]>;
  close(): Promise<void>;
}

/** Reads tables over a connection that has begun its snapshot. */
export function readForeignTables(connection: ForeignConnection): ForeignDatabase {
  const namesOf = async (text: string, parameters: readonly string[]) =>
    (await connection.query(text, parameters)).map(({ name }) => name ?? "");
  const columnsOf = (table: string) => namesOf(connection.selectColumns, [table]);
  const columnsToRead = async (table: string, { key, columns }: PageRequest) => {
    const existing = await columnsOf(table);
    return [key, ...columns.filter((column) => column !== key && existing.includes(column))].map(quote).join(", ");
  };
  return {
    tables: () => namesOf(connection.selectTables, []),
    columnsOf,
    async countRows(table) {
      const [row] = await connection.query(`select count(*) as count from ${quote(table)}`, []);
      return Number(row?.["count"] ?? 0);
    },
    async rowsOf(table, order) {
      const columns = (await columnsOf(table)).map(quote).join(", ");
      return connection.query(`select ${columns} from ${quote(table)} order by ${quote(order)}`, []);
    },
    async *pagesOf(table, page) {
      const [columns, key] = [await columnsToRead(table, page), quote(page.key)];
      const text = `select ${columns} from ${quote(table)} where ${key} > ${connection.integerParameter} order by ${key} limit ${page.size}`;
      for (let last = LOWEST_KEY; ;) {
        const rows = await connection.query(text, [last]);
        if (rows.length > 0) yield rows;
        if (rows.length < page.size) return;
        last = rows.at(-1)?.[page.key] ?? last;
      }
    },
    async lastOf(table, page, { column, value }: ColumnValue) {
      const columns = await columnsToRead(table, page);
      const only = `${quote(column)} = ${connection.integerParameter}`;
      const text = `select ${columns} from ${quote(table)} where ${only} order by ${quote(page.key)} desc limit ${page.size}`;
      return connection.query(text, [String(value)]);
    },
    close: () => connection.close(),
  };
}

const LOWEST_KEY = String(-(2n ** 63n));

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
