import { AppError } from "../../core/app-error.ts";
import type { CallContext } from "../../core/call-context.ts";
import { inTransaction } from "../../core/transaction.ts";
import { nowSeconds } from "../../platform/clock.ts";
import { endOtherAlertStates, idOfName, queueAlert, raiseAlertState } from "../alerts/index.ts";
import { listRefusedModels, type RefusedModelsDeps } from "./list-refused-models.ts";

const DAY_SECONDS = 86_400;

/**
 * Queues an alert for each model that was refused for want of a price: once until it has one, and at most daily. Of several
 * servers one queues it. A server without a log store leaves it to the others.
 */
export async function alertRefusedModels(
  context: Pick<CallContext, "database" | "clock" | "logStore">,
  deps: RefusedModelsDeps,
): Promise<void> {
  const refused = await listRefusedModels(context, deps).catch((error: unknown) => {
    if (error instanceof AppError) return undefined;
    throw error;
  });
  if (refused === undefined) return;
  const { database, clock } = context;
  const at = nowSeconds(clock);
  for (const model of refused) {
    await inTransaction(database, async (transaction) => {
      const state = { kind: "model-price", id: idOfName(model.model), level: 1, at } as const;
      if (!(await raiseAlertState(transaction, state))) return;
      await queueAlert(transaction, { kind: "model-without-price", ...model }, at);
    });
  }
  const ids = refused.map(({ model }) => idOfName(model));
  await endOtherAlertStates(database.db, "model-price", ids, at - DAY_SECONDS);
}
