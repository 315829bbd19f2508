import {
  CHECKPOINT_COLUMNS,
  ENTRY_PARTS,
  ENTRY_SIGN,
  INSERT_RECOVERED,
  IS_ENTRY,
  JOURNAL_COLUMN_LIST,
  JOURNAL_COLUMNS,
} from "./journal-columns.ts";
import type { CheckpointRow } from "./storage.ts";

// The statements of the ledger on PostgreSQL. Parameters 1 and 2 are the id and the epoch of the owner, where a statement names `alive` or `mine`.

/** Channel on which servers name scarce accounts to others, as `kind:account`. */
export const RECLAIM_CHANNEL = "one_api_reclaim";

const ALIVE = "alive as materialized (select id from owners where id = $1 and epoch = $2 for key share)";

const journalArrays = (first: number) =>
  JOURNAL_COLUMNS.map(({ isNumber }, index) => `$${first + index}::${isNumber ? "bigint" : "text"}[]`).join(", ");

export const SETTLE = `
with ${ALIVE}
insert into logs (${JOURNAL_COLUMN_LIST})
select entry.* from alive, unnest(${journalArrays(3)}) as entry (${JOURNAL_COLUMN_LIST})
on conflict do nothing returning request_id, id`;

export const WRITE_LOGS = `
insert into logs (${JOURNAL_COLUMN_LIST}) select * from unnest(${journalArrays(1)}) on conflict do nothing`;

/**
 * Pool rows are locked in the order of accounts, here and in `RETURN_LEFTOVERS`, against deadlocks. A row that another server changed meanwhile is
 * skipped: the next statement acquires the rest.
 */
export const ACQUIRE = `
with ${ALIVE},
pool as materialized (
  select requested.acquisition, requested.size, requested.need, requested.want, share.kind, share.account, share.remaining, share.is_scarce
  from alive, unnest($3::int[], $4::int[], $5::bigint[], $6::bigint[], $7::bigint[], $8::bigint[])
    as requested (acquisition, size, kind, account, need, want)
  join shares as share on share.kind = requested.kind and share.account = requested.account and share.owner = 0
  order by share.kind, share.account for no key update of share),
asked as materialized (
  select acquisition, kind, account, remaining, is_scarce = 1 and (want = 0 or remaining < 16 * want) as is_scarce,
    case when is_scarce = 1 and remaining < 16 * want then need else greatest(need, least(want, remaining / 16)) end as amount,
    bool_and(remaining >= need) over same and count(*) over same = size as is_covered
  from pool window same as (partition by acquisition)),
granted as materialized (select kind, account, amount, is_scarce::int as is_scarce from asked where is_covered),
taken as (
  update shares as share set remaining = share.remaining - granted.amount, is_scarce = granted.is_scarce
  from granted
  where share.kind = granted.kind and share.account = granted.account and share.owner = 0 and share.remaining >= granted.amount
  returning share.kind, share.account, granted.amount, granted.is_scarce),
given as (
  insert into shares as share (kind, account, owner, remaining, is_scarce)
  select kind, account, $1, amount, is_scarce from taken
  on conflict (kind, account, owner) do update
  set remaining = share.remaining + excluded.remaining, is_scarce = excluded.is_scarce)
select alive.id, asked.*, taken.kind is not null as is_taken
from alive left join asked on true left join taken on taken.kind = asked.kind and taken.account = asked.account`;

export const RETURN_LEFTOVERS = `
with ${ALIVE},
pool as materialized (
  select share.kind, share.account, given.keep, given.is_scarce
  from alive, unnest($3::bigint[], $4::bigint[], $5::bigint[], $6::int[]) as given (kind, account, keep, is_scarce)
  join shares as share on share.kind = given.kind and share.account = given.account and share.owner = 0
  order by share.kind, share.account for no key update of share),
own as materialized (
  select share.kind, share.account, share.used, share.requests, share.last_used_at, pool.is_scarce,
    case when share.kind = 3 and pool.keep = 0 then share.remaining else greatest(0, share.remaining - pool.keep) end as amount
  from pool join shares as share on share.kind = pool.kind and share.account = pool.account and share.owner = $1),
lowered as (
  update shares as share
  set remaining = share.remaining - own.amount, used = 0, requests = 0, is_scarce = own.is_scarce
  from own where share.kind = own.kind and share.account = own.account and share.owner = $1),
raised as (
  update shares as share
  set remaining = share.remaining + own.amount, used = share.used + own.used, requests = share.requests + own.requests,
    last_used_at = greatest(share.last_used_at, own.last_used_at)
  from own where share.kind = own.kind and share.account = own.account and share.owner = 0)
select id from alive`;

