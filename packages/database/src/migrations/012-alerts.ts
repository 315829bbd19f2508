import { sql } from "kysely";
import { amount, autoId, integer, text, withDefault } from "./column.ts";
import { addColumn, createIndex, createTable } from "./create-table.ts";
import type { Migration, MigrationBuilder } from "./migration.ts";

const emailCodes = {
  purpose: text,
  email: text,
  requester: text,
  code_hash: text,
  tries_left: amount,
  others_tries_left: amount,
  expires_at: integer,
};

const outbox = {
  id: autoId,
  created_at: integer,
  recipient: text,
  message: text,
  attempts: withDefault(amount, 0),
  due_at: integer,
};

const pendingAlerts = { id: autoId, created_at: integer, kind: text, facts: text };

const alertStates = { kind: text, id: integer, level: amount, at: integer };

/**
 * Mails that go out by themselves: what is to be sent, what was told already, and whose language is known. Codes in mails are kept for each who
 * asked, so that nobody can void another's; those of the last ten minutes are asked for again. Who has little quota at this moment is not told.
 */
export const alerts: Migration = {
  number: 12,
  name: "alerts",
  statements: (builder: MigrationBuilder) => [
    builder.schema.dropTable("email_codes"),
    createTable(builder, "email_codes", emailCodes).addPrimaryKeyConstraint("email_codes_primary_key", [
      "purpose",
      "email",
      "requester",
      "code_hash",
    ]),
    createIndex(builder, "email_codes", ["expires_at"]),
    createTable(builder, "outbox", outbox),
    createIndex(builder, "outbox", ["due_at"]),
    createTable(builder, "pending_alerts", pendingAlerts),
    createTable(builder, "alert_states", alertStates).addPrimaryKeyConstraint("alert_states_primary_key", [
      "kind",
      "id",
    ]),
    sql`insert into alert_states (kind, id, level, at)
      select 'user-quota', user_id, case when remaining = 0 then 2 else 1 end, 0 from user_balances
      where remaining < coalesce((select cast(value as bigint) from options where key = 'QuotaRemindThreshold'), 1000)`,
    addColumn(builder, "tokens", "quota_ceiling", withDefault(amount, 0)),
    sql`update tokens set quota_ceiling = (select remaining from token_balances where token_id = tokens.id)
      where exists (select 1 from token_balances where token_id = tokens.id)`,
    // Few tokens have an address, and these are looked at every few seconds.
    builder.schema
      .createIndex("tokens_with_email_index")
      .on("tokens")
      .column("id")
      .where(sql.ref("email"), "<>", sql.lit("")),
    addColumn(builder, "users", "language", withDefault(text, "")),
  ],
};
