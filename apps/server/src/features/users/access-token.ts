import { recordAudit } from "../../core/audit.ts";
import { type CallContext, requireActor } from "../../core/call-context.ts";
import { nowSeconds } from "../../platform/clock.ts";
import type { OptionStore } from "../../core/option-store.ts";
import { fingerprint, randomText } from "../../core/secrets.ts";
import { inTransaction } from "../../core/transaction.ts";
import { notifyOwner } from "./notices/notify-owner.ts";
import { changeUser, findAccessTokenState } from "./user.repository.ts";

const ACCESS_TOKEN_LENGTH = 40;

/** Replaces the caller's system access token and returns the new one. Only its hash is stored. */
export async function createAccessToken(context: CallContext, options: OptionStore): Promise<string> {
  const actor = requireActor(context);
  const token = randomText(ACCESS_TOKEN_LENGTH);
  await inTransaction(context.database, async (transaction) => {
    await changeUser(transaction, actor.id, {
      access_token_hash: fingerprint(token),
      access_token_created_at: nowSeconds(context.clock),
      access_token_used_at: 0,
    });
    await notifyOwner(transaction, context, options, { userId: actor.id, change: "access-token" });
    await recordAudit(transaction, context, { action: "user.create-access-token", object: `user:${actor.id}` });
  });
  context.changes.announce("users");
  return token;
}

export async function revokeAccessToken(context: CallContext): Promise<void> {
  const { id } = requireActor(context);
  await inTransaction(context.database, async (transaction) => {
    await changeUser(transaction, id, { access_token_hash: null });
    await recordAudit(transaction, context, { action: "user.revoke-access-token", object: `user:${id}` });
  });
  context.changes.announce("users");
}

export async function getAccessTokenState(context: CallContext) {
  const row = await findAccessTokenState(context.database.db, requireActor(context).id);
  if (row.access_token_hash === null) return { is_set: false, created_at: 0, last_used_at: 0 };
  return { is_set: true, created_at: row.access_token_created_at, last_used_at: row.access_token_used_at };
}
