import { sql } from "kysely";

/** Tables whose rows have an account, with its kind. */
const ACCOUNTS = [
  ["users", 1],
  ["tokens", 2],
] as const;

export const SQLITE_ACCOUNT_TRIGGERS = ACCOUNTS.flatMap(([table, kind]) => [
  sql.raw(`create trigger ${table}_open_account after insert on ${table} begin
    insert into shares (kind, account, owner) values (${kind}, new.id, 0); end`),
  sql.raw(`create trigger ${table}_close_account after delete on ${table} begin
    delete from shares where kind = ${kind} and account = old.id; end`),
]);

/** Servers cache callers until they are notified. Deferred to the commit: the lock of notifications is held for a shorter time. */
const notifyOfCallers = (table: string, event: string, userId: string, condition = "") =>
  sql.raw(`create constraint trigger ${table}_${event}_notifies_of_caller after ${event} on ${table}
    deferrable initially deferred for each row ${condition} execute function notify_of_caller('${userId}')`);

const changed = (counters: string) => `when (to_jsonb(old) ${counters} is distinct from to_jsonb(new) ${counters})`;

export const POSTGRES_ACCOUNT_TRIGGERS = [
  sql.raw(`create function open_account() returns trigger language plpgsql as $$
    begin insert into shares (kind, account, owner) values (tg_argv[0]::bigint, new.id, 0); return null; end $$`),
  sql.raw(`create function close_account() returns trigger language plpgsql as $$
    begin delete from shares where kind = tg_argv[0]::bigint and account = old.id; return null; end $$`),
  ...ACCOUNTS.flatMap(([table, kind]) => [
    sql.raw(
      `create trigger ${table}_open_account after insert on ${table} for each row execute function open_account('${kind}')`,
    ),
    sql.raw(
      `create trigger ${table}_close_account after delete on ${table} for each row execute function close_account('${kind}')`,
    ),
  ]),
];

export const POSTGRES_NOTIFY_TRIGGERS = [
  sql.raw(`create function notify_of_caller() returns trigger language plpgsql as $$
    begin
      perform pg_notify('one_api_callers', 'changed ' || (changed.line ->> tg_argv[0]))
        from unnest(array[to_jsonb(old), to_jsonb(new)]) as changed (line) where changed.line is not null;
      return null;
    end $$`),
  notifyOfCallers("users", "update", "id", changed("")),
  notifyOfCallers("users", "delete", "id"),
  notifyOfCallers("tokens", "update", "user_id", changed("- 'flagged_count'")),
  notifyOfCallers("tokens", "delete", "user_id"),
  notifyOfCallers("budgets", "insert", "user_id"),
  notifyOfCallers("budgets", "update", "user_id", changed("")),
  notifyOfCallers("budgets", "delete", "user_id"),
];
