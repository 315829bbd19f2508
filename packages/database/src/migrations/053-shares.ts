import { sql } from "kysely";
import {
  amount,
  autoId,
  deletedWith,
  flag,
  integer,
  integerKey,
  signedAmount,
  text,
  textKey,
  withDefault,
} from "./column.ts";
import { addColumn, createIndex, createTable } from "./create-table.ts";
import type { Migration, MigrationBuilder } from "./migration.ts";

const owners = {
  id: integerKey,
  epoch: withDefault(integer, 1),
  state: withDefault(text, "live"),
  beat: withDefault(integer, 0),
  applied_id: withDefault(integer, 0),
  request_id: withDefault(text, ""),
};

const shares = {
  kind: integer,
  account: integer,
  owner: integer,
  remaining: withDefault(signedAmount, 0),
  used: withDefault(signedAmount, 0),
  requests: withDefault(signedAmount, 0),
  last_used_at: withDefault(integer, 0),
  is_scarce: withDefault(flag, 0),
};

const checkpoints = {
  request_id: textKey,
  owner: integer,
  user_id: integer,
  token_id: integer,
  token_limited: flag,
  user_budget: withDefault(integer, 0),
  token_budget: withDefault(integer, 0),
  channel_id: integer,
  delivered: amount,
  created_at: integer,
  model_name: text,
  prompt_tokens: integer,
  completion_tokens: integer,
};

const budgets = {
  id: autoId,
  user_id: deletedWith(integer, "users"),
  token_id: integer,
  amount,
  period: text,
  since: integer,
};

const budgetWindows = { id: autoId, budget_id: integer, window_start: integer, removed: withDefault(signedAmount, 0) };

/**
 * One ledger on both databases: accounts are shares of owners, the log's charges are the journal, and balances are what both add up to. What batches had
 * reserved becomes their share. Requests of stopped servers become those of a dead owner.
 */
export const sharesOfOwners: Migration = {
  number: 53,
  name: "shares",
  statements: (builder: MigrationBuilder) => [
    ...(builder.kind === "sqlite" ? [] : [LOCK_OLD_TABLES]),
    ...createTables(builder),
    ...(builder.kind === "sqlite" ? [...ADD_LATE_BALANCES, ADD_USES_OF_NOTES] : []),
    ...moveBudgets(builder),
    ...cutDelivered(builder),
    ...carryOver(builder),
    ...endOldTables(builder),
    ...(builder.kind === "sqlite" ? ACCOUNT_TRIGGERS_ON_SQLITE : ON_POSTGRES),
    ...VIEWS,
  ],
};

/**
 * A server of the version before may still run: its commits must not fall between the reading and the end of its tables. The tables are locked in the order
 * in which it reserves quota. A deadlock with another of its transactions ends the migration, and nothing of it stays.
 */
const LOCK_OLD_TABLES =
  sql.raw(`lock table user_balances, token_balances, budgets, relay_holds, budget_uses, quota_leases, instances, logs
  in access exclusive mode`);

function createTables(builder: MigrationBuilder) {
  return [
    createTable(builder, "owners", owners).addUniqueConstraint("owners_id_epoch_unique", ["id", "epoch"]),
    createIndex(builder, "owners", ["request_id"]).unique().where(sql.ref("request_id"), "<>", sql.lit("")),
    createTable(builder, "shares", shares)
      .addPrimaryKeyConstraint("shares_primary_key", ["kind", "account", "owner"])
      .addCheckConstraint("shares_covered_check", sql`kind = 3 or remaining >= 0`),
    createIndex(builder, "shares", ["owner"]).where(sql.ref("owner"), "<>", sql.lit(0)),
    createIndex(builder, "shares", ["kind", "account"]).where(sql.ref("is_scarce"), "=", sql.lit(1)),
    createTable(builder, "checkpoints", checkpoints),
    createIndex(builder, "checkpoints", ["owner"]),
    createTable(builder, "budget_windows", budgetWindows).addUniqueConstraint("budget_windows_unique", [
      "budget_id",
      "window_start",
    ]),
    ...["owner", "user_budget", "token_budget"].map((column) =>
      addColumn(builder, "logs", column, withDefault(integer, 0)),
    ),
    sql.raw(
      "create unique index logs_refunded_request_unique on logs (request_id) where type = 6 and request_id <> ''",
    ),
    ...(builder.kind === "sqlite"
      ? []
      : [sql.raw("alter table shares set (fillfactor = 70)"), sql.raw("create sequence owner_ids start 10 cache 1")]),
  ];
}

