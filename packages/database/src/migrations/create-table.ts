import { type CreateIndexBuilder, type CreateTableBuilder, sql } from "kysely";
import type { Column } from "./column.ts";
import type { MigrationBuilder, Statement } from "./migration.ts";

const POSTGRES_TYPES = { text: "text", integer: "bigint", real: "double precision" } as const;

/** Starts a table. On SQLite it is strict: like PostgreSQL it refuses values of another type. */
export function createTable(
  builder: MigrationBuilder,
  table: string,
  columns: Record<string, Column>,
): CreateTableBuilder<string, string> {
  let create: CreateTableBuilder<string, string> = builder.schema.createTable(table);
  for (const [name, column] of Object.entries(columns)) {
    create = create.addColumn(name, typeOf(column, builder.kind), (definition) =>
      column.build(definition, name, builder.kind),
    );
  }
  return builder.kind === "sqlite" ? create.modifyEnd(sql`strict`) : create;
}

/** Adds columns, in a statement each: SQLite adds one at a time. */
export function addColumns(
  { kind, schema }: MigrationBuilder,
  table: string,
  columns: Record<string, Column>,
): readonly Statement[] {
  return Object.entries(columns).map(([name, column]) =>
    schema
      .alterTable(table)
      .addColumn(name, typeOf(column, kind), (definition) => column.build(definition, name, kind)),
  );
}

function typeOf({ type }: Column, kind: MigrationBuilder["kind"]) {
  return kind === "sqlite" ? type : POSTGRES_TYPES[type];
}

export function createIndex(
  builder: MigrationBuilder,
  table: string,
  columns: readonly string[],
): CreateIndexBuilder<string> {
  return builder.schema
    .createIndex(`${table}_${columns.join("_")}_index`)
    .on(table)
    .columns([...columns]);
}

/** Unique index that ignores empty texts. */
export function createUniqueIndexUnlessEmpty(builder: MigrationBuilder, table: string, column: string) {
  return builder.schema
    .createIndex(`${table}_${column}_unique`)
    .unique()
    .on(table)
    .column(column)
    .where(sql.ref(column), "<>", sql.lit(""));
}
