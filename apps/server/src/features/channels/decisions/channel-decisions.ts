import { CHANNEL_STATUS } from "@one-api/contract/channels/channel-constants";
import {
  type ChannelDecision,
  channelDecisionSchema,
  type listChannelDecisions as listCall,
} from "@one-api/contract/channels/channel-decision";
import type { z } from "zod";
import { AppError } from "../../../core/app-error.ts";
import { recordAudit } from "../../../core/audit.ts";
import type { CallContext } from "../../../core/call-context.ts";
import { nowSeconds } from "../../../platform/clock.ts";
import { type Listed, pageOf } from "../../../core/lists/list-page.ts";
import { inTransaction, type Queryable } from "../../../core/transaction.ts";
import type { ChannelCooldowns } from "../channel-dependencies.ts";
import { channelNotFound } from "../channel.policy.ts";
import { changeChannel, type ChannelRow, findChannel, lockSealedChannel } from "../channel.repository.ts";
import { type ChannelEditing, editInTransaction } from "../update-channel.ts";
import {
  countDecisions,
  type DecisionRow,
  findDecision,
  lastDecisionOf,
  listDecisionRows,
  markUndone,
} from "./decision.repository.ts";

const STATUS_OF_KIND: ReadonlyMap<string, number> = new Map([
  ["disabled", CHANNEL_STATUS.autoDisabled],
  ["enabled", CHANNEL_STATUS.enabled],
  ["restocked", CHANNEL_STATUS.enabled],
]);

const UNDO_OF_KIND = { disabled: "enable", enabled: "disable", restocked: "reserve" } as const;

const STATUS_OF_UNDO = {
  enable: CHANNEL_STATUS.enabled,
  disable: CHANNEL_STATUS.disabled,
  reserve: CHANNEL_STATUS.reserve,
} as const;

/** Throws `channel-not-found`. */
export async function listDecisions(
  { database, clock }: CallContext,
  cooldowns: ChannelCooldowns,
  channelId: number,
  query: z.output<typeof listCall.query>,
): Promise<Listed<ChannelDecision>> {
  const channel = await findChannel(database.db, channelId);
  if (channel === undefined) throw channelNotFound(channelId);
  const rows = await listDecisionRows(database.db, channelId, pageOf(query));
  const lastOfStatus = await lastDecisionOf(database.db, channelId, [...STATUS_OF_KIND.keys()]);
  const state = { channel, lastOfStatus, cooldowns, now: nowSeconds(clock) };
  return {
    rows: rows.map((row) => presentDecision(row, state)),
    total: await countDecisions(database.db, channelId),
  };
}

/** Reverts a decision. Throws `channel-not-found`, and `channel-decision-over` if it is no longer in effect. */
export async function undoDecision(
  context: CallContext,
  editing: ChannelEditing,
  channelId: number,
  decisionId: number,
): Promise<void> {
  const now = nowSeconds(context.clock);
  await inTransaction(context.database, async (transaction) => {
    const channel = await lockSealedChannel(transaction, channelId);
    if (channel === undefined) throw channelNotFound(channelId);
    const row = await findDecision(transaction, channelId, decisionId);
    const lastOfStatus = await lastDecisionOf(transaction, channelId, [...STATUS_OF_KIND.keys()]);
    const undo = row === undefined ? "" : undoOf(row, { channel, lastOfStatus, cooldowns: editing.cooldowns, now });
    if (undo === "") throw new AppError("channel-decision-over", "Nothing is left of this decision to take back.");
    if (undo === "wake") await wakeInTransaction(transaction, context, channelId);
    else {
      const input = { id: channelId, status: STATUS_OF_UNDO[undo] };
      await editInTransaction(transaction, context, editing, channelId, () => input);
    }
    await markUndone(transaction, decisionId, now);
  });
  editing.cooldowns.forget(channelId);
  context.changes.announce("channels");
}

/** Ends the cooldowns of a channel and of its models. Throws `channel-not-found`. */
export async function wakeChannel(context: CallContext, cooldowns: ChannelCooldowns, channelId: number): Promise<void> {
  await inTransaction(context.database, (transaction) => wakeInTransaction(transaction, context, channelId));
  cooldowns.forget(channelId);
  context.changes.announce("channels");
}

async function wakeInTransaction(transaction: Queryable, context: CallContext, channelId: number): Promise<void> {
  const changed = await changeChannel(transaction, channelId, { awake_time: 0, paused_until: 0 });
  if (changed === undefined) throw channelNotFound(channelId);
  await recordAudit(transaction, context, { action: "channel.wake", object: `channel:${channelId}` });
}

interface ChannelNow {
  readonly channel: ChannelRow;
  /** Id of the last decision that set the status. */
  readonly lastOfStatus: number;
  readonly cooldowns: ChannelCooldowns;
  readonly now: number;
}

function presentDecision({ channel_id: _channel, parts, ...row }: DecisionRow, state: ChannelNow): ChannelDecision {
  const parsedParts: unknown = parts === "" ? undefined : JSON.parse(parts);
  return channelDecisionSchema.parse({ ...row, parts: parsedParts, undo: undoOf(row, state) });
}

function undoOf(
  { id, kind, model, until, undone_at: undoneAt }: Omit<DecisionRow, "channel_id" | "parts">,
  { channel, lastOfStatus, cooldowns, now }: ChannelNow,
): ChannelDecision["undo"] {
  if (undoneAt > 0) return "";
  if (isStatusKind(kind))
    return id === lastOfStatus && channel.status === STATUS_OF_KIND.get(kind) ? UNDO_OF_KIND[kind] : "";
  if (until <= now || channel.status !== CHANNEL_STATUS.enabled) return "";
  if (kind === "slept") return channel.awake_time > now ? "wake" : "";
  if (kind === "rested") return "wake";
  return cooldowns.coolingModels(channel.id).some(({ model: cooling }) => cooling === model) ? "wake" : "";
}

function isStatusKind(kind: string): kind is keyof typeof UNDO_OF_KIND {
  return Object.hasOwn(UNDO_OF_KIND, kind);
}
