import { type Expression, type SqlBool, sql } from "kysely";

/** Joins conditions by `and`; true for none. */
export function everyCondition(conditions: readonly Expression<SqlBool>[]): Expression<SqlBool> {
  return conditions.length === 0 ? sql<SqlBool>`1 = 1` : sql<SqlBool>`${sql.join(conditions, sql` and `)}`;
}

/** Case-insensitive. A comparison instead of LIKE, so that wildcards are plain characters. */
export function beginsWith(column: string, keyword: string): Expression<SqlBool> {
  const [text, beginning] = [lowerText(column), lowerWord(keyword)];
  return sql<SqlBool>`substr(${text}, 1, length(${beginning})) = ${beginning}`;
}

/**
 * True if one of the columns contains the keyword, ignoring case. Both databases have `replace`; their
 * functions for positions differ.
 */
export function containsKeyword(columns: readonly string[], keyword: string): Expression<SqlBool> {
  const conditions = columns.map((column) => {
    const text = lowerText(column);
    return sql<SqlBool>`replace(${text}, ${lowerWord(keyword)}, '') <> ${text}`;
  });
  return sql<SqlBool>`(${sql.join(conditions, sql` or `)})`;
}

export function isIdOr(column: string, keyword: string, condition: Expression<SqlBool>): Expression<SqlBool> {
  return /^\d{1,15}$/.test(keyword)
    ? sql<SqlBool>`(${sql.ref(column)} = ${Number(keyword)} or ${condition})`
    : condition;
}

function lowerText(column: string) {
  return sql<string>`lower(${sql.ref(column)})`;
}

function lowerWord(keyword: string) {
  return sql<string>`lower(cast(${keyword} as text))`;
}