/** The rows of `relay_holds` of batches have this instance. */
const IS_BATCH = "relay_holds.instance_id = 'outlives-processes'";
const IS_REQUEST = "relay_holds.instance_id <> 'outlives-processes'";

/** SQLite may have changes of balances that nobody has added to them. */
const ADD_LATE_BALANCES = [
  sql.raw(`update user_balances set remaining = user_balances.remaining + late.remaining, used = user_balances.used + late.used,
      requests = user_balances.requests + late.requests
    from (select change.value ->> 1 as id, sum(change.value ->> 2) as remaining, sum(change.value ->> 3) as used, sum(change.value ->> 4) as requests
      from balance_changes, json_each(changes) as change where change.value ->> 0 = 0 group by 1) as late
    where late.id = user_balances.user_id`),
  sql.raw(`update token_balances set remaining = token_balances.remaining + late.remaining, used = token_balances.used + late.used,
      last_used_at = max(last_used_at, late.at)
    from (select change.value ->> 1 as id, sum(change.value ->> 2) as remaining, sum(change.value ->> 3) as used, max(change.value ->> 4) as at
      from balance_changes, json_each(changes) as change where change.value ->> 0 = 1 group by 1) as late
    where late.id = token_balances.token_id`),
];

/** When the period of a budget began that holds the time, in Unix seconds; weeks begin on Monday. */
const periodStartOnSqlite = (time: string) => `case period when 'daily' then ${time} - ${time} % 86400
  when 'weekly' then ${time} - (${time} - 345600) % 604800
  else cast(strftime('%s', ${time}, 'unixepoch', 'start of month') as integer) end`;

/** On SQLite requests in flight stand in no budget before they are charged: they count in the period in which they began. */
const ADD_USES_OF_NOTES = sql.raw(`insert into budget_uses (request_id, user_id, token_id, window_start, amount)
    select request_id, budgets.user_id, budgets.token_id, ${periodStartOnSqlite("relay_holds.created_at")}, 0
    from relay_holds join budgets on budgets.user_id = relay_holds.user_id and budgets.token_id in (0, relay_holds.token_id)
    where ${IS_REQUEST} and relay_holds.created_at >= budgets.since
    on conflict do nothing`);

/**
 * Budgets get ids, and each period that requests count in becomes an account. Charges from before name no period: they stand in `removed`.
 * A batch has a share of the period; a request in flight is charged what it had delivered, whatever it had reserved.
 */
function moveBudgets(builder: MigrationBuilder) {
  const reservedBy = (holds: string) => `coalesce((
    select sum(budget_uses.amount) from budget_uses join relay_holds on relay_holds.request_id = budget_uses.request_id
    where budget_uses.user_id = budgets.user_id and budget_uses.token_id = budgets.token_id
      and budget_uses.window_start = budgets.window_start and ${holds}), 0)`;
  const renewedOf = (table: string) =>
    `budgets_with_ids as renewed on renewed.user_id = ${table}.user_id and renewed.token_id = ${table}.token_id`;
  return [
    createTable(builder, "budgets_with_ids", budgets).addUniqueConstraint("budgets_of_unique", ["user_id", "token_id"]),
    sql.raw(`insert into budgets_with_ids (user_id, token_id, amount, period, since)
      select user_id, token_id, amount, period, since from budgets`),
    sql.raw(`insert into budget_windows (budget_id, window_start, removed)
      select renewed.id, window_start, spent - ${reservedBy("1 = 1")} from budgets join ${renewedOf("budgets")}`),
    sql.raw(`insert into shares (kind, account, owner, remaining)
      select 3, budget_windows.id, 0, budgets.amount - spent + ${reservedBy(IS_REQUEST)}
      from budgets join ${renewedOf("budgets")} join budget_windows on budget_windows.budget_id = renewed.id`),
    // Requests may have begun in a period in which none was charged yet.
    sql.raw(`insert into budget_windows (budget_id, window_start)
      select distinct renewed.id, budget_uses.window_start
      from budget_uses join relay_holds on relay_holds.request_id = budget_uses.request_id join ${renewedOf("budget_uses")}
      join budgets on budgets.user_id = renewed.user_id and budgets.token_id = renewed.token_id
      where budget_uses.window_start > budgets.window_start`),
    sql.raw(`insert into shares (kind, account, owner, remaining)
      select 3, budget_windows.id, 0, amount from budget_windows join budgets_with_ids as renewed on renewed.id = budget_windows.budget_id
      where not exists (select 1 from shares where kind = 3 and account = budget_windows.id)`),
  ];
}

