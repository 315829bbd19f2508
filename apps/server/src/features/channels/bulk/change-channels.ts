import { CHANNEL_STATUS } from "@one-api/contract/channels/channel-constants";
import type { bulkFieldsSchema, BulkChangeOutcome } from "@one-api/contract/channels/channel-bulk";
import { joinList, splitList } from "@one-api/contract/texts";
import type { z } from "zod";
import type { CallContext } from "../../../core/call-context.ts";
import { isSettableStatus } from "../channel.policy.ts";
import type { ChannelRow } from "../channel.repository.ts";
import { type ChannelEditing, type ChannelEditInput, editInTransaction } from "../update-channel.ts";
import { forEachChannel } from "./for-each-channel.ts";

type Fields = z.output<typeof bulkFieldsSchema>;

export interface BulkChange {
  readonly ids: readonly number[];
  readonly set: Fields;
}

/**
 * Sets fields of many channels. A refused channel stays unchanged and its outcome has the reason. Outcomes
 * follow the order of the ids.
 */
export async function changeChannels(
  context: CallContext,
  editing: ChannelEditing,
  changes: readonly BulkChange[],
): Promise<BulkChangeOutcome[]> {
  const fieldsOf = new Map(changes.flatMap(({ ids, set }) => ids.map((id) => [id, set] as const)));
  const fresh: number[] = [];
  const outcomes = await forEachChannel<BulkChangeOutcome>(context, [...fieldsOf.keys()], async (transaction, id) => {
    const edit = await editInTransaction(transaction, context, editing, id, (row) => inputFor(row, fieldsOf.get(id)));
    if (edit.freshStart) fresh.push(id);
    return { id, name: edit.after.name, code: "", message: "", ...previousValues(edit.before, edit.after) };
  });
  for (const id of fresh) editing.cooldowns.forget(id);
  return outcomes;
}

function inputFor({ id, tags }: ChannelRow, fields: Fields = {}): ChannelEditInput {
  const { add_tags: added, remove_tags: removed, ...set } = fields;
  if (added === undefined && removed === undefined) return { id, ...set };
  const gone = new Set(splitList(removed ?? ""));
  const remaining = splitList(set.tags ?? tags).filter((tag) => !gone.has(tag));
  return { id, ...set, tags: joinList([...remaining, ...splitList(added ?? "")]) };
}

const INTERVALS = ["test_minutes", "balance_minutes", "models_minutes"] as const;

/** Previous values of the changed fields, for undo. A state that only the gateway sets is replaced by disabled. */
function previousValues(before: ChannelRow, after: ChannelRow): Pick<BulkChangeOutcome, "before"> {
  const was = {
    ...(before.status === after.status
      ? {}
      : { status: isSettableStatus(before.status) ? before.status : CHANNEL_STATUS.disabled }),
    ...(before.group === after.group ? {} : { group: before.group }),
    ...(before.priority === after.priority ? {} : { priority: before.priority }),
    ...(before.weight === after.weight ? {} : { weight: before.weight }),
    ...(before.tags === after.tags ? {} : { tags: before.tags }),
    ...Object.fromEntries(
      INTERVALS.flatMap((name) => (before[name] === after[name] ? [] : [[name, before[name]] as const])),
    ),
  };
  return Object.keys(was).length === 0 ? {} : { before: was };
}
