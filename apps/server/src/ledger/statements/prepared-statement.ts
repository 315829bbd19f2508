import type { RunStatement, StatementOutcome, StatementParameter } from "@one-api/database/open-database";
import type { Compilable } from "kysely";

/** Stands for values that come later, while a statement is built once. */
export interface Placeholders<Name extends string> {
  number(name: Name): number;
  text(name: Name): string;
}

/** A statement compiled once and run many times with named values. */
export type PreparedStatement<Name extends string> = (
  run: RunStatement,
  values: Readonly<Record<Name, StatementParameter>>,
) => StatementOutcome | Promise<StatementOutcome>;

/**
 * Compiles a Kysely query whose values are placeholders. Building a query costs more than running it, so what every relayed
 * request runs is prepared; the query itself is still written once for both databases.
 */
export function prepareStatement<Name extends string>(
  build: (placeholders: Placeholders<Name>) => Compilable,
): PreparedStatement<Name> {
  const names: Name[] = [];
  const order = (name: Name) => names.push(name) - 1;
  const { sql, parameters } = build({
    number: (name) => NUMBER_MARK + order(name),
    text: (name) => TEXT_MARK + String(order(name)),
  }).compile();
  const parts = parameters.map((parameter) => readMark(parameter, names));
  return (run, values) =>
    run(
      sql,
      parts.map((part) => ("name" in part ? values[part.name] : part.constant)),
    );
}

/** The first of the numbers that stand for values; no statement has such a constant of its own. */
const NUMBER_MARK = -8_000_000_000_000_000;
const TEXT_MARK = "\u0000placeholder ";

type StatementPart<Name> = { name: Name } | { constant: StatementParameter };

function readMark<Name extends string>(parameter: unknown, names: readonly Name[]): StatementPart<Name> {
  const index =
    typeof parameter === "number"
      ? parameter - NUMBER_MARK
      : typeof parameter === "string" && parameter.startsWith(TEXT_MARK)
        ? Number(parameter.slice(TEXT_MARK.length))
        : -1;
  const name = names[index];
  if (name !== undefined) return { name };
  if (typeof parameter === "number" || typeof parameter === "string" || parameter === null)
    return { constant: parameter };
  throw new Error("A prepared statement takes texts, numbers and null only.");
}

/** Runs one statement on many ids and returns its rows. */
export type StatementForMany = (
  run: RunStatement,
  ids: readonly string[],
) => Promise<readonly Record<string, unknown>[]>;

/** Prepares a statement with a list of ids (`where … in`), compiled once per length of the list. */
export function prepareForMany(build: (ids: readonly string[]) => Compilable): StatementForMany {
  const sqlOfCount = new Map<number, string>();
  return async (run, ids) => {
    if (ids.length === 0) return [];
    const sql = sqlOfCount.get(ids.length) ?? build(ids).compile().sql;
    sqlOfCount.set(ids.length, sql);
    return (await run(sql, ids)).rows;
  };
}

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
      // Of its whole length at once: grown step by step it is copied again and again.
      const values: StatementParameter[] = [];
      values.length = chunk.length * columns.length;
      let place = 0;
      for (const row of chunk) for (const column of columns) values[place++] = row[column];
      await run(sqlFor(chunk.length), values);
    }
  };
}
