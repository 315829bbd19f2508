import { type Expression, type SqlBool, sql } from "kysely";

/** Whether all of the conditions hold; of none, always. */
export function everyCondition(conditions: readonly Expression<SqlBool>[]): Expression<SqlBool> {
  return conditions.length === 0 ? sql<SqlBool>`1 = 1` : sql<SqlBool>`${sql.join(conditions, sql` and `)}`;
}

/** Whether the column's text begins with the keyword, in any case. A comparison, not LIKE: wildcards in it are plain characters then. */
export function beginsWith(column: string, keyword: string): Expression<SqlBool> {
  const [text, beginning] = [lowerText(column), lowerWord(keyword)];
  return sql<SqlBool>`substr(${text}, 1, length(${beginning})) = ${beginning}`;
}

/** Whether one of the columns' texts holds the keyword, in any case. Both databases know `replace`, and each finds a text in another by a name of its own. */
export function containsKeyword(columns: readonly string[], keyword: string): Expression<SqlBool> {
  const conditions = columns.map((column) => {
    const text = lowerText(column);
    return sql<SqlBool>`replace(${text}, ${lowerWord(keyword)}, '') <> ${text}`;
  });
  return sql<SqlBool>`(${sql.join(conditions, sql` or `)})`;
}

/** Whether the keyword is the id in the column, or else the condition holds. */
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
