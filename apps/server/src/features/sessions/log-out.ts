import { recordAudit } from "../../core/audit.ts";
import type { CallContext } from "../../core/call-context.ts";
import type { SessionCookie } from "../../core/call-registry.ts";
import { fingerprint } from "../../core/secrets.ts";
import { inTransaction } from "../../core/transaction.ts";
import { deleteSession } from "./session.repository.ts";

export async function logOut(context: CallContext, cookie: SessionCookie): Promise<void> {
  const { value, clear } = cookie;
  if (value === undefined) return;
  await inTransaction(context.database, async (transaction) => {
    const ended = await deleteSession(transaction, fingerprint(value));
    if (ended)
      await recordAudit(transaction, context, { action: "session.end", object: `user:${context.actor?.id ?? 0}` });
  });
  clear();
}
