import type { RunStatement } from "@one-api/database/open-database";
import type { Compilable } from "kysely";

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
