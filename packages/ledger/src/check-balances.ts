import type { OpenDatabase } from "@one-api/database/open-database";
import { sql } from "kysely";
import { CLEARED_CHARGES } from "./clear-logs.ts";
import { IS_ENTRY } from "./storage/journal-columns.ts";

export interface BalanceDifference {
  readonly account: "user" | "token" | "budget" | "share" | "checkpoint";
  readonly id: number;
  readonly what: "remaining" | "used" | "owner";
  readonly stored: number;
  readonly expected: number;
}

/**
 * Compares all accounts with the ledger in one statement, also beside running servers. Returns the differences.
 *
 * - shares - unapplied charges = grants - charges, for quota and for its use
 * - shares of a budget window - unapplied charges = its amount - its charges
 * - each share covers its unapplied charges and belongs to the pool, a server or a batch
 */
export async function checkBalances({ db }: Pick<OpenDatabase, "db">): Promise<BalanceDifference[]> {
  const { rows } = await sql<BalanceDifference>`
    with entry as (
      select case logs.type when 2 then 1 else -1 end as sign, logs.owner, user_id, token_id, quota, token_amount, user_budget, token_budget, group_budget,
        case when owners.id is not null and logs.id > owners.applied_id then 1 else 0 end as is_late
      from logs left join owners on owners.id = logs.owner where ${sql.raw(IS_ENTRY)}),
    part as (
      select 1 as kind, user_id as account, owner, is_late, sign * quota as amount, sign * quota as used from entry
      union all select 2, token_id, owner, is_late, sign * token_amount, sign * quota from entry
      union all select 3, user_budget, owner, is_late, sign * quota, 0 from entry where user_budget <> 0
      union all select 3, token_budget, owner, is_late, sign * quota, 0 from entry where token_budget <> 0
      union all select 3, group_budget, owner, is_late, sign * quota, 0 from entry where group_budget <> 0),
    given as (
      select 1 as kind, user_id as account, user_amount as amount, case when kind = ${CLEARED_CHARGES} then -user_amount else 0 end as used
      from ledger_entries
      union all select 2, token_id, token_amount, case when kind = ${CLEARED_CHARGES} then -user_amount else 0 end from ledger_entries
      union all select 3, budget_windows.id, budgets.amount - budget_windows.removed, 0
        from budget_windows join budgets on budgets.id = budget_windows.budget_id
      union all select kind, account, -amount, used from part),
    stored as (
      select kind, account, remaining, used from shares
      union all select kind, account, -amount, used from part where is_late = 1),
    expected as (select kind, account, sum(amount) as remaining, sum(used) as used from given group by kind, account),
    found as (select kind, account, sum(remaining) as remaining, sum(used) as used from stored group by kind, account),
    compared as (
      select pool.kind, pool.account, found.remaining, found.used,
        coalesce(expected.remaining, 0) as expected_remaining, coalesce(expected.used, 0) as expected_used
      from shares as pool
      join found on found.kind = pool.kind and found.account = pool.account
      left join expected on expected.kind = pool.kind and expected.account = pool.account
      where pool.owner = 0
        and (pool.kind <> 3 or pool.account in (
          select max(budget_windows.id) from budget_windows join budgets on budgets.id = budget_windows.budget_id group by budget_id))),
    late as (select kind, account, owner, sum(amount) as amount from part where is_late = 1 group by kind, account, owner)
    select case kind when 1 then 'user' when 2 then 'token' else 'budget' end as account, account as id, 'remaining' as what,
      remaining as stored, expected_remaining as expected from compared where remaining <> expected_remaining
    union all
    select case kind when 1 then 'user' else 'token' end, account, 'used', used, expected_used from compared
      where kind <> 3 and used <> expected_used
    union all
    select 'share', late.account, 'remaining', coalesce(shares.remaining, 0), late.amount from late
      left join shares on shares.kind = late.kind and shares.account = late.account and shares.owner = late.owner
      where late.kind <> 3 and coalesce(shares.remaining, 0) < late.amount
        and exists (select 1 from shares as pool where pool.kind = late.kind and pool.account = late.account and pool.owner = 0)
    union all
    select 'share', account, 'owner', owner, 0 from shares where owner <> 0 and owner not in (select id from owners)
    union all
    select 'checkpoint', user_id, 'owner', owner, 0 from checkpoints where owner not in (select id from owners)`.execute(
    db,
  );
  return rows;
}