/**
 * A request in flight may have delivered more than its row has reserved: all of it where that was reserved in memory. The balance covers the rest; of what
 * it does not cover the request is charged less, the last requests first. What a user or token that is gone covers is nothing that anybody has.
 */
function cutDelivered({ kind }: MigrationBuilder) {
  const [least, most] = kind === "sqlite" ? ["min", "max"] : ["least", "greatest"];
  const cut = (account: "user" | "token", requests: string) =>
    sql.raw(`update relay_holds set delivered_quota = ${account}_amount + covered.amount
      from (
        select request_id, ${most}(0, ${least}(more, remaining - before)) as amount from (
          select request_id, remaining, delivered_quota - ${account}_amount as more,
            coalesce(sum(delivered_quota - ${account}_amount) over (
              partition by relay_holds.${account}_id order by request_id rows between unbounded preceding and 1 preceding), 0) as before
          from relay_holds join ${account}_balances on ${account}_balances.${account}_id = relay_holds.${account}_id
          where delivered_quota > ${account}_amount and ${requests}) as wanted) as covered
      where covered.request_id = relay_holds.request_id`);
  return [cut("user", IS_REQUEST), cut("token", `${IS_REQUEST} and token_unlimited = 0`)];
}

/** The owner of the requests of stopped servers: it is dead, and its recovery charges them. SQLite has one owner. */
const DEAD_OWNER = { sqlite: 1, postgres: 2 } as const;

/** Owners of batches have ids above this one. */
const LAST_SERVER_ID = 1000;

