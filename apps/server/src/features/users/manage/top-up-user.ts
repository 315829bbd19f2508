import { LOG_TYPE } from "@one-api/contract/logs/log";
import type { topUpUser as topUpUserCall } from "@one-api/contract/accounts/user-management";
import type { z } from "zod";
import { AppError } from "../../../core/app-error.ts";
import { recordAudit } from "../../../core/audit.ts";
import { type CallContext, requireActor } from "../../../core/call-context.ts";
import { nowSeconds } from "../../../platform/clock.ts";
import type { OptionStore } from "../../../core/option-store.ts";
import type { QuotaLedger } from "@one-api/ledger/quota";
import { inTransaction } from "../../../core/transaction.ts";
import { writeLog } from "../../logs/index.ts";
import { describeQuota } from "../../options/index.ts";
import { checkMayEdit, userNotFound } from "./managed-user.policy.ts";
import { lockUser } from "./managed-user.repository.ts";

interface TopUpDeps {
  readonly options: OptionStore;
  readonly ledger: QuotaLedger;
}

/**
 * Adds to a user's quota, with a log entry that has the remark. Throws `user-not-found`, `user-not-below-you`
 * and `user-quota-full`.
 */
export async function topUpUser(
  context: CallContext,
  { user_id: userId, quota, remark }: z.output<(typeof topUpUserCall)["body"]>,
  { options, ledger }: TopUpDeps,
): Promise<void> {
  const actor = requireActor(context);
  const at = nowSeconds(context.clock);
  await inTransaction(context.database, async (transaction) => {
    const user = await lockUser(transaction, { id: userId });
    if (user === undefined) throw userNotFound();
    checkMayEdit(actor, user);
    const note = `added by ${actor.username}`;
    if (!(await ledger.grant(transaction, { userId, amount: quota, note, at }))) throw quotaFull();
    await writeLog(transaction, {
      created_at: at,
      type: LOG_TYPE.topUp,
      user_id: userId,
      username: user.username,
      quota,
      content: remark === "" ? `Topped up ${describeQuota(options, quota)} through the API.` : remark,
      event: { code: "quota-added", values: { quota, ...(remark === "" ? {} : { said: remark }) } },
    });
    const detail = { quota, remark };
    await recordAudit(transaction, context, { action: "user.topup", object: `user:${userId}`, detail });
    await context.rememberAnswer?.(transaction, null);
  });
  context.changes.announce("users");
}

function quotaFull(): AppError {
  return new AppError("user-quota-full", "The user's quota is too large to take this much more. Add less.", {
    field: "quota",
  });
}
