import { sql } from "kysely";
import { amount, deletedWith, flag, integer, integerKey, withDefault } from "./column.ts";
import { addColumn, createTable } from "./create-table.ts";
import type { Migration, MigrationBuilder } from "./migration.ts";

const userBalances = {
  user_id: deletedWith(integerKey, "users"),
  remaining: withDefault(amount, 0),
  used: withDefault(amount, 0),
  requests: withDefault(amount, 0),
};

const tokenBalances = {
  token_id: deletedWith(integerKey, "tokens"),
  remaining: withDefault(amount, 0),
  used: withDefault(amount, 0),
  last_used_at: withDefault(integer, 0),
};

/** Balances in narrow tables of their own, charge and log entry in one row, and holds in place of reservations. */
export const balances: Migration = {
  number: 8,
  name: "balances",
  statements: (builder: MigrationBuilder) => [
    ...moveBalances(builder),
    ...mergeCharges(builder),
    builder.schema.alterTable("reservations").renameTo("relay_holds"),
    addColumn(builder, "relay_holds", "token_unlimited", withDefault(flag, 0)),
    sql`update relay_holds set token_unlimited = 1 where token_amount = 0`,
  ],
};

function moveBalances(builder: MigrationBuilder) {
  const { schema } = builder;
  return [
    createTable(builder, "user_balances", userBalances),
    sql`insert into user_balances (user_id, remaining, used, requests) select id, quota, used_quota, request_count from users`,
    createTable(builder, "token_balances", tokenBalances),
    sql`insert into token_balances (token_id, remaining, used, last_used_at) select id, remain_quota, used_quota, accessed_time from tokens`,
    ...["quota", "used_quota", "request_count"].map((column) => schema.alterTable("users").dropColumn(column)),
    ...["remain_quota", "used_quota", "accessed_time"].map((column) => schema.alterTable("tokens").dropColumn(column)),
  ];
}

/**
 * A charge whose log entry was switched off gets a hidden one; recovered ones (type 4) become consumption. Request ids are unique among
 * relayed requests only: other entries name the call that wrote them, and a call may write several.
 */
function mergeCharges(builder: MigrationBuilder) {
  const { schema } = builder;
  return [
    addColumn(builder, "logs", "token_id", withDefault(integer, 0)),
    addColumn(builder, "logs", "token_amount", withDefault(amount, 0)),
    addColumn(builder, "logs", "shortfall", withDefault(amount, 0)),
    addColumn(builder, "logs", "hidden", withDefault(flag, 0)),
    sql`update logs set request_id = '' where type in (2, 4) and request_id <> '' and id <> (select same.id from logs as same
      where same.request_id = logs.request_id and same.type in (2, 4) order by same.quota desc, same.id limit 1)`,
    sql`update logs set type = 2, quota = -entry.user_amount, token_id = entry.token_id, token_amount = -entry.token_amount, shortfall = entry.shortfall
      from ledger_entries as entry
      where entry.kind = 'charge' and entry.request_id = logs.request_id and logs.type in (2, 4)`,
    schema.dropIndex("logs_request_id_index"),
    schema
      .createIndex("logs_charged_request_unique")
      .unique()
      .on("logs")
      .column("request_id")
      .where(sql.ref("type"), "=", sql.lit(2))
      .where(sql.ref("request_id"), "<>", sql.lit("")),
    sql`insert into logs (user_id, created_at, type, content, username, token_name, model_name, quota, prompt_tokens, completion_tokens,
        channel_id, request_id, elapsed_time, is_stream, detail, token_id, token_amount, shortfall, hidden)
      select user_id, created_at, 2, '', '', '', '', -user_amount, 0, 0,
        channel_id, request_id, 0, 0, '', token_id, -token_amount, shortfall, 1
      from ledger_entries as entry
      where kind = 'charge' and not exists
        (select 1 from logs where logs.type = 2 and logs.request_id <> '' and logs.request_id = entry.request_id)
      order by id`,
    sql`delete from ledger_entries where kind = 'charge'`,
    schema.alterTable("ledger_entries").dropColumn("channel_id"),
    schema.alterTable("ledger_entries").dropColumn("shortfall"),
  ];
}
