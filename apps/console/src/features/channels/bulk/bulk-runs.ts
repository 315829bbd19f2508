import type { BulkChangeOutcome, BulkFields, BulkOutcome } from "@one-api/contract/channels/channel-bulk";
import { callApi } from "../../../lib/api/api-client.ts";

export interface BulkChange {
  ids: number[];
  set: BulkFields;
}

/** Channels of one call: few enough that a bar moves, many enough that a thousand take seconds. */
const CHANNELS_PER_CALL = 100;

/** Results of a run. An error ended it: channels without an outcome were not reached. */
export interface BulkResult<Outcome extends BulkOutcome = BulkOutcome> {
  outcomes: Outcome[];
  error?: Error;
}

/** Changes channels call by call, and tells after each how many are done. */
export function runChanges(
  changes: readonly BulkChange[],
  onDone: (done: number) => void,
): Promise<BulkResult<BulkChangeOutcome>> {
  return runInCalls(
    changes.flatMap(({ ids, set }) => ids.map((id) => ({ id, set }))),
    (part) => callApi("POST /api/channel/bulk/change", { body: { changes: gather(part) } }),
    onDone,
  );
}

export function runDeletion(ids: readonly number[], onDone: (done: number) => void): Promise<BulkResult> {
  return runInCalls(ids, (part) => callApi("POST /api/channel/bulk/delete", { body: { ids: [...part] } }), onDone);
}

export function undoOf(outcomes: readonly BulkChangeOutcome[]): BulkChange[] {
  return gather(outcomes.flatMap(({ id, before }) => (before === undefined ? [] : [{ id, set: before }])));
}

function gather(each: readonly { id: number; set: BulkFields }[]): BulkChange[] {
  const changes = new Map<string, BulkChange>();
  for (const { id, set } of each) {
    const known = changes.get(JSON.stringify(set));
    if (known === undefined) changes.set(JSON.stringify(set), { ids: [id], set });
    else known.ids.push(id);
  }
  return [...changes.values()];
}

async function runInCalls<Item, Outcome extends BulkOutcome>(
  items: readonly Item[],
  call: (part: readonly Item[]) => Promise<Outcome[]>,
  onDone: (done: number) => void,
): Promise<BulkResult<Outcome>> {
  const outcomes: Outcome[] = [];
  for (let start = 0; start < items.length; start += CHANNELS_PER_CALL) {
    try {
      outcomes.push(...(await call(items.slice(start, start + CHANNELS_PER_CALL))));
    } catch (error) {
      return { outcomes, error: error instanceof Error ? error : new Error(String(error)) };
    }
    onDone(Math.min(start + CHANNELS_PER_CALL, items.length));
  }
  return { outcomes };
}
