import type { Token } from "@one-api/contract/token";
import { TOKEN_STATUS } from "@one-api/contract/token-constants";
import { AppError } from "../../core/app-error.ts";
import { changesBetween, recordAudit } from "../../core/audit.ts";
import { type CallContext, requireActor } from "../../core/call-context.ts";
import { nowSeconds } from "../../platform/clock.ts";
import { inTransaction } from "../../core/transaction.ts";
import { checkCanEnable, tokenNotFound } from "./token.policy.ts";
import { presentToken } from "./token.present.ts";
import { changeTokenOf, findTokenOf } from "./token.repository.ts";

/**
 * Enables or disables one of the caller's tokens.
 * Throws `token-not-found`, `token-status`, and `token-expired` or `token-exhausted` if it cannot be enabled.
 */
export async function setTokenStatus(context: CallContext, id: number, status: number | undefined): Promise<Token> {
  const actor = requireActor(context);
  if (status !== TOKEN_STATUS.enabled && status !== TOKEN_STATUS.disabled) {
    throw new AppError("token-status", "status must be 1 (enabled) or 2 (disabled).", { field: "status" });
  }
  const now = nowSeconds(context.clock);
  const row = await inTransaction(context.database, async (transaction) => {
    const before = await findTokenOf(transaction, actor.id, id);
    if (before === undefined) throw tokenNotFound();
    if (status === TOKEN_STATUS.enabled) checkCanEnable(before, now);
    const after = await changeTokenOf(transaction, actor.id, id, { status });
    if (after === undefined) throw tokenNotFound();
    await recordAudit(transaction, context, {
      action: "token.set-status",
      object: `token:${id}`,
      detail: changesBetween(before, { status }),
    });
    return after;
  });
  context.changes.announce("tokens");
  return presentToken(row, context.secrets, now);
}
