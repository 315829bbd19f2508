import { LOG_TYPE } from "@one-api/contract/log";
import type { LogRow, Settlement, SettleOutcome } from "./ledger-operation.ts";
import type { UsageLogRow } from "./ledger-statements.ts";
import { type LedgerTransaction, takeFromTokenUpTo, takeFromUserUpTo } from "./reserve-for-token.ts";

/** One settlement of a group: what its reservation held, and where the outcome goes. */
export interface SettleStep {
  readonly settlement: Settlement;
  readonly heldFromUser: number;
  readonly heldFromToken: number;
  outcome: SettleOutcome;
}

/** What settlements leave behind beside balances. */
export interface SettledRows {
  readonly logs: UsageLogRow[];
  /** Channel id to quota spent through it. */
  readonly spentByChannel: Map<number, number>;
}

interface TokenTotals {
  refund: number;
  charged: number;
  at: number;
}

/** Settles all of one user's requests of a group: balances in one statement per user and token, rows into `rows`. */
export async function settleForUser(
  transaction: LedgerTransaction,
  userId: number,
  steps: readonly SettleStep[],
  rows: SettledRows,
): Promise<void> {
  const user = { refund: 0, charged: 0, requests: 0 };
  const tokens = new Map<number, TokenTotals>();
  for (const step of steps) {
    const { settlement } = step;
    const share = await divideCharge(transaction, step);
    step.outcome = { settled: true, charged: share.charged };
    user.refund += share.refundToUser;
    user.charged += share.charged;
    user.requests += settlement.charge === undefined ? 0 : 1;
    const token = tokens.get(settlement.tokenId) ?? { refund: 0, charged: 0, at: 0 };
    tokens.set(settlement.tokenId, {
      refund: token.refund + share.refundToToken,
      charged: token.charged + share.charged,
      at: Math.max(token.at, settlement.at),
    });
    keepRows(rows, settlement, share);
  }
  const { run, statements } = transaction;
  await statements.settleUser(run, { userId, ...user });
  for (const [tokenId, totals] of [...tokens].sort(([left], [right]) => left - right)) {
    await statements.settleToken(run, { tokenId, ...totals });
  }
}

interface ChargeShare {
  readonly charged: number;
  readonly chargedToToken: number;
  readonly shortfall: number;
  readonly refundToUser: number;
  readonly refundToToken: number;
}

/** Splits what a reservation held into charge and refund; a charge above it takes the rest only from what is there. */
async function divideCharge(transaction: LedgerTransaction, step: SettleStep): Promise<ChargeShare> {
  const { settlement, heldFromUser, heldFromToken } = step;
  const { charge = 0 } = settlement;
  const limited = !settlement.tokenUnlimited;
  const extra = charge - heldFromUser;
  if (extra <= 0) {
    return {
      charged: charge,
      chargedToToken: limited ? charge : 0,
      shortfall: 0,
      refundToUser: -extra,
      refundToToken: limited ? heldFromToken - charge : 0,
    };
  }
  const fromUser = await takeFromUserUpTo(transaction, settlement.userId, extra);
  const fromToken = limited ? await takeFromTokenUpTo(transaction, settlement.tokenId, fromUser) : 0;
  return {
    charged: heldFromUser + fromUser,
    chargedToToken: limited ? heldFromToken + fromToken : 0,
    shortfall: extra - fromUser,
    refundToUser: 0,
    refundToToken: 0,
  };
}

function keepRows(rows: SettledRows, settlement: Settlement, share: ChargeShare): void {
  if (settlement.charge !== undefined || settlement.log !== undefined) {
    rows.logs.push({
      ...(settlement.log ?? blankLog(settlement)),
      quota: share.charged,
      token_id: settlement.tokenId,
      token_amount: share.chargedToToken,
      shortfall: share.shortfall,
      hidden: settlement.log === undefined ? 1 : 0,
    });
  }
  if (settlement.charge === undefined) return;
  const spent = rows.spentByChannel.get(settlement.channelId) ?? 0;
  rows.spentByChannel.set(settlement.channelId, spent + share.charged);
}

/** The row of a charge while the log is switched off. */
function blankLog({ requestId, userId, channelId, at }: Settlement): LogRow {
  return {
    user_id: userId,
    created_at: at,
    type: LOG_TYPE.consumption,
    content: "",
    username: "",
    token_name: "",
    model_name: "",
    prompt_tokens: 0,
    completion_tokens: 0,
    channel_id: channelId,
    request_id: requestId,
    elapsed_time: 0,
    is_stream: 0,
    detail: "",
    result: "",
    status_code: 0,
  };
}
