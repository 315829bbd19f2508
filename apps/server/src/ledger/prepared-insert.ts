import type { RunStatement, StatementParameter } from "@one-api/database/open-database";
import type { Compilable } from "kysely";

/** Most rows of one insert: enough to spread the cost of a statement, far below any limit on parameters. */
const ROWS_PER_STATEMENT = 32;

/** Inserts many rows with few statements, each compiled once per number of rows. */
export type PreparedInsert<Row> = (run: RunStatement, rows: readonly Row[]) => Promise<void>;

/**
 * Prepares an insert. `columns` fixes the order of the values; `build` makes the query for rows that name the columns in
 * that order.
 */
export function prepareInsert<Row extends Readonly<Record<keyof Row, StatementParameter>>>(
  columns: readonly (keyof Row & string)[],
  template: Row,
  build: (rows: Row[]) => Compilable,
): PreparedInsert<Row> {
  const ordered = (row: Row) => columns.map((column) => row[column]);
  const sqlOfCount = new Map<number, string>();
  const sqlFor = (count: number) => {
    const known = sqlOfCount.get(count);
    if (known !== undefined) return known;
    const { sql, parameters } = build(Array.from({ length: count }, () => template)).compile();
    if (parameters.length !== count * columns.length) throw new Error("An insert's columns do not match its template.");
    sqlOfCount.set(count, sql);
    return sql;
  };
  return async (run, rows) => {
    for (let start = 0; start < rows.length; start += ROWS_PER_STATEMENT) {
      const chunk = rows.slice(start, start + ROWS_PER_STATEMENT);
      await run(sqlFor(chunk.length), chunk.flatMap(ordered));
    }
  };
}
