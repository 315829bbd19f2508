import { type CreateIndexBuilder, type CreateTableBuilder, sql } from "kysely";
import type { Column } from "./column.ts";
import type { MigrationBuilder } from "./migration.ts";

const POSTGRES_TYPES = { text: "text", integer: "bigint", real: "double precision" } as const;

/** Starts a table. On SQLite it is strict: like PostgreSQL it refuses values of another type. */
export function createTable(
  builder: MigrationBuilder,
  table: string,
  columns: Record<string, Column>,
): CreateTableBuilder<string, string> {
  let create: CreateTableBuilder<string, string> = builder.schema.createTable(table);
  for (const [name, column] of Object.entries(columns)) {
    const type = builder.kind === "sqlite" ? column.type : POSTGRES_TYPES[column.type];
    create = create.addColumn(name, type, (definition) => column.build(definition, name, builder.kind));
  }
  return builder.kind === "sqlite" ? create.modifyEnd(sql`strict`) : create;
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
