import { joinList, splitList } from "@one-api/contract/texts";
import type { createInvitationsInputSchema } from "@one-api/contract/accounts/invitation";
import type { z } from "zod";
import { recordAudit } from "../../core/audit.ts";
import { type CallContext, requireActor } from "../../core/call-context.ts";
import { nowSeconds } from "../../platform/clock.ts";
import type { OptionStore } from "../../core/option-store.ts";
import { randomText } from "../../core/secrets.ts";
import { inTransaction } from "../../core/transaction.ts";
import { checkGroups } from "../users/index.ts";
import { insertInvitations } from "./invitation.repository.ts";

const CODE_LENGTH = 24;
const DAY_SECONDS = 86_400;

/** Creates `count` invitations, all or none, and returns their codes. Throws `user-group-unknown`. */
export async function createInvitations(
  context: CallContext,
  options: OptionStore,
  { name, quota, days, count, ...input }: z.output<typeof createInvitationsInputSchema>,
): Promise<string[]> {
  const actor = requireActor(context);
  const { secrets } = context;
  const group = joinList(splitList(input.group));
  checkGroups(options, group);
  const now = nowSeconds(context.clock);
  const shared = { name, group, quota, created_by: actor.id, created_at: now, expires_at: now + days * DAY_SECONDS };
  const codes = Array.from({ length: count }, () => randomText(CODE_LENGTH));
  await inTransaction(context.database, async (transaction) => {
    const rows = codes.map((code) => ({
      ...shared,
      code_hmac: secrets.lookup(code),
      code_cipher: secrets.seal("invitation", code),
    }));
    const ids = await insertInvitations(transaction, rows);
    const first = Math.min(...ids);
    const detail = { name, group, quota, days, count, last_id: Math.max(...ids) };
    await recordAudit(transaction, context, { action: "invitation.create", object: `invitation:${first}`, detail });
    await context.rememberAnswer?.(transaction, codes);
  });
  return codes;
}
