import { sql } from "kysely";
import { amount, flag, integer, text, withDefault } from "./column.ts";
import { addColumn, createTable } from "./create-table.ts";
import type { Migration, MigrationBuilder } from "./migration.ts";

/**
 * Quota that a server of several sets aside in advance of requests. It stays in what remains of the balance; how much of it is set aside stands beside
 * it. Whoever changes what callers are admitted by tells all servers that listen, at the commit.
 */
export const quotaLeases: Migration = {
  number: 48,
  name: "quota-leases",
  statements: (builder: MigrationBuilder) => [
    createTable(builder, "quota_leases", {
      instance_id: text,
      user_id: integer,
      token_id: integer,
      amount,
      token_amount: amount,
      closed: withDefault(flag, 0),
    }).addPrimaryKeyConstraint("quota_leases_primary_key", ["user_id", "token_id", "instance_id"]),
    addColumn(builder, "user_balances", "leased", withDefault(amount, 0)),
    addColumn(builder, "token_balances", "leased", withDefault(amount, 0)),
    ...(builder.kind === "sqlite" ? [] : [TELL_OF_CHANGES]),
  ],
};

const TELL_OF_CHANGES =
  sql.raw(`create or replace function renew_caller_version() returns trigger language plpgsql as $$
  declare changed_id bigint;
  begin
    for changed_id in
      select distinct (changed.line ->> tg_argv[0])::bigint
      from unnest(array[to_jsonb(old), to_jsonb(new)]) as changed (line)
      where changed.line is not null
      order by 1
    loop
      insert into caller_versions as known (user_id, version) values (changed_id, 1)
        on conflict (user_id) do update set version = known.version + 1;
      perform pg_notify('one_api_leases', 'changed ' || changed_id);
    end loop;
    return null;
  end $$`);
