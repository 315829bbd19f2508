import { sql } from "kysely";
import { integer, integerKey, text } from "./column.ts";
import { createTable } from "./create-table.ts";
import type { Migration, MigrationBuilder } from "./migration.ts";

const auditSeals = {
  number: integerKey,
  kind: text,
  last_id: integer,
  newest_at: integer,
  sealed_at: integer,
  entry_hashes: text,
  hash: text,
};

const auditChecks = { id: integerKey, checked_at: integer, problems: text };

/** Seals of the audit trail, which only come, and how the last check of them ended. */
export const auditSealTables: Migration = {
  number: 31,
  name: "audit-seals",
  statements: (builder: MigrationBuilder) => [
    createTable(builder, "audit_seals", auditSeals),
    createTable(builder, "audit_checks", auditChecks),
    ...(builder.kind === "sqlite" ? appendOnlyOnSqlite : appendOnlyOnPostgres),
  ],
};

const appendOnlyOnSqlite = ["update", "delete"].map((change) =>
  sql.raw(
    `create trigger audit_seals_no_${change} before ${change} on audit_seals begin select raise(abort, 'seals of the audit trail never change'); end`,
  ),
);

const appendOnlyOnPostgres = [
  sql.raw(`create function refuse_audit_seal_change() returns trigger language plpgsql as $$
    begin
      raise exception 'seals of the audit trail never change';
    end $$`),
  sql.raw(
    "create trigger audit_seals_append_only before update or delete on audit_seals for each row execute function refuse_audit_seal_change()",
  ),
];
