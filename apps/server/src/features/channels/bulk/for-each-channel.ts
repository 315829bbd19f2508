import type { BulkOutcome } from "@one-api/contract/channels/channel-bulk";
import { AppError } from "../../../core/app-error.ts";
import type { CallContext } from "../../../core/call-context.ts";
import { inTransaction, type Queryable } from "../../../core/transaction.ts";
import { nameChannels } from "../channel-list.repository.ts";

const CHANNELS_PER_TRANSACTION = 50;

/** Runs `work` for each channel; a refused one does not stop the others. `work` must throw refusals before it writes. */
export async function forEachChannel<Outcome extends BulkOutcome>(
  context: CallContext,
  ids: readonly number[],
  work: (transaction: Queryable, id: number) => Promise<Outcome>,
): Promise<(Outcome | BulkOutcome)[]> {
  const outcomes = new Map<number, Outcome | BulkOutcome>();
  // A fixed order of locks prevents deadlocks between two calls.
  const sorted = ids.toSorted((left, right) => left - right);
  try {
    for (let start = 0; start < sorted.length; start += CHANNELS_PER_TRANSACTION) {
      await inTransaction(context.database, async (transaction) => {
        for (const id of sorted.slice(start, start + CHANNELS_PER_TRANSACTION)) {
          outcomes.set(id, await outcomeOf(transaction, id, work));
        }
      });
    }
  } finally {
    // Also after a failure, as earlier transactions are committed.
    context.changes.announce("channels");
  }
  return ids.flatMap((id) => outcomes.get(id) ?? []);
}

async function outcomeOf<Outcome>(
  transaction: Queryable,
  id: number,
  work: (transaction: Queryable, id: number) => Promise<Outcome>,
): Promise<Outcome | BulkOutcome> {
  try {
    return await work(transaction, id);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const { code, message, values } = error;
    const names = await nameChannels(transaction, [id]);
    return { id, name: names.get(id) ?? "", code, message, values: textsOf(values) };
  }
}

function textsOf(values: AppError["values"] = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
}
