import { LOG_TYPE } from "@one-api/contract/logs/log";
import { type RawBuilder, sql } from "kysely";
import { IS_ENTRY, REFUND_TYPE } from "./storage/journal-columns.ts";
import { type LogClearing, type Queryable, REMOVED_COLUMNS, type RemovedLog } from "./quota.ts";

/** Kind of the entry that sums the removed charges of a user or token; one for each pair of them. */
export const CLEARED_CHARGES = "cleared";

interface Charged {
  readonly userId: number;
  readonly tokenId: number;
  user: number;
  token: number;
}

/** See `QuotaLedger.clearLogs`. A row whose charge is not subtracted from its share yet stays. */
export async function clearLogs(transaction: Queryable, clearing: LogClearing): Promise<number> {
  const removed = await removeRows(transaction, clearing);
  const hidden = await hideCharges(transaction, clearing);
  const visible = [...removed.filter((row) => row.hidden === 0), ...hidden];
  await clearing.onRemoved(transaction, visible);
  return visible.length;
}

/** Rows that no share waits for, and that keep no checkpoint from being charged. */
const isDone: RawBuilder<boolean> = sql<boolean>`not exists (
  select 1 from owners where owners.id = logs.owner and owners.applied_id < logs.id)
  and not exists (select 1 from checkpoints where checkpoints.request_id = logs.request_id)`;

async function removeRows(
  transaction: Queryable,
  { before, retainChargesFrom, after, last, at }: LogClearing,
): Promise<readonly RemovedLog[]> {
  const { rows } = await sql<RemovedLog>`
    delete from logs where id > ${after} and id <= ${last} and created_at < ${before}
      and (created_at < ${retainChargesFrom} or not (${sql.raw(IS_ENTRY)})) and ${isDone}
    returning ${sql.join(REMOVED_COLUMNS.map((column) => sql.ref(column)))}`.execute(transaction);
  const charges = new Map<string, Charged>();
  const windows = new Map<number, number>();
  for (const row of rows) {
    const sign = signOf(row.type);
    if (sign === 0 || (row.quota === 0 && row.token_amount === 0)) continue;
    const name = clearedRequestId(row.user_id, row.token_id);
    const charged = charges.get(name) ?? { userId: row.user_id, tokenId: row.token_id, user: 0, token: 0 };
    charged.user += sign * row.quota;
    charged.token += sign * row.token_amount;
    charges.set(name, charged);
    for (const window of [row.user_budget, row.token_budget, row.group_budget])
      if (window !== 0) windows.set(window, (windows.get(window) ?? 0) + sign * row.quota);
  }
  for (const charged of [...charges.values()].sort(inOrder)) await addUp(transaction, charged, at);
  for (const [id, amount] of [...windows].sort(([left], [right]) => left - right))
    await sql`update budget_windows set removed = removed + ${amount} where id = ${id}`.execute(transaction);
  return rows;
}

function signOf(type: number): number {
  if (type === LOG_TYPE.consumption) return 1;
  return type === REFUND_TYPE ? -1 : 0;
}

/** Request id of the one entry that sums a user's and a token's removed charges; 0 without a token. */
export function clearedRequestId(userId: number, tokenId: number): string {
  return `${CLEARED_CHARGES}:${userId}:${tokenId}`;
}

/** A fixed order, so that two clearings cannot deadlock. */
function inOrder(left: Charged, right: Charged): number {
  return left.userId - right.userId || left.tokenId - right.tokenId;
}

async function addUp(transaction: Queryable, { userId, tokenId, user, token }: Charged, at: number): Promise<void> {
  await transaction
    .insertInto("ledger_entries")
    .values({
      kind: CLEARED_CHARGES,
      request_id: clearedRequestId(userId, tokenId),
      user_id: userId,
      token_id: tokenId,
      user_amount: -user,
      token_amount: -token,
      note: "",
      created_at: at,
    })
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
  { before, retainChargesFrom, after, last }: LogClearing,
): Promise<readonly RemovedLog[]> {
  return transaction
    .updateTable("logs")
    .set({ hidden: 1 })
    .where("id", ">", after)
    .where("id", "<=", last)
    .where("created_at", "<", before)
    .where("created_at", ">=", retainChargesFrom)
    .where("hidden", "=", 0)
    .returning(REMOVED_COLUMNS)
    .execute();
}
