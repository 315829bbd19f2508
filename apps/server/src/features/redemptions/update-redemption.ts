import type { Redemption, updateRedemptionInputSchema } from "@one-api/contract/redemption";
import { REDEMPTION_STATUS } from "@one-api/contract/redemption-constants";
import type { z } from "zod";
import { AppError } from "../../core/app-error.ts";
import { changesBetween, recordAudit } from "../../core/audit.ts";
import type { CallContext } from "../../core/call-context.ts";
import { inTransaction } from "../../core/transaction.ts";
import { getRedemption, redemptionNotFound } from "./list-redemptions.ts";
import { changeUnusedRedemption, deleteRedemptionRow, findRedemption } from "./redemption.repository.ts";

type Changes = Parameters<typeof changeUnusedRedemption>[2];

/** Changes an unused code and returns it. Throws `redemption-not-found` and `redemption-code-used`. */
export function updateRedemption(
  context: CallContext,
  { id, name, quota }: z.output<typeof updateRedemptionInputSchema>,
): Promise<Redemption> {
  const changes = { ...(name === undefined ? {} : { name }), ...(quota === undefined ? {} : { quota }) };
  return changeRedemption(context, id, "redemption.update", changes);
}

/** Throws the same, and `redemption-status`. */
export async function setRedemptionStatus(
  context: CallContext,
  id: number,
  status: number | undefined,
): Promise<Redemption> {
  if (status !== REDEMPTION_STATUS.unused && status !== REDEMPTION_STATUS.disabled) {
    throw new AppError("redemption-status", "status must be 1 (unused) or 2 (disabled).", { field: "status" });
  }
  return changeRedemption(context, id, "redemption.set-status", { status });
}

async function changeRedemption(
  context: CallContext,
  id: number,
  action: string,
  changes: Changes,
): Promise<Redemption> {
  await inTransaction(context.database, async (transaction) => {
    const before = await findRedemption(transaction, id);
    if (before === undefined) throw redemptionNotFound();
    if (Object.keys(changes).length > 0 && !(await changeUnusedRedemption(transaction, id, changes))) throw codeUsed();
    const detail = changesBetween(before, changes);
    await recordAudit(transaction, context, { action, object: `redemption:${id}`, detail });
  });
  return getRedemption(context, id);
}

/** Deletes a code. Redeemed quota stays. Throws `redemption-not-found`. */
export async function deleteRedemption(context: CallContext, id: number): Promise<void> {
  await inTransaction(context.database, async (transaction) => {
    const detail = await deleteRedemptionRow(transaction, id);
    if (detail === undefined) throw redemptionNotFound();
    await recordAudit(transaction, context, { action: "redemption.delete", object: `redemption:${id}`, detail });
  });
}

export function codeUsed(): AppError {
  return new AppError("redemption-code-used", "This redemption code has been used.");
}
