import { AppError } from "../../core/app-error.ts";
import { recordAudit } from "../../core/audit.ts";
import type { CallContext } from "../../core/call-context.ts";
import { nowSeconds } from "../../platform/clock.ts";
import { inTransaction } from "../../core/transaction.ts";
import { insertTestDelivery, markDelivered, markFailed } from "./delivery.repository.ts";
import { findReceiver } from "./receiver.repository.ts";
import { receiverNotFound } from "./save-receiver.ts";
import { type SendDeps, sendNotice } from "./send-notice.ts";

/** Sends a test message once, also to a disabled receiver. Throws `receiver-not-found` and `receiver-failed`. */
export async function testReceiver(context: CallContext, deps: SendDeps, id: number): Promise<void> {
  const { database, clock } = context;
  const { receiver, delivery } = await inTransaction(database, async (transaction) => {
    const found = await findReceiver(transaction, id);
    if (found === undefined) throw receiverNotFound();
    const { name, kind } = found;
    const detail = { name, kind };
    await recordAudit(transaction, context, { action: "receiver.test", object: `receiver:${id}`, detail });
    return { receiver: found, delivery: await insertTestDelivery(transaction, id, nowSeconds(clock)) };
  });
  const error = await sendNotice(deps, receiver, delivery, nowSeconds(clock));
  if (error === undefined) return markDelivered(database.db, delivery.id, nowSeconds(clock));
  await markFailed(database.db, delivery.id, { error, nextAt: undefined });
  throw new AppError("receiver-failed", `The test message was not delivered: ${error}`, { values: { reason: error } });
}
