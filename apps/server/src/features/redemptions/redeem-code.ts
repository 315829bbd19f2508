import { LOG_TYPE } from "@one-api/contract/logs/log";
import { REDEMPTION_STATUS } from "@one-api/contract/redemption-constants";
import { AppError } from "../../core/app-error.ts";
import { recordAudit } from "../../core/audit.ts";
import { type CallContext, requireActor } from "../../core/call-context.ts";
import { nowSeconds } from "../../platform/clock.ts";
import type { OptionStore } from "../../core/option-store.ts";
import type { QuotaLedger } from "@one-api/ledger/quota";
import { inTransaction } from "../../core/transaction.ts";
import { writeLog } from "../logs/index.ts";
import { describeQuota } from "../options/index.ts";
import { countRequest, requireWithinLimit } from "../verification/index.ts";
import { findStatusByLookup, markUsed } from "./redemption.repository.ts";
import { codeUsed } from "./update-redemption.ts";

/** Limit of unknown codes. Used and disabled codes are not guesses. */
const GUESSES = { most: 10, windowSeconds: 3600 } as const;

interface RedeemDeps {
  readonly options: OptionStore;
  readonly ledger: QuotaLedger;
}

/**
 * Redeems a code in one transaction and returns its quota.
 * Throws `redemption-code-unknown`, `redemption-code-used`, `redemption-code-disabled`,
 * `redemption-quota-full` and, after ten unknown codes in an hour, `too-many-requests`.
 */
export async function redeemCode(context: CallContext, key: string, { options, ledger }: RedeemDeps): Promise<number> {
  const { id: userId, username } = requireActor(context);
  const at = nowSeconds(context.clock);
  const lookup = context.secrets.lookup(key);
  const guesses = { ...GUESSES, subject: `redeem:${userId}` };
  await requireWithinLimit(context.database.db, guesses, at);
  const quota = await inTransaction(context.database, async (transaction) => {
    const code = await markUsed(transaction, lookup, userId, at);
    if (code === undefined) throw refusalOf(await findStatusByLookup(transaction, lookup));
    const paid = await ledger.redeem(transaction, { userId, redemptionId: code.id, amount: code.quota, at });
    if (!paid) throw quotaFull();
    await writeLog(transaction, {
      created_at: at,
      type: LOG_TYPE.topUp,
      user_id: userId,
      username,
      quota: code.quota,
      content: `Redeemed ${describeQuota(options, code.quota)} with the code ${code.name} (${code.id}).`,
      event: { code: "code-redeemed", values: { quota: code.quota, name: code.name, id: code.id } },
    });
    const detail = { name: code.name, quota: code.quota };
    await recordAudit(transaction, context, { action: "redemption.redeem", object: `redemption:${code.id}`, detail });
    await context.rememberAnswer?.(transaction, code.quota);
    return code.quota;
  }).catch(async (error: unknown) => {
    if (error instanceof AppError && error.code === "redemption-code-unknown")
      await countRequest(context.database, [guesses], at);
    throw error;
  });
  context.changes.announce("users");
  return quota;
}

function refusalOf(status: number | undefined): AppError {
  if (status === REDEMPTION_STATUS.used) return codeUsed();
  if (status === REDEMPTION_STATUS.disabled)
    return new AppError("redemption-code-disabled", "This redemption code is disabled. Ask who gave it to you.", {
      field: "key",
    });
  return new AppError("redemption-code-unknown", "There is no such redemption code. Check it for typing errors.", {
    field: "key",
  });
}

function quotaFull(): AppError {
  return new AppError("redemption-quota-full", "Your quota is too large to take this code's. Use some of it first.");
}