/**
 * Skips shares of deleted accounts. Only budgets may be charged beyond their reservation; their missing rows are created. Each channel has one row,
 * locked in the order of ids.
 */
export const APPLY = `
with mine as materialized (
  update owners set applied_id = $4 where id = $1 and epoch = $2 and applied_id = $3 returning id),
entry as materialized (
  select logs.*, ${ENTRY_SIGN} from mine, logs
  where logs.id > $3 and logs.id <= $4 and logs.owner = $1 and ${IS_ENTRY}),
change as materialized (
  select kind, account, sum(amount) as amount, sum(used) as used, sum(one) as requests, max(at) as at
  from (${ENTRY_PARTS}) as part group by kind, account),
changed as (
  update shares as share
  set remaining = share.remaining - change.amount, used = share.used + change.used,
    requests = share.requests + change.requests, last_used_at = greatest(share.last_used_at, change.at)
  from change
  where change.amount > 0 and change.kind <> 3 and share.kind = change.kind and share.account = change.account and share.owner = $1),
counted as (
  insert into shares as share (kind, account, owner, remaining, used, requests, last_used_at)
  select kind, account, $1, -amount, used, requests, at from change where amount <= 0 or kind = 3
  on conflict (kind, account, owner) do update
  set remaining = share.remaining + excluded.remaining, used = share.used + excluded.used, requests = share.requests + excluded.requests,
    last_used_at = greatest(share.last_used_at, excluded.last_used_at)),
channel as materialized (
  select channels.id, entries.used
  from (select channel_id, sum(sign * quota) as used from entry where channel_id <> 0 group by channel_id) as entries
  join channels on channels.id = entries.channel_id order by channels.id for no key update of channels),
spent as (
  update channels set used_quota = greatest(0, used_quota + channel.used) from channel where channels.id = channel.id)
select id from mine`;

/** Writes nothing if the log has not grown. */
export const SKIP = `
with mine as materialized (select id, applied_id from owners where id = $1 and epoch = $2 and applied_id = $3 for key share),
moved as (
  update owners set applied_id = last.id from mine, (select max(id) as id from logs) as last
  where owners.id = mine.id and last.id > mine.applied_id returning owners.applied_id)
select coalesce(moved.applied_id, mine.applied_id) as applied_id from mine left join moved on true`;

export const isText = (name: keyof CheckpointRow): boolean => name === "request_id" || name === "model_name";

export const CHECKPOINT = `
with ${ALIVE},
gone as (delete from checkpoints using alive where owner = alive.id and request_id = any($3::text[]))
, stored as (
  insert into checkpoints (owner, ${CHECKPOINT_COLUMNS.join(", ")})
  select alive.id, row.* from alive,
    unnest(${CHECKPOINT_COLUMNS.map((name, index) => `$${4 + index}::${isText(name) ? "text" : "bigint"}[]`).join(", ")})
    as row (${CHECKPOINT_COLUMNS.join(", ")})
  on conflict (request_id) do update set owner = excluded.owner,
    ${CHECKPOINT_COLUMNS.slice(1)
      .map((name) => `${name} = excluded.${name}`)
      .join(", ")})
select id from alive`;

export const REGISTER = `
insert into owners (id, applied_id) select nextval('owner_ids'), coalesce(max(id), 0) from logs returning id, epoch, applied_id`;
export const HEARTBEAT =
  "update owners set heartbeat = heartbeat + 1 where id = $1 and epoch = $2 and state = 'live' returning id";
export const RAISE =
  "update owners set epoch = epoch + 1 where id = $1 and epoch = $2 and state = 'live' returning epoch";
export const DECLARE_DEAD = `
update owners set epoch = epoch + 1, state = 'dead'
where id = $1 and epoch = $2 and heartbeat = $3 and state = 'live' returning id`;

