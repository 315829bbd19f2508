import { sql } from "kysely";
import { text, withDefault } from "./column.ts";
import { addColumn, createIndex } from "./create-table.ts";
import type { Migration, MigrationBuilder } from "./migration.ts";

/** What the page of the audit trail filters by, and that no row of it changes any more. */
export const auditPage: Migration = {
  number: 15,
  name: "audit-page",
  statements: (builder: MigrationBuilder) => [
    addColumn(builder, "audit", "kind", withDefault(text, "")),
    addColumn(builder, "audit", "via", withDefault(text, "")),
    addColumn(builder, "audit", "request_id", withDefault(text, "")),
    builder.kind === "sqlite"
      ? sql`update audit set kind = substr(action, 1, instr(action || '.', '.') - 1)`
      : sql`update audit set kind = split_part(action, '.', 1)`,
    createIndex(builder, "audit", ["kind", "id"]),
    createIndex(builder, "audit", ["object", "id"]),
    ...(builder.kind === "sqlite" ? appendOnlyOnSqlite : appendOnlyOnPostgres),
  ],
};

const appendOnlyOnSqlite = [
  sql.raw(
    "create trigger audit_append_only before update on audit begin select raise(abort, 'rows of the audit trail never change'); end",
  ),
];

const appendOnlyOnPostgres = [
  sql.raw(`create function refuse_audit_change() returns trigger language plpgsql as $$
    begin
      raise exception 'rows of the audit trail never change';
    end $$`),
  sql.raw(
    "create trigger audit_append_only before update on audit for each row execute function refuse_audit_change()",
  ),
];
