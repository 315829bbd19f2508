import { type ColumnDefinitionBuilder, sql } from "kysely";
import type { OpenDatabase } from "../open-database.ts";

export interface Column {
  readonly type: "text" | "integer" | "real";
  readonly build: (
    definition: ColumnDefinitionBuilder,
    name: string,
    kind: OpenDatabase["kind"],
  ) => ColumnDefinitionBuilder;
}

/** Autoincrement id. Ids of deleted rows are not reused. */
export const autoId: Column = {
  type: "integer",
  build: (definition, _name, kind) =>
    kind === "sqlite"
      ? definition.primaryKey().autoIncrement()
      : definition.primaryKey().generatedByDefaultAsIdentity(),
};

export const text: Column = { type: "text", build: (definition) => definition.notNull() };
export const textKey: Column = { type: "text", build: (definition) => definition.notNull().primaryKey() };
export const uniqueText: Column = { type: "text", build: (definition) => definition.notNull().unique() };
export const uniqueTextOrNull: Column = { type: "text", build: (definition) => definition.unique() };
export const integer: Column = { type: "integer", build: (definition) => definition.notNull() };
export const integerKey: Column = { type: "integer", build: (definition) => definition.notNull().primaryKey() };
export const integerOrNull: Column = { type: "integer", build: (definition) => definition };
export const real: Column = { type: "real", build: (definition) => definition.notNull() };

export const flag: Column = {
  type: "integer",
  build: (definition, name) => definition.notNull().check(sql`${sql.ref(name)} in (0, 1)`),
};

/** Between 0 and the largest exact integer in JavaScript (2^53 − 1). */
export const amount: Column = {
  type: "integer",
  build: (definition, name) => definition.notNull().check(sql`${sql.ref(name)} between 0 and 9007199254740991`),
};

/** Of either sign, within ±(2^53 − 1). */
export const signedAmount: Column = {
  type: "integer",
  build: (definition, name) =>
    definition.notNull().check(sql`${sql.ref(name)} between -9007199254740991 and 9007199254740991`),
};

export function withDefault(column: Column, value: string | number): Column {
  return {
    type: column.type,
    build: (definition, name, kind) => column.build(definition, name, kind).defaultTo(value),
  };
}

/** Adds a reference to a row's id, with cascading deletion. */
export function deletedWith(column: Column, table: string): Column {
  return {
    type: column.type,
    build: (definition, name, kind) =>
      column.build(definition, name, kind).references(`${table}.id`).onDelete("cascade"),
  };
}
