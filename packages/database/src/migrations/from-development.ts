import { sql } from "kysely";
import { loginStepsTable } from "./baseline/accounts-tables.ts";
import { POSTGRES_NOTIFY_TRIGGERS } from "./baseline/ledger-triggers.ts";
import { storedTables } from "./baseline/stored-tables.ts";
import type { MigrationBuilder, Statement } from "./migration.ts";

/** The last migration of the development versions, before 1.0. Their earlier states are refused. */
export const LAST_DEVELOPMENT_MIGRATION = {
  number: 55,
  name: "drop-log-summaries",
  checksums: {
    sqlite: "c35b07d80a591ea130c35bc45cd0365c73b6f5d8d31e93fa949d8c089da12bc2",
    postgres: "c228d125d2091bf67dbddad3e993e844bbf0ce296e41056ee9e766d04eadc227",
  },
} as const;

const BODY_COLUMNS = "request_id, token_id, user_id, created_at, size, request_bytes, answer_bytes";
const OBJECT_COLUMNS = "id, object_id, kind, user_id, token_id, channel_id, size, created_at, expires_at, data";

/** Migrates the last development version to the baseline. Logins between two steps begin again. */
export function fromDevelopment(builder: MigrationBuilder): readonly Statement[] {
  return [
    ...storedTables(builder),
    sql.raw(`insert into stored_bodies (${BODY_COLUMNS}, request_is_truncated, answer_is_truncated, request, answer)
      select ${BODY_COLUMNS}, request_is_cut, answer_is_cut, request, answer from kept_bodies`),
    sql.raw(`insert into stored_objects (${OBJECT_COLUMNS}) select ${OBJECT_COLUMNS} from kept_objects`),
    sql.raw("drop table kept_bodies"),
    sql.raw("drop table kept_objects"),
    sql.raw("drop table entry_steps"),
    ...loginStepsTable(builder),
    sql.raw("alter table owners rename column beat to heartbeat"),
    ...(builder.kind === "sqlite" ? [] : onPostgres),
  ];
}

const onPostgres = [
  sql.raw(
    `select setval(pg_get_serial_sequence('stored_objects', 'id'), (select coalesce(max(id), 0) + 1 from stored_objects), false)`,
  ),
  sql.raw("alter sequence budgets_with_ids_id_seq rename to budgets_id_seq"),
  ...["pkey", "amount_check", "user_id_fkey"].map((name) =>
    sql.raw(`alter table budgets rename constraint budgets_with_ids_${name} to budgets_${name}`),
  ),
  sql.raw("drop function tell_of_caller cascade"),
  ...POSTGRES_NOTIFY_TRIGGERS,
];
