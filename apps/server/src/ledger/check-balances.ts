import type { OpenDatabase } from "@one-api/database/open-database";
import { sql } from "kysely";

/** A balance that is not what the ledger's rows add up to. */
export interface BalanceDifference {
  readonly account: "user" | "token";
  readonly id: number;
  readonly what: "remaining" | "used";
  readonly stored: number;
  readonly expected: number;
}

interface BalanceRow {
  id: number;
  remaining: number;
  used: number;
  expected_remaining: number;
  expected_used: number;
}

/**
 * Compares every user's and every limited token's balance with the ledger, in one snapshot: what was granted is what remains, plus open
 * reservations, plus what was charged. Returns the differences; none is the only good answer.
 */
export async function checkBalances(database: OpenDatabase): Promise<BalanceDifference[]> {
  const users = await sql<BalanceRow>`
    select users.id as id, users.quota as remaining, users.used_quota as used,
      (select coalesce(sum(user_amount), 0) from ledger_entries where user_id = users.id)
        - (select coalesce(sum(user_amount), 0) from reservations where user_id = users.id) as expected_remaining,
      (select coalesce(-sum(user_amount), 0) from ledger_entries where user_id = users.id and kind = 'charge') as expected_used
    from users`.execute(database.db);
  const tokens = await sql<BalanceRow>`
    select tokens.id as id, tokens.remain_quota as remaining, tokens.used_quota as used,
      (select coalesce(sum(token_amount), 0) from ledger_entries where token_id = tokens.id)
        - (select coalesce(sum(token_amount), 0) from reservations where token_id = tokens.id) as expected_remaining,
      (select coalesce(-sum(user_amount), 0) from ledger_entries where token_id = tokens.id and kind = 'charge') as expected_used
    from tokens`.execute(database.db);
  return [
    ...users.rows.flatMap((row) => differences("user", row)),
    ...tokens.rows.flatMap((row) => differences("token", row)),
  ];
}

function differences(account: BalanceDifference["account"], row: BalanceRow): BalanceDifference[] {
  const found: BalanceDifference[] = [];
  const compare = (what: BalanceDifference["what"], stored: number, expected: number) => {
    if (stored !== expected) found.push({ account, id: row.id, what, stored, expected });
  };
  compare("remaining", row.remaining, row.expected_remaining);
  compare("used", row.used, row.expected_used);
  return found;
}
