import { CHANNEL_STATUS, type ChannelHint } from "@one-api/contract/channels/channel";
import { recordAudit } from "../../../core/audit.ts";
import { type CallContext, contextOfGateway } from "../../../core/call-context.ts";
import { nowSeconds } from "../../../platform/clock.ts";
import { inTransaction, type Queryable } from "../../../core/transaction.ts";
import { noteAlert, raiseAlertState } from "../../alerts/index.ts";
import { type NewDecision, noteDecision } from "../decisions/decision.repository.ts";
import { hasSpentLimit } from "../channel.policy.ts";
import { type ChannelChanges, type ChannelRow, changeChannel, findChannel } from "../channel.repository.ts";

/** What a change by the gateway itself needs. */
export type AutomaticContext = Pick<CallContext, "database" | "clock" | "secrets" | "changes">;

/** Why the gateway does something to a channel; the message must hold no secret. */
export type ChannelReason = Pick<ChannelHint, "code" | "message" | "parts">;

const HINT_OF_FAILURE: ReadonlyMap<string, ChannelReason["code"]> = new Map([
  ["bad-credential", "key-refused"],
  ["out-of-credit", "out-of-credit"],
]);

/** What a failed attempt says against the key or the account; undefined when it says nothing of them. The message must hold no secret. */
export function refusalIn(failure: { readonly kind: string; readonly message: string }): ChannelReason | undefined {
  const code = HINT_OF_FAILURE.get(failure.kind);
  return code === undefined ? undefined : { code, message: failure.message };
}

const LONGEST_REASON = 500;
const ENABLED: readonly number[] = [CHANNEL_STATUS.enabled];
/** A hint on an automatically disabled channel says why it was disabled: it stays until the channel is enabled. */
const MAY_CHANGE_HINT: readonly number[] = Object.values(CHANNEL_STATUS).filter(
  (status) => status !== CHANNEL_STATUS.autoDisabled,
);

/**
 * Disables an enabled channel for the reason, and has root told. Returns false, and does nothing, when it is not enabled: what an administrator has set
 * stays.
 */
export async function disableChannelAutomatically(
  context: AutomaticContext,
  channelId: number,
  reason: ChannelReason,
): Promise<boolean> {
  const changed = await inTransaction(context.database, async (transaction) => {
    const row = await disableInTransaction(transaction, context, channelId, reason);
    if (row === undefined) return undefined;
    const { id, name, status_reason } = row;
    const { code, parts } = reason;
    const alert = { kind: "channel-disabled", id, name, code, reason: status_reason, ...(parts && { parts }) } as const;
    await noteAlert(transaction, alert, nowSeconds(context.clock));
    return row;
  });
  if (changed !== undefined) context.changes.announce("channels");
  return changed !== undefined;
}

/** As `disableChannelAutomatically`, in the caller's transaction, which announces the change. Returns the channel; undefined when it was not enabled. */
export async function disableInTransaction(
  transaction: Queryable,
  context: AutomaticContext,
  channelId: number,
  reason: ChannelReason,
): Promise<ChannelRow | undefined> {
  const changes: ChannelChanges = {
    status: CHANNEL_STATUS.autoDisabled,
    status_reason: reason.message.slice(0, LONGEST_REASON),
    status_hint: hintColumn(context, reason),
  };
  const action = "channel.disable-automatically";
  const row = await changeWithAudit(transaction, context, channelId, action, changes, ENABLED, reason);
  if (row !== undefined)
    await noteDecision(transaction, decisionOn(channelId, "disabled", reason), nowSeconds(context.clock));
  return row;
}

/** A decision about all of a channel that holds until something else happens. */
export function decisionOn(
  channelId: number,
  kind: NewDecision["kind"],
  why: Pick<NewDecision, "code" | "message" | "parts">,
): NewDecision {
  return { channelId, kind, model: "", ...why, until: 0, times: 1 };
}

