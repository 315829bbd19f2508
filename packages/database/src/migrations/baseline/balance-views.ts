import { sql } from "kysely";

const SIGN = "case logs.type when 2 then 1 else -1 end";
const bigint = (expression: string) => `cast(${expression} as bigint)`;

/**
 * Unapplied charges less refunds, by one column. Grouped once per statement: a subquery per account would read all of them for
 * each account. On SQLite `cross join` and `+` keep the planner from scanning the log.
 */
const unapplied = (by: string, sums: string) => `(select ${by} as account, ${sums} from owners
  cross join logs where owners.state <> 'batch' and +logs.owner = owners.id and logs.id > owners.applied_id
  and logs.type in (2, 6) group by ${by})`;

/** Sum of the pool's and the servers' shares. Reservations of batches count as spent. */
const inShares = (kind: number, column: string) => `pool.${column}
  + coalesce((select sum(${column}) from shares where shares.kind = ${kind} and shares.account = pool.account and shares.owner <> 0
    and shares.owner not in (select id from owners where state = 'batch')), 0)`;

const chargedToBudgets = (columns: readonly string[]) =>
  columns
    .map(
      (column) => `select account, charged from
    ${unapplied(column, `sum(${SIGN} * logs.quota) as charged`)} as of_${column} where account <> 0`,
    )
    .join(" union all ");

/** View of what is spent of each budget. `columns` of `logs` name the windows of budgets that a charge counts in. */
export const budgetUses = (columns: readonly string[]) =>
  sql.raw(`create view budget_uses as select budgets.id as budget_id, newest.window_start,
    ${bigint(`budgets.amount
      - coalesce((select sum(remaining) from shares where shares.kind = 3 and shares.account = newest.id
        and shares.owner not in (select id from owners where state = 'batch')), 0)
      + coalesce(recent.charged, 0)`)} as spent
    from budgets join budget_windows as newest on newest.budget_id = budgets.id
    left join (select account, sum(charged) as charged from (${chargedToBudgets(columns)}) as parts group by account) as recent
      on recent.account = newest.id
    where newest.id = (select max(id) from budget_windows where budget_windows.budget_id = budgets.id)`);

/** Exact balances at any moment: shares less unapplied charges. */
export const BALANCE_VIEWS = [
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
  budgetUses(["user_budget", "token_budget"]),
];
