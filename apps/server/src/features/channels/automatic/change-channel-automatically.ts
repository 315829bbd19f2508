import { CHANNEL_STATUS } from "@one-api/contract/channels/channel-constants";
import type { ChannelHint } from "@one-api/contract/channels/channel";
import { recordAudit } from "../../../core/audit.ts";
import { type CallContext, contextOfGateway } from "../../../core/call-context.ts";
import { nowSeconds } from "../../../platform/clock.ts";
import { inTransaction, type Queryable } from "../../../core/transaction.ts";
import { queueAlert, recordAlert, raiseAlertState } from "../../alerts/index.ts";
import { type NewDecision, recordDecision } from "../decisions/decision.repository.ts";
import { hasSpentLimit } from "../channel.policy.ts";
import { type ChannelChanges, type ChannelRow, changeChannel, findChannel } from "../channel.repository.ts";

export type AutomaticContext = Pick<CallContext, "database" | "clock" | "secrets" | "changes">;

/** Cause of an automatic change. The message must not contain secrets. */
export type ChannelReason = Pick<ChannelHint, "code" | "message" | "parts">;

const HINT_OF_FAILURE: ReadonlyMap<string, ChannelReason["code"]> = new Map([
  ["bad-credential", "key-refused"],
  ["out-of-credit", "out-of-credit"],
]);

/** The cause, if the failure concerns the key or the account. The message must not contain secrets. */
export function refusalIn(failure: { readonly kind: string; readonly message: string }): ChannelReason | undefined {
  const code = HINT_OF_FAILURE.get(failure.kind);
  return code === undefined ? undefined : { code, message: failure.message };
}

const LONGEST_REASON = 500;
const ENABLED: readonly number[] = [CHANNEL_STATUS.enabled];
/** The hint of an automatically disabled channel gives the cause, so it stays until the channel is enabled. */
const MAY_CHANGE_HINT: readonly number[] = Object.values(CHANNEL_STATUS).filter(
  (status) => status !== CHANNEL_STATUS.autoDisabled,
);

/**
 * Disables an enabled channel and alerts root. Returns false for a channel that is not enabled: an
 * administrator's setting stays.
 */
export async function disableChannelAutomatically(
  context: AutomaticContext,
  channelId: number,
  reason: ChannelReason,
): Promise<boolean> {
  const changed = await inTransaction(context.database, async (transaction) => {
    const row = await disableInTransaction(transaction, context, channelId, reason);
    if (row !== undefined) await alertDisabled(transaction, row, reason, nowSeconds(context.clock));
    return row;
  });
  if (changed !== undefined) context.changes.announce("channels");
  return changed !== undefined;
}

export async function alertDisabled(
  transaction: Queryable,
  { id, name, status_reason: said }: ChannelRow,
  { code, parts }: ChannelReason,
  now: number,
): Promise<void> {
  const alert = { kind: "channel-disabled", id, name, code, reason: said, ...(parts && { parts }) } as const;
  await recordAlert(transaction, alert, now);
}

/**
 * Like `disableChannelAutomatically`, in the caller's transaction. The caller announces the change.
 * Returns undefined if the channel was not enabled.
 */
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
    probe_time: 0,
    failed_probes: 0,
  };
  const action = "channel.disable-automatically";
  const row = await changeWithAudit(transaction, context, channelId, { action, changes, from: ENABLED, why: reason });
  if (row !== undefined)
    await recordDecision(transaction, decisionOn(channelId, "disabled", reason), nowSeconds(context.clock));
  return row;
}

export function decisionOn(
  channelId: number,
  kind: NewDecision["kind"],
  why: Pick<NewDecision, "code" | "message" | "parts">,
): NewDecision {
  return { channelId, kind, model: "", ...why, until: 0, times: 1 };
}

/**
 * Enables a channel that the gateway disabled. Returns false for any other channel, and for one that has
 * reached its spending limit.
 */
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
    const enabled = await changeWithAudit(transaction, context, channelId, { action, changes, from });
    const why = { code: "test-passed", message: "The channel passed its test." } as const;
    if (enabled === undefined) return undefined;
    const now = nowSeconds(context.clock);
    await recordDecision(transaction, decisionOn(channelId, "enabled", why), now);
    const alert = { kind: "channel-enabled", id: channelId, name: enabled.name, because: why.code } as const;
    await queueAlert(transaction, alert, now);
    return enabled;
  });
  if (changed !== undefined) context.changes.announce("channels");
  return changed !== undefined;
}

interface AutomaticChange {
  /** Of the audit row. */
  readonly action: string;
  readonly changes: ChannelChanges;
  /** States that the channel may have before. */
  readonly from: readonly number[];
  readonly why?: ChannelReason;
}

/** Changes a channel and writes the gateway's audit row. Returns undefined for a channel in another state. */
export async function changeWithAudit(
  transaction: Queryable,
  context: AutomaticContext,
  channelId: number,
  { action, changes, from, why }: AutomaticChange,
): Promise<ChannelRow | undefined> {
  const row = await changeChannel(transaction, channelId, changes, from);
  if (row === undefined) return undefined;
  const gateway = contextOfGateway(context);
  const detail = { ...(why && { cause: why.code, ...why.parts }), reason: row.status_reason, name: row.name };
  await recordAudit(transaction, gateway, { action, object: `channel:${channelId}`, detail });
  return row;
}

/** Sets or clears the channel's hint. Returns false if its state does not allow that. */
export async function setHint(
  queryable: Queryable,
  context: Pick<AutomaticContext, "clock">,
  channelId: number,
  reason: ChannelReason | undefined,
): Promise<boolean> {
  const hint = reason === undefined ? "" : hintColumn(context, reason);
  return (await changeChannel(queryable, channelId, { status_hint: hint }, MAY_CHANGE_HINT)) !== undefined;
}

const DORMANT_ALERT_INTERVAL_SECONDS = 86_400;

/**
 * Makes an enabled channel dormant, because its provider limits the account. Alerts root at most once a day.
 * `message` is the provider's, without secrets.
 */
export async function makeChannelDormant(
  context: AutomaticContext,
  channelId: number,
  dormantUntil: number,
  message: string,
): Promise<void> {
  const changed = await inTransaction(context.database, async (transaction) => {
    const row = await changeChannel(transaction, channelId, { awake_time: dormantUntil }, ENABLED);
    if (row === undefined) return false;
    const at = nowSeconds(context.clock);
    const decision = decisionOn(channelId, "slept", { code: "rate-limited", message });
    await recordDecision(transaction, { ...decision, until: dormantUntil }, at);
    const state = { kind: "channel-asleep", id: channelId, level: 1, at } as const;
    if (await raiseAlertState(transaction, state, DORMANT_ALERT_INTERVAL_SECONDS))
      await recordAlert(transaction, { kind: "channel-asleep", id: row.id, name: row.name, until: dormantUntil }, at);
    return true;
  });
  if (changed) context.changes.announce("channels");
}

export function hintColumn(context: Pick<AutomaticContext, "clock">, { message, ...reason }: ChannelReason): string {
  const hint: ChannelHint = { ...reason, message: message.slice(0, LONGEST_REASON), at: nowSeconds(context.clock) };
  return JSON.stringify(hint);
}
