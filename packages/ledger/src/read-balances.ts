import type { Queryable } from "./quota.ts";

export interface Balance {
  readonly remaining: number;
  readonly used: number;
}

const NOTHING: Balance = { remaining: 0, used: 0 };

/** Undefined for an unknown user. */
export async function readUserBalance(queryable: Queryable, userId: number): Promise<Balance> {
  const query = queryable.selectFrom("user_balances").select(["remaining", "used"]).where("user_id", "=", userId);
  return (await query.executeTakeFirst()) ?? NOTHING;
}

/** The balance of a token; what remains of an unlimited one means nothing. */
export async function readTokenBalance(queryable: Queryable, tokenId: number): Promise<Balance> {
  const query = queryable.selectFrom("token_balances").select(["remaining", "used"]).where("token_id", "=", tokenId);
  return (await query.executeTakeFirst()) ?? NOTHING;
}
