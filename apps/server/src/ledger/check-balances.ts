import { LOG_TYPE } from "@one-api/contract/logs/log";
import type { OpenDatabase } from "@one-api/database/open-database";
import { sql } from "kysely";
import { CLEARED_CHARGES } from "./clear-logs.ts";

/** A balance that is not what the ledger's rows add up to. */
export interface BalanceDifference {
  readonly account: "user" | "token" | "user-budget" | "token-budget" | "budget-use";
  readonly id: number;
  readonly what: "remaining" | "used" | "spent" | "leased";
  readonly stored: number;
  readonly expected: number;
}

interface BalanceRow {
  account: BalanceDifference["account"];
  id: number;
  remaining: number;
  used: number;
  expected_remaining: number;
  expected_used: number;
}

/** A program that only looks at the file of a server cannot have these added. */
const notYetAdded = sql`
  union all select change.value ->> 1, 0, -(change.value ->> 2), 0, -(change.value ->> 3)
    from balance_changes, json_each(changes) as change where change.value ->> 0 = 0
  union all select 0, change.value ->> 1, 0, -(change.value ->> 2), -(change.value ->> 3)
    from balance_changes, json_each(changes) as change where change.value ->> 0 = 1`;

/**
 * Compares every user's and every limited token's balance with the ledger, in one snapshot: what was granted is what remains, plus open
 * holds that are rows, plus what was charged; what is set aside in advance is what the leases say. Of budgets that renew, what is spent is the sum
 * of their uses, and each use is what its request holds or was charged. Returns the differences; none is the only good answer.
 */
export async function checkBalances(database: OpenDatabase): Promise<BalanceDifference[]> {
  const { rows } = await sql<BalanceRow>`
    with given as (
      select user_id, token_id, user_amount, token_amount, case when kind = ${CLEARED_CHARGES} then -user_amount else 0 end as used
      from ledger_entries
      union all select user_id, token_id, -user_amount, -token_amount, 0 from relay_holds
      union all select user_id, token_id, -quota, -token_amount, quota from logs where type = ${LOG_TYPE.consumption}
      ${database.kind === "sqlite" ? notYetAdded : sql``}
    ),
    users_given as (select user_id as id, sum(user_amount) as remaining, sum(used) as used from given group by user_id),
    tokens_given as (select token_id as id, sum(token_amount) as remaining, sum(used) as used from given group by token_id)
    select 'user' as account, balance.user_id as id, balance.remaining as remaining, balance.used as used,
      coalesce(expected.remaining, 0) as expected_remaining, coalesce(expected.used, 0) as expected_used
    from user_balances as balance left join users_given as expected on expected.id = balance.user_id
    union all
    select 'token', balance.token_id, balance.remaining, balance.used, coalesce(expected.remaining, 0), coalesce(expected.used, 0)
    from token_balances as balance left join tokens_given as expected on expected.id = balance.token_id`.execute(
    database.db,
  );
  return [...rows.flatMap(differences), ...(await checkBudgets(database)), ...(await checkLeases(database))];
}

/** What is set aside in advance is no more than what a user has left, and as much as the leases say. */
async function checkLeases(database: OpenDatabase): Promise<BalanceDifference[]> {
  const { rows } = await sql<Omit<BalanceDifference, "what">>`
    with leases as (
      select 'user' as account, user_id as id, sum(amount) as amount from quota_leases group by user_id
      union all select 'token', token_id, sum(token_amount) from quota_leases group by token_id
    ), balances as (
      select 'user' as account, user_id as id, leased, remaining as most from user_balances
      union all select 'token', token_id, leased, leased from token_balances
    )
    select balances.account as account, balances.id as id, leased as stored, coalesce(leases.amount, 0) as expected
    from balances left join leases on leases.account = balances.account and leases.id = balances.id
    where leased <> coalesce(leases.amount, 0) or leased > most`.execute(database.db);
  return rows.map((row) => ({ ...row, what: "leased" }));
}

/** A use whose request's row is gone was cleared with the log. */
async function checkBudgets(database: OpenDatabase): Promise<BalanceDifference[]> {
  const { rows } = await sql<Omit<BalanceDifference, "what">>`
    with uses as (
      select use.user_id as user_id, use.token_id as token_id, use.window_start as window_start, use.amount as amount,
        coalesce(hold.user_amount, charge.quota, use.amount) as expected
      from budget_uses as use
      left join relay_holds as hold on hold.request_id = use.request_id
      left join logs as charge on charge.request_id = use.request_id and charge.request_id <> '' and charge.type = ${LOG_TYPE.consumption}
    )
    select account, id, stored, expected from (
      select case when budget.token_id = 0 then 'user-budget' else 'token-budget' end as account,
        case when budget.token_id = 0 then budget.user_id else budget.token_id end as id, budget.spent as stored,
        coalesce((select sum(amount) from uses where uses.user_id = budget.user_id and uses.token_id = budget.token_id
          and uses.window_start = budget.window_start), 0) as expected
      from budgets as budget
      union all select 'budget-use', user_id, amount, expected from uses
    ) as found where stored <> expected`.execute(database.db);
  return rows.map((row) => ({ ...row, what: "spent" }));
}

function differences(row: BalanceRow): BalanceDifference[] {
  const found: BalanceDifference[] = [];
  const compare = (what: BalanceDifference["what"], stored: number, expected: number) => {
    if (stored !== expected) found.push({ account: row.account, id: row.id, what, stored, expected });
  };
  compare("remaining", row.remaining, row.expected_remaining);
  compare("used", row.used, row.expected_used);
  return found;
}