function carryOver({ kind }: MigrationBuilder) {
  const owner = DEAD_OWNER[kind];
  const most = kind === "sqlite" ? "max" : "greatest";
  const ofLimitedTokens =
    "token_unlimited = 0 and exists (select 1 from tokens where tokens.id = relay_holds.token_id)";
  const ofUsers = "exists (select 1 from users where users.id = relay_holds.user_id)";
  const more = (account: "user" | "token", requests: string) => `coalesce((
    select sum(${most}(0, delivered_quota - ${account}_amount)) from relay_holds
    where relay_holds.${account}_id = ${account}s.id and ${IS_REQUEST} and ${requests}), 0)`;
  return [
    sql.raw(`insert into shares (kind, account, owner, remaining, used, requests)
      select 1, users.id, 0, coalesce(remaining, 0) - ${more("user", "1 = 1")}, coalesce(used, 0), coalesce(requests, 0)
      from users left join user_balances on user_balances.user_id = users.id`),
    sql.raw(`insert into shares (kind, account, owner, remaining, used, last_used_at)
      select 2, tokens.id, 0, coalesce(remaining, 0) - ${more("token", "token_unlimited = 0")}, coalesce(used, 0), coalesce(last_used_at, 0)
      from tokens left join token_balances on token_balances.token_id = tokens.id`),
    sql.raw(`insert into owners (id, state, applied_id) select ${owner}, 'dead', coalesce(max(id), 0) from logs`),
    sql.raw(`insert into shares (kind, account, owner, remaining)
      select 1, user_id, ${owner}, sum(${most}(delivered_quota, user_amount)) from relay_holds
      where ${IS_REQUEST} and ${ofUsers} group by user_id`),
    sql.raw(`insert into shares (kind, account, owner, remaining)
      select 2, token_id, ${owner}, sum(${most}(delivered_quota, token_amount)) from relay_holds
      where ${IS_REQUEST} and ${ofLimitedTokens} group by token_id`),
    sql.raw(`insert into checkpoints (request_id, owner, user_id, token_id, token_limited, user_budget, token_budget, channel_id, delivered, created_at,
        model_name, prompt_tokens, completion_tokens)
      select request_id, ${owner}, user_id, token_id, 1 - token_unlimited, ${windowOf("0")}, ${windowOf("relay_holds.token_id")}, channel_id,
        delivered_quota, created_at, model_name, prompt_tokens, completion_tokens
      from relay_holds where ${IS_REQUEST} and delivered_quota > 0`),
    sql.raw(`insert into owners (id, state, request_id)
      select ${LAST_SERVER_ID} + row_number() over (order by request_id), 'batch', request_id from relay_holds where ${IS_BATCH}`),
    sql.raw(`insert into shares (kind, account, owner, remaining)
      select 1, user_id, owners.id, user_amount from relay_holds join owners on owners.request_id = relay_holds.request_id
      where ${ofUsers}`),
    sql.raw(`insert into shares (kind, account, owner, remaining)
      select 2, token_id, owners.id, token_amount from relay_holds join owners on owners.request_id = relay_holds.request_id
      where ${ofLimitedTokens}`),
    sql.raw(`insert into shares (kind, account, owner, remaining)
      select 3, budget_windows.id, owners.id, budget_uses.amount from budget_uses join owners on owners.request_id = budget_uses.request_id
      join budgets_with_ids as budget on budget.user_id = budget_uses.user_id and budget.token_id = budget_uses.token_id
      join budget_windows on budget_windows.budget_id = budget.id and budget_windows.window_start = budget_uses.window_start`),
    ...(kind === "sqlite"
      ? []
      : [sql.raw(`select setval('owner_ids', (select greatest(${LAST_SERVER_ID}, max(id)) from owners))`)]),
  ];
}

/** The budget window that a request in flight counts in. */
function windowOf(tokenId: string): string {
  return `coalesce((select budget_windows.id from budget_uses
    join budgets_with_ids as budget on budget.user_id = budget_uses.user_id and budget.token_id = budget_uses.token_id
    join budget_windows on budget_windows.budget_id = budget.id and budget_windows.window_start = budget_uses.window_start
    where budget_uses.request_id = relay_holds.request_id and budget_uses.token_id = ${tokenId}), 0)`;
}

function endOldTables({ kind, schema }: MigrationBuilder) {
  const tables = [
    "user_balances",
    "token_balances",
    "relay_holds",
    "quota_leases",
    "balance_changes",
    "budget_uses",
    "budgets",
  ];
  return [
    ...(kind === "sqlite" ? [] : [sql.raw("drop function renew_caller_version cascade")]),
    ...[...tables, "caller_versions", "instances"].map((table) => schema.dropTable(table)),
    schema.alterTable("budgets_with_ids").renameTo("budgets"),
  ];
}

/** Accounts begin and end with their users and tokens. */
const ACCOUNTS = [
  ["users", 1],
  ["tokens", 2],
] as const;

const ACCOUNT_TRIGGERS_ON_SQLITE = ACCOUNTS.flatMap(([table, kind]) => [
  sql.raw(`create trigger ${table}_open_account after insert on ${table} begin
    insert into shares (kind, account, owner) values (${kind}, new.id, 0); end`),
  sql.raw(`create trigger ${table}_close_account after delete on ${table} begin
    delete from shares where kind = ${kind} and account = old.id; end`),
]);

/** Servers remember callers until they are told of a change. Told at the end of a transaction, so that nothing else waits for the lock of notifications. */
const tellOfCallers = (table: string, event: string, userId: string, condition = "") =>
  sql.raw(`create constraint trigger ${table}_${event}_tells_of_caller after ${event} on ${table}
    deferrable initially deferred for each row ${condition} execute function tell_of_caller('${userId}')`);

const changed = (counters: string) => `when (to_jsonb(old) ${counters} is distinct from to_jsonb(new) ${counters})`;

