import type { RunStatement } from "@one-api/database/open-database";
import type { Queryable } from "../../core/transaction.ts";
import { numberArray } from "@one-api/database/postgres-arrays";

/** Whose balances a lease is taken from. */
export interface LeaseOf {
  readonly userId: number;
  readonly tokenId: number;
  readonly tokenUnlimited: boolean;
}

/** What is to be set aside in advance. No user may come twice in a list. */
export interface LeaseWish extends LeaseOf {
  /** In quota. */
  readonly amount: number;
  /** As what the caller is known; where it has changed nothing is set aside. */
  readonly version: number;
}

/** What goes back. No user may come twice in a list. */
export interface LeaseReturn extends LeaseOf {
  /** Undefined: all of it, whatever it is. */
  readonly amount: number | undefined;
}

/** What a lease had, of what was to go back; nothing without one. */
export interface Returned {
  readonly userAmount: number;
  readonly tokenAmount: number;
}

/** So many times what is set aside in advance has to be there that nobody has set aside: whoever has little pays a row for each request. */
const TIMES_AS_MUCH = 16;

/**
 * Users first, in the order of the list, then their tokens, as the ledger's groups do; all in one statement, as a process that stops between two would
 * keep others from both. `$1` to `$5` are users, tokens (0 for those without quota of their own), amounts, versions and all tokens; `$6` the instance.
 */
const TAKE = `
with wish as (
  select user_id, limited_id, amount, version, token_id from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[])
    as wish (user_id, limited_id, amount, version, token_id)
), users as (
  update user_balances as balance
  set leased = balance.leased + wish.amount
  from wish
  where balance.user_id = wish.user_id and balance.user_id = any($1::bigint[])
    and balance.remaining - balance.leased >= wish.amount * ${TIMES_AS_MUCH}
    and wish.version = coalesce((select version from caller_versions as known where known.user_id = wish.user_id), 0)
    and (wish.limited_id = 0 or exists (
      select 1 from token_balances as token
      where token.token_id = wish.limited_id and token.remaining - token.leased >= wish.amount * ${TIMES_AS_MUCH}
    ))
  returning balance.user_id
), tokens as (
  update token_balances as balance
  set leased = balance.leased + wish.amount
  from wish
  where balance.token_id = wish.limited_id and balance.token_id = any($2::bigint[])
    and wish.user_id in (select user_id from users)
), leases as (
  insert into quota_leases as lease (instance_id, user_id, token_id, amount, token_amount)
  select $6::text, user_id, token_id, amount, case when limited_id = 0 then 0 else amount end
  from wish where user_id in (select user_id from users)
  on conflict (user_id, token_id, instance_id) do update
  set amount = lease.amount + excluded.amount, token_amount = lease.token_amount + excluded.token_amount, closed = 0
)
select user_id, set_config('synchronous_commit', 'off', true) from users`;

/**
 * Amounts of -1 stand for all of it. Users are locked first here too. What is found is as of the start of the statement: where somebody changed it while
 * the user was waited for, it divides by zero and leaves everything as it is.
 */
const RETURN = `
with found as (
  select lease.user_id, lease.token_id, lease.amount as whole,
    case when asked.amount < 0 then lease.amount else least(lease.amount, asked.amount) end as user_amount,
    case when asked.amount < 0 then lease.token_amount else least(lease.token_amount, asked.amount) end as token_amount
  from unnest($1::bigint[], $2::bigint[], $3::bigint[]) as asked (user_id, token_id, amount)
  join quota_leases as lease on lease.user_id = asked.user_id and lease.token_id = asked.token_id
  where lease.instance_id = $4::text and lease.user_id = any($1::bigint[])
), users as (
  update user_balances as balance set leased = balance.leased - found.user_amount
  from found where balance.user_id = found.user_id and balance.user_id = any($1::bigint[])
  returning 1
), tokens as (
  update token_balances as balance set leased = balance.leased - found.token_amount
  from found where balance.token_id = found.token_id and balance.token_id = any($2::bigint[])
), ended as (
  delete from quota_leases as lease using found
  where lease.instance_id = $4::text and lease.user_id = found.user_id and lease.token_id = found.token_id
    and lease.amount = found.whole and found.user_amount = found.whole and (select count(*) from users) >= 0
  returning 1
), lessened as (
  update quota_leases as lease
  set amount = lease.amount - found.user_amount, token_amount = lease.token_amount - found.token_amount, closed = 1
  from found
  where lease.instance_id = $4::text and lease.user_id = found.user_id and lease.token_id = found.token_id
    and lease.amount = found.whole and found.user_amount < found.whole and (select count(*) from users) >= 0
  returning 1
), changed as (
  select 1 / (case when (select count(*) from ended) + (select count(*) from lessened) = (select count(*) from found) then 1 else 0 end) as one
)
select user_id, user_amount, token_amount, one, case when $5::text = 'alone' then set_config('synchronous_commit', 'off', true) end
from found, changed`;

/** Sets aside what users and their tokens have more than plenty of, for the instance. Returns the wishes that came true. For PostgreSQL alone. */
export async function takeLeases(
  run: RunStatement,
  instanceId: string,
  wishes: readonly LeaseWish[],
): Promise<ReadonlySet<LeaseWish>> {
  const sorted = wishes.toSorted((one, other) => one.userId - other.userId);
  const { rows } = await run(TAKE, [
    numberArray(sorted.map(({ userId }) => userId)),
    numberArray(sorted.map(({ tokenId, tokenUnlimited }) => (tokenUnlimited ? 0 : tokenId))),
    numberArray(sorted.map(({ amount }) => amount)),
    numberArray(sorted.map(({ version }) => version)),
    numberArray(sorted.map(({ tokenId }) => tokenId)),
    instanceId,
  ]);
  const users = new Set(rows.map((row) => Number(row["user_id"])));
  return new Set(wishes.filter(({ userId }) => users.has(userId)));
}

/**
 * Gives back what the instance has set aside in advance, or as much of it as is still there, and closes what stays. Returns what went back, in the order
 * of the list; undefined where nothing was set aside. For PostgreSQL alone; `alone` in a transaction of its own, which needs not be on disk, and throws
 * `UnmetConditionError` where others change the same: try again then.
 */
export async function returnLeases(
  run: RunStatement,
  instanceId: string,
  returns: readonly LeaseReturn[],
  where: "alone" | "in-transaction",
): Promise<(Returned | undefined)[]> {
  const sorted = returns.toSorted((one, other) => one.userId - other.userId);
  const { rows } = await run(RETURN, [
    numberArray(sorted.map(({ userId }) => userId)),
    numberArray(sorted.map(({ tokenId }) => tokenId)),
    numberArray(sorted.map(({ amount }) => amount ?? -1)),
    instanceId,
    where,
  ]);
  const found = new Map(
    rows.map((row) => [
      Number(row["user_id"]),
      { userAmount: Number(row["user_amount"]), tokenAmount: Number(row["token_amount"]) },
    ]),
  );
  return returns.map(({ userId }) => found.get(userId));
}

/** Whether other instances have quota of the user set aside in advance and were not asked yet to give back what they do not need. */
export async function othersLease(db: Queryable, instanceId: string, userId: number): Promise<boolean> {
  const open = db
    .selectFrom("quota_leases")
    .select("instance_id")
    .where("user_id", "=", userId)
    .where("closed", "=", 0);
  return (await open.where("instance_id", "<>", instanceId).limit(1).executeTakeFirst()) !== undefined;
}