/** Enables a channel again that the gateway has disabled itself. Returns false, and does nothing, for every other and for one that has spent its limit. */
export async function enableChannelAutomatically(
  context: AutomaticContext,
  channelId: number,
  quotaPerUnit: number,
): Promise<boolean> {
  const changes: ChannelChanges = {
    status: CHANNEL_STATUS.enabled,
    status_reason: "",
    status_hint: "",
    awake_time: 0,
  };
  const changed = await inTransaction(context.database, async (transaction) => {
    const row = await findChannel(transaction, channelId);
    if (row === undefined || hasSpentLimit(row, quotaPerUnit)) return undefined;
    const from = [CHANNEL_STATUS.autoDisabled];
    const action = "channel.enable-automatically";
    const enabled = await changeWithAudit(transaction, context, channelId, action, changes, from);
    const why = { code: "test-passed", message: "The channel passed its test." } as const;
    if (enabled !== undefined)
      await noteDecision(transaction, decisionOn(channelId, "enabled", why), nowSeconds(context.clock));
    return enabled;
  });
  if (changed !== undefined) context.changes.announce("channels");
  return changed !== undefined;
}

/** Changes a channel that is in one of the states, with an audit row of the gateway. Returns it; undefined when it is in none of them. */
export async function changeWithAudit(
  transaction: Queryable,
  context: AutomaticContext,
  channelId: number,
  action: string,
  changes: ChannelChanges,
  from: readonly number[],
  why?: ChannelReason,
): Promise<ChannelRow | undefined> {
  const row = await changeChannel(transaction, channelId, changes, from);
  if (row === undefined) return undefined;
  const gateway = contextOfGateway(context);
  const detail = { ...(why && { cause: why.code, ...why.parts }), reason: row.status_reason, name: row.name };
  await recordAudit(transaction, gateway, { action, object: `channel:${channelId}`, detail });
  return row;
}

/** Leaves a hint in the channel's row at once, or takes it away, whether or not anything else is done about it. Returns whether it may. */
export async function setHint(
  queryable: Queryable,
  context: Pick<AutomaticContext, "clock">,
  channelId: number,
  reason: ChannelReason | undefined,
): Promise<boolean> {
  const hint = reason === undefined ? "" : hintColumn(context, reason);
  return (await changeChannel(queryable, channelId, { status_hint: hint }, MAY_CHANGE_HINT)) !== undefined;
}

/** An account that is limited again and again is told of once in this time, in seconds. */
const ASLEEP_AGAIN_SECONDS = 86_400;

/**
 * Puts an enabled channel to sleep, all of it, until a moment in Unix seconds: its provider limits the account. Root is told, once a day.
 * The message is the provider's own, without secrets.
 */
export async function putChannelToSleep(
  context: AutomaticContext,
  channelId: number,
  awakeTime: number,
  message: string,
): Promise<void> {
  const changed = await inTransaction(context.database, async (transaction) => {
    const row = await changeChannel(transaction, channelId, { awake_time: awakeTime }, ENABLED);
    if (row === undefined) return false;
    const at = nowSeconds(context.clock);
    const decision = decisionOn(channelId, "slept", { code: "rate-limited", message });
    await noteDecision(transaction, { ...decision, until: awakeTime }, at);
    const state = { kind: "channel-asleep", id: channelId, level: 1, at } as const;
    if (await raiseAlertState(transaction, state, ASLEEP_AGAIN_SECONDS))
      await noteAlert(transaction, { kind: "channel-asleep", id: row.id, name: row.name, until: awakeTime }, at);
    return true;
  });
  if (changed) context.changes.announce("channels");
}

function hintColumn(context: Pick<AutomaticContext, "clock">, { message, ...reason }: ChannelReason): string {
  const hint: ChannelHint = { ...reason, message: message.slice(0, LONGEST_REASON), at: nowSeconds(context.clock) };
  return JSON.stringify(hint);
}
