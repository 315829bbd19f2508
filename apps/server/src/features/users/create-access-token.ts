import { recordAudit } from "../../core/audit.ts";
import { type CallContext, requireActor } from "../../core/call-context.ts";
import { fingerprint, randomText } from "../../core/secrets.ts";
import { inTransaction } from "../../core/transaction.ts";
import { changeUser } from "./user.repository.ts";

const ACCESS_TOKEN_LENGTH = 40;

/** Replaces the caller's system access token and returns the new one, which is kept nowhere in clear. */
export async function createAccessToken(context: CallContext): Promise<string> {
  const actor = requireActor(context);
  const token = randomText(ACCESS_TOKEN_LENGTH);
  await inTransaction(context.database, async (transaction) => {
    await changeUser(transaction, actor.id, { access_token_hash: fingerprint(token) });
    await recordAudit(transaction, context, { action: "user.create-access-token", object: `user:${actor.id}` });
  });
  context.changes.announce("users");
  return token;
}