const ON_POSTGRES = [
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
  sql.raw(`create function tell_of_caller() returns trigger language plpgsql as $$
    begin
      perform pg_notify('one_api_callers', 'changed ' || (changed.line ->> tg_argv[0]))
        from unnest(array[to_jsonb(old), to_jsonb(new)]) as changed (line) where changed.line is not null;
      return null;
    end $$`),
  tellOfCallers("users", "update", "id", changed("")),
  tellOfCallers("users", "delete", "id"),
  tellOfCallers("tokens", "update", "user_id", changed("- 'flagged_count'")),
  tellOfCallers("tokens", "delete", "user_id"),
  tellOfCallers("budgets", "insert", "user_id"),
  tellOfCallers("budgets", "update", "user_id", changed("")),
  tellOfCallers("budgets", "delete", "user_id"),
];

const SIGN = "case logs.type when 2 then 1 else -1 end";
const bigint = (expression: string) => `cast(${expression} as bigint)`;

/**
 * Sums of the charges and refunds that no share has subtracted yet, by one column. Grouped once for a statement: a
 * subquery for each account would read all of them for each account. On SQLite `cross join`
 * and `+` keep the planner from reading all of the log.
 */
const unapplied = (by: string, sums: string) => `(select ${by} as account, ${sums} from owners
  cross join logs where owners.state <> 'batch' and +logs.owner = owners.id and logs.id > owners.applied_id
  and logs.type in (2, 6) group by ${by})`;

/** A column of an account, of its pool and the servers' shares. Reservations of batches count as spent. */
const inShares = (kind: number, column: string) => `pool.${column}
  + coalesce((select sum(${column}) from shares where shares.kind = ${kind} and shares.account = pool.account and shares.owner <> 0
    and shares.owner not in (select id from owners where state = 'batch')), 0)`;

const chargedToBudgets = ["user_budget", "token_budget"]
  .map(
    (column) => `select account, charged from
    ${unapplied(column, `sum(${SIGN} * logs.quota) as charged`)} as of_${column} where account <> 0`,
  )
  .join(" union all ");

/** The exact balance of each account at any moment. */
const VIEWS = [
  sql.raw(`create view user_balances as select pool.account as user_id,
    ${bigint(`${inShares(1, "remaining")} - coalesce(recent.charged, 0)`)} as remaining,
    ${bigint(`${inShares(1, "used")} + coalesce(recent.charged, 0)`)} as used,
    ${bigint(`${inShares(1, "requests")} + coalesce(recent.requests, 0)`)} as requests
    from shares as pool left join ${unapplied(
      "user_id",
      `sum(${SIGN} * logs.quota) as charged, sum(case logs.type when 2 then 1 else 0 end) as requests`,
    )} as recent on recent.account = pool.account
    where pool.kind = 1 and pool.owner = 0`),
  sql.raw(`create view token_balances as select pool.account as token_id,
    ${bigint(`${inShares(2, "remaining")} - coalesce(recent.charged, 0)`)} as remaining,
    ${bigint(`${inShares(2, "used")} + coalesce(recent.used, 0)`)} as used,
    ${bigint(`coalesce((select max(last_used_at) from (
      select last_used_at from shares where shares.kind = 2 and shares.account = pool.account
      union all select recent.last_used_at) as uses), 0)`)} as last_used_at
    from shares as pool left join ${unapplied(
      "token_id",
      `sum(${SIGN} * logs.token_amount) as charged, sum(${SIGN} * logs.quota) as used, max(logs.created_at) as last_used_at`,
    )} as recent on recent.account = pool.account
    where pool.kind = 2 and pool.owner = 0`),
  sql.raw(`create view budget_uses as select budgets.id as budget_id, newest.window_start,
    ${bigint(`budgets.amount
      - coalesce((select sum(remaining) from shares where shares.kind = 3 and shares.account = newest.id
        and shares.owner not in (select id from owners where state = 'batch')), 0)
      + coalesce(recent.charged, 0)`)} as spent
    from budgets join budget_windows as newest on newest.budget_id = budgets.id
    left join (select account, sum(charged) as charged from (${chargedToBudgets}) as parts group by account) as recent
      on recent.account = newest.id
    where newest.id = (select max(id) from budget_windows where budget_windows.budget_id = budgets.id)`),
];
