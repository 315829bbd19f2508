import { sql } from "kysely";
import { autoId, integer, integerKey, text, withDefault } from "../column.ts";
import { createIndex, createTable } from "../create-table.ts";
import type { MigrationBuilder, Statement } from "../migration.ts";

const entries = {
  id: autoId,
  created_at: integer,
  actor_id: integer,
  actor_name: text,
  actor_role: integer,
  address: text,
  action: text,
  object: text,
  detail: text,
  kind: withDefault(text, ""),
  via: withDefault(text, ""),
  request_id: withDefault(text, ""),
};

const auditSeals = {
  number: integerKey,
  kind: text,
  last_id: integer,
  newest_at: integer,
  sealed_at: integer,
  entry_hashes: text,
  hash: text,
};

const auditChecks = {
  id: integerKey,
  checked_at: integer,
  problems: text,
};

export function auditTables(builder: MigrationBuilder): readonly Statement[] {
  return [
    createTable(builder, "audit", entries),
    createIndex(builder, "audit", ["actor_id", "id"]),
    createIndex(builder, "audit", ["created_at"]),
    createIndex(builder, "audit", ["kind", "id"]),
    createIndex(builder, "audit", ["object", "id"]),
    createTable(builder, "audit_seals", auditSeals),
    createTable(builder, "audit_checks", auditChecks),
    ...(builder.kind === "sqlite" ? appendOnlyOnSqlite : appendOnlyOnPostgres),
  ];
}

const refuse = (trigger: string, event: string, table: string, message: string) =>
  sql.raw(`create trigger ${trigger} before ${event} on ${table} begin select raise(abort, '${message}'); end`);

const ENTRIES = "rows of the audit trail never change";
const SEALS = "seals of the audit trail never change";

const appendOnlyOnSqlite = [
  refuse("audit_append_only", "update", "audit", ENTRIES),
  refuse("audit_seals_no_update", "update", "audit_seals", SEALS),
  refuse("audit_seals_no_delete", "delete", "audit_seals", SEALS),
];

const appendOnlyOnPostgres = [
  sql.raw(`create function refuse_audit_change() returns trigger language plpgsql as $$
    begin
      raise exception '${ENTRIES}';
    end $$`),
  sql.raw(
    "create trigger audit_append_only before update on audit for each row execute function refuse_audit_change()",
  ),
  sql.raw(`create function refuse_audit_seal_change() returns trigger language plpgsql as $$
    begin
      raise exception '${SEALS}';
    end $$`),
  sql.raw(
    "create trigger audit_seals_append_only before update or delete on audit_seals for each row execute function refuse_audit_seal_change()",
  ),
];
