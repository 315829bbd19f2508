import { LOG_TYPE } from "@one-api/contract/logs/log";
import type { LogClearing } from "../core/quota-ledger.ts";
import type { Queryable } from "../core/transaction.ts";

/** Kind of the entry that stands for a user's or token's charges whose rows are gone; there is one for each pair of them. */
export const CLEARED_CHARGES = "cleared";

/** What rows that are gone had charged one user through one token. */
interface Charged {
  readonly userId: number;
  readonly tokenId: number;
  user: number;
  token: number;
}

/** See `QuotaLedger.clearLogs`. */
export async function clearLogs(transaction: Queryable, clearing: LogClearing): Promise<number> {
  return (await removeRows(transaction, clearing)) + (await hideCharges(transaction, clearing));
}

async function removeRows(
  transaction: Queryable,
  { before, keepChargesFrom, after, last, at }: LogClearing,
): Promise<number> {
  const rows = await transaction
    .deleteFrom("logs")
    .where("id", ">", after)
    .where("id", "<=", last)
    .where("created_at", "<", before)
    .where((row) => row.or([row("created_at", "<", keepChargesFrom), row("type", "<>", LOG_TYPE.consumption)]))
    .returning(["type", "user_id", "token_id", "quota", "token_amount", "hidden"])
    .execute();
  const charges = new Map<string, Charged>();
  for (const { type, user_id: userId, token_id: tokenId, quota, token_amount } of rows) {
    if (type !== LOG_TYPE.consumption || (quota === 0 && token_amount === 0)) continue;
    const name = clearedRequestId(userId, tokenId);
    const charged = charges.get(name) ?? { userId, tokenId, user: 0, token: 0 };
    charged.user += quota;
    charged.token += token_amount;
    charges.set(name, charged);
  }
  if (charges.size > 0) await addUp(transaction, [...charges.values()], at);
  return rows.filter(({ hidden }) => hidden === 0).length;
}

/** Names the one entry of charges whose rows are gone, of a user and a token; 0 where no token is involved. */
export function clearedRequestId(userId: number, tokenId: number): string {
  return `${CLEARED_CHARGES}:${userId}:${tokenId}`;
}

/** In one order, so that two clearings do not wait for each other. */
function inOrder(left: Charged, right: Charged): number {
  return left.userId - right.userId || left.tokenId - right.tokenId;
}

async function addUp(transaction: Queryable, charges: readonly Charged[], at: number): Promise<void> {
  await transaction
    .insertInto("ledger_entries")
    .values(
      charges.toSorted(inOrder).map(({ userId, tokenId, user, token }) => ({
        kind: CLEARED_CHARGES,
        request_id: clearedRequestId(userId, tokenId),
        user_id: userId,
        token_id: tokenId,
        user_amount: -user,
        token_amount: -token,
        note: "",
        created_at: at,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(["request_id", "kind"]).doUpdateSet((row) => ({
        user_amount: row("ledger_entries.user_amount", "+", row.ref("excluded.user_amount")),
        token_amount: row("ledger_entries.token_amount", "+", row.ref("excluded.token_amount")),
        created_at: at,
      })),
    )
    .execute();
}

async function hideCharges(
  transaction: Queryable,
  { before, keepChargesFrom, after, last }: LogClearing,
): Promise<number> {
  const { numUpdatedRows } = await transaction
    .updateTable("logs")
    .set({ hidden: 1 })
    .where("id", ">", after)
    .where("id", "<=", last)
    .where("created_at", "<", before)
    .where("created_at", ">=", keepChargesFrom)
    .where("hidden", "=", 0)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}
