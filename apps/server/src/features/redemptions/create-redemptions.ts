import type { createRedemptionsInputSchema } from "@one-api/contract/redemption";
import { REDEMPTION_STATUS } from "@one-api/contract/redemption-constants";
import type { z } from "zod";
import { recordAudit } from "../../core/audit.ts";
import { type CallContext, requireActor } from "../../core/call-context.ts";
import { nowSeconds } from "../../platform/clock.ts";
import { randomText } from "../../core/secrets.ts";
import { inTransaction } from "../../core/transaction.ts";
import { insertRedemptions } from "./redemption.repository.ts";

const KEY_LENGTH = 32;

/** Creates `count` codes, all or none, and returns them. */
export async function createRedemptions(
  context: CallContext,
  { name, quota, count }: z.output<typeof createRedemptionsInputSchema>,
): Promise<string[]> {
  const actor = requireActor(context);
  const { secrets } = context;
  const keys = Array.from({ length: count }, () => randomText(KEY_LENGTH));
  const shared = {
    user_id: actor.id,
    name,
    status: REDEMPTION_STATUS.unused,
    quota,
    created_time: nowSeconds(context.clock),
    redeemed_by: null,
  };
  await inTransaction(context.database, async (transaction) => {
    const rows = keys.map((key) => ({
      ...shared,
      key_hmac: secrets.lookup(key),
      key_cipher: secrets.seal("redemption-code", key),
    }));
    const ids = await insertRedemptions(transaction, rows);
    const first = Math.min(...ids);
    const detail = { name, quota, count, last_id: Math.max(...ids) };
    await recordAudit(transaction, context, { action: "redemption.create", object: `redemption:${first}`, detail });
    await context.rememberAnswer?.(transaction, keys);
  });
  return keys;
}