export const CHARGE_CHECKPOINTS = `
with dead as materialized (
  update owners set state = 'charged' where id = $1 and epoch = $2 and state = 'dead' returning id),
gone as materialized (
  delete from checkpoints using dead where checkpoints.owner = dead.id returning checkpoints.*)
${INSERT_RECOVERED}`;

export const RETURN_SHARES = `
with ready as materialized (
  select id from owners where id = $1 and epoch = $2 and state = 'charged' and not exists (
    select 1 from logs where logs.id > owners.applied_id and logs.owner = owners.id and ${IS_ENTRY}) for key share),
own as materialized (
  select share.kind, share.account from ready join shares as share on share.owner = ready.id
  order by share.kind, share.account limit $3),
pool as materialized (
  select share.kind, share.account
  from own join shares as share on share.kind = own.kind and share.account = own.account and share.owner = 0
  order by share.kind, share.account for no key update of share),
gone as materialized (
  delete from shares as share using own
  where share.kind = own.kind and share.account = own.account and share.owner = $1
    and (select count(*) from pool) >= 0
  returning share.*)
update shares as share
set remaining = share.remaining + gone.remaining, used = share.used + gone.used, requests = share.requests + gone.requests,
  last_used_at = greatest(share.last_used_at, gone.last_used_at)
from gone where share.kind = gone.kind and share.account = gone.account and share.owner = 0`;

export const COUNT_SHARES = "select count(*) as count from shares where owner = $1";
export const FORGET_OWNER = `
delete from owners where id = $1 and epoch = $2 and state = 'charged' and not exists (select 1 from shares where owner = $1)`;

export const OPEN_WINDOW = `
with budget as materialized (select id, amount from budgets where id = $1 for share),
newest as materialized (
  select id, window_start from budget_windows where budget_id = $1 and window_start >= $2 order by window_start desc limit 1),
opened as (
  insert into budget_windows (budget_id, window_start)
  select budget.id, $2 from budget where not exists (select 1 from newest)
  on conflict (budget_id, window_start) do nothing returning id, window_start),
filled as (
  insert into shares (kind, account, owner, remaining) select 3, opened.id, 0, budget.amount from opened, budget
  on conflict do nothing)
select id, window_start from opened union all select id, window_start from newest where exists (select 1 from budget)`;

export const READ_POOLS = `
select share.kind, share.account, share.remaining
from unnest($1::bigint[], $2::bigint[]) as requested (kind, account)
join shares as share on share.kind = requested.kind and share.account = requested.account and share.owner = 0`;

/**
 * Each holder answers again: one that was killed after its last answer may have leftovers. A locked share is being applied, and its owner returns
 * leftovers afterwards.
 */
export const MARK_SCARCE = `
with pool as materialized (
  select share.kind, share.account from unnest($1::bigint[], $2::bigint[]) as requested (kind, account)
  join shares as share on share.kind = requested.kind and share.account = requested.account and share.owner = 0
  order by share.kind, share.account for no key update of share),
held as materialized (
  select share.kind, share.account, share.owner from pool
  join shares as share on share.kind = pool.kind and share.account = pool.account
  where share.owner <> 0 and share.remaining > 0 and share.is_scarce = 1 for no key update of share skip locked),
asked as (
  update shares as share set is_scarce = 0
  from held where share.kind = held.kind and share.account = held.account and share.owner = held.owner),
marked as (
  update shares as share set is_scarce = 1
  from pool where share.kind = pool.kind and share.account = pool.account and share.owner = 0 and share.is_scarce = 0)
select pg_notify('${RECLAIM_CHANNEL}', kind || ':' || account) from pool`;

export const READ_SCARCE = `
select own.kind, own.account from shares as own
join shares as pool on pool.kind = own.kind and pool.account = own.account and pool.owner = 0
where own.owner = $1 and own.is_scarce = 0 and pool.is_scarce = 1`;

export const READ_HOLDERS = `
select share.kind, share.account, share.owner, share.remaining, share.is_scarce
from unnest($2::bigint[], $3::bigint[]) as requested (kind, account)
join shares as share on share.kind = requested.kind and share.account = requested.account
join owners on owners.id = share.owner and owners.state <> 'batch'
where share.owner > 0 and share.owner <> $1 and share.remaining > 0`;
