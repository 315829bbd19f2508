import type { Channel } from "@one-api/contract/channels/channel";
import type { updateChannelInputSchema } from "@one-api/contract/channels/channel-input";
import { movesAway } from "@one-api/contract/channels/channel-types";
import { CHANNEL_STATUS } from "@one-api/contract/channels/channel-constants";
import type { ChannelConnection } from "@one-api/contract/channels/channel-connection";
import type { ChannelConfig } from "@one-api/contract/channels/channel-json";
import type { z } from "zod";
import { recordAudit } from "../../core/audit.ts";
import type { CallContext } from "../../core/call-context.ts";
import { nowSeconds } from "../../platform/clock.ts";
import type { OptionStore } from "../../core/option-store.ts";
import { placeOf, type Secrets } from "../../core/secrets.ts";
import { inTransaction, type Queryable } from "../../core/transaction.ts";
import { openConfig, parseConfig, splitConfig, storeConfig } from "./channel-config.ts";
import type { ChannelCooldowns } from "./channel-dependencies.ts";
import {
  channelNotFound,
  checkCallable,
  checkRegion,
  checkSettableStatus,
  hasSpentLimit,
  keyNeeded,
  tidyChannel,
} from "./channel.policy.ts";
import { describeChanges, presentChannel, readHint } from "./channel.present.ts";
import { indexChannels, unindexChannels } from "./channel-models.repository.ts";
import {
  type ChannelChanges,
  type ChannelFields,
  type ChannelRow,
  changeChannel,
  lockSealedChannel,
  type SealedChannelRow,
} from "./channel.repository.ts";
import { recordDecision } from "./decisions/decision.repository.ts";
import { deleteKeys, enableKeys } from "./keys/key.repository.ts";
import { expiryOfKey } from "./keys/key-expiry.ts";
import { readSecretStates } from "./keys/read-secret-states.ts";
import { UNKNOWN_BALANCE } from "./keys/sum-key-balances.ts";
import { editProxy } from "./channel-proxy.ts";
import { configOfKey, readOneKey } from "./channel-key.policy.ts";

export type ChannelEditInput = z.output<typeof updateChannelInputSchema>;

export interface ChannelEditing {
  readonly cooldowns: ChannelCooldowns;
  readonly options: OptionStore;
}

/**
 * Changes the given fields. An empty key leaves the stored one. Throws `channel-not-found` and refusals of
 * the input.
 */
export async function updateChannel(
  context: CallContext,
  { cooldowns, options }: ChannelEditing,
  input: ChannelEditInput,
): Promise<Channel> {
  const edit = await inTransaction(context.database, (transaction) =>
    editInTransaction(transaction, context, { cooldowns, options }, input.id, () => input),
  );
  if (edit.freshStart) cooldowns.forget(input.id);
  context.changes.announce("channels");
  const states = await readSecretStates(context.database.db, context.secrets, [input.id]);
  return { ...presentChannel(edit.after, cooldowns, nowSeconds(context.clock)), ...states.get(input.id) };
}

interface ChannelEdit {
  readonly before: SealedChannelRow;
  readonly after: ChannelRow;
  readonly changes: ChannelChanges;
  /** True if recent failures no longer concern the channel. */
  readonly freshStart: boolean;
}

/**
 * Changes a channel in the caller's transaction; the caller announces the change. `inputOf` receives the
 * channel before it. An edit without a change leaves no audit entry.
 * Throws `channel-not-found` and refusals of the input before anything is written.
 */
export async function editInTransaction(
  transaction: Queryable,
  context: CallContext,
  { cooldowns, options }: ChannelEditing,
  id: number,
  inputOf: (before: ChannelRow) => ChannelEditInput,
): Promise<ChannelEdit> {
  const before = await lockSealedChannel(transaction, id);
  if (before === undefined) throw channelNotFound(id);
  const shownStatus = presentChannel(before, cooldowns, nowSeconds(context.clock)).status;
  const edited = editChannel(before, inputOf(before), shownStatus, context.secrets);
  const changes = { ...edited, ...limitColumns(before, edited, options.number("QuotaPerUnit")) };
  if (Object.keys(changes).length === 0) return { before, after: before, changes, freshStart: false };
  const after = await changeChannel(transaction, id, changes);
  if (after === undefined) throw channelNotFound(id);
  await updateIndex(transaction, after, changes);
  if (changes.key_cipher !== undefined) await deleteKeys(transaction, id);
  if (changes.status === CHANNEL_STATUS.enabled) await enableKeys(transaction, id);
  const detail = describeChanges(before, changes);
  await recordAudit(transaction, context, { action: "channel.update", object: `channel:${id}`, detail });
  if (before.status !== after.status && edited.status === undefined) {
    const revival = { channelId: id, kind: "enabled", model: "", code: "limit-raised", message: "", until: 0 } as const;
    await recordDecision(transaction, { ...revival, times: 1 }, nowSeconds(context.clock));
  }
  return { before, after, changes, freshStart: changes.status !== undefined || changes.key_cipher !== undefined };
}

/**
 * Effect of an edit on the spending limit. Enabling a spent channel resets its usage; raising the limit
 * enables a channel that the gateway disabled for it.
 */
function limitColumns(before: SealedChannelRow, changes: ChannelChanges, quotaPerUnit: number): ChannelChanges {
  const spent = hasSpentLimit({ ...before, ...limitOf(changes) }, quotaPerUnit);
  if (changes.status === CHANNEL_STATUS.enabled) return spent ? { soft_limit_base_quota: before.used_quota } : {};
  const wasSpent = readHint(before.status_hint)?.code === "spending-limit";
  const revives = changes.status === undefined && before.status === CHANNEL_STATUS.autoDisabled && wasSpent && !spent;
  return revives ? { status: CHANNEL_STATUS.enabled, status_reason: "", status_hint: "" } : {};
}

function limitOf({ soft_limit_usd }: ChannelChanges): { soft_limit_usd?: number } {
  return typeof soft_limit_usd === "number" ? { soft_limit_usd } : {};
}

async function updateIndex(queryable: Queryable, channel: ChannelRow, changes: ChannelChanges): Promise<void> {
  if (changes.models === undefined && changes.group === undefined) return;
  await unindexChannels(queryable, [channel.id]);
  await indexChannels(queryable, [channel]);
}

/**
 * Returns the changed columns. A status equal to the displayed one, which forms repeat, is not a change.
 * Throws refusals, also of a new address without a new key.
 */
function editChannel(
  before: SealedChannelRow,
  input: ChannelEditInput,
  shownStatus: number,
  secrets: Secrets,
): ChannelChanges {
  const fields = tidyChannel(mergeFields(before, input), 1);
  const moves = movesAway(before, fields);
  const key = readOneKey(fields.type, input.key ?? "");
  if (moves && key === "") throw keyNeeded(fields.type !== before.type);
  const proxy = editProxy(before, input.proxy, secrets);
  const config = editConfig(before, input.config, configOfKey(fields.type, key), moves, secrets);
  if (mayCall(input)) checkEdited({ ...fields, ...secretsOf(before, config) }, key, secrets);
  return {
    ...differences(before, key === "" ? fields : { ...fields, key_expires_at: endOfNewKey(before, fields, key) }),
    ...(key === "" ? {} : { key_cipher: secrets.seal("channel-key", key), ...newKeyColumns(before) }),
    ...config,
    ...(proxy === before ? {} : { proxy: proxy.proxy, proxy_cipher: proxy.proxy_cipher }),
    ...(input.status === undefined || input.status === shownStatus
      ? {}
      : statusColumns(input.status, input.paused_until)),
  };
}

/**
 * True if the edit concerns calls to the provider or enables the channel. Other edits may leave an incomplete
 * channel.
 */
function mayCall({ type, base_url, dialect_urls, other, config, key, status }: ChannelEditInput): boolean {
  const touches = [type, base_url, dialect_urls, other, config, key].some(
    (value) => (value ?? undefined) !== undefined,
  );
  return touches || status === CHANNEL_STATUS.enabled;
}

type SealedColumns = Pick<SealedChannelRow, "config" | "config_cipher" | "key_cipher">;
type EditedChannel = ChannelFields & SealedColumns;

function secretsOf(before: SealedChannelRow, changes: ChannelChanges): SealedColumns {
  const { config = before.config, config_cipher = before.config_cipher } = changes;
  return { config, config_cipher, key_cipher: before.key_cipher };
}

/** Refuses a channel without a value that its provider requires. An empty `key` means the stored one. */
function checkEdited(edited: EditedChannel, key: string, secrets: Secrets): void {
  const connection = connectionOf(edited, key, secrets);
  if (connection !== undefined) checkCallable(edited.type, connection);
}

function connectionOf(edited: EditedChannel, key: string, secrets: Secrets): ChannelConnection | undefined {
  const { base_url: baseUrl, organization, other } = edited;
  try {
    const { open, secret } = openConfig(edited, secrets, edited.name);
    const current = key === "" ? secrets.open("channel-key", edited.key_cipher, edited.name) : key;
    return { baseUrl, key: current, organization, other, config: { ...open, ...secret } };
  } catch {
    return undefined;
  }
}

/** The end of the key before is not that of the new one, unless the input sets another. */
function endOfNewKey(before: ChannelFields, { key_expires_at: given }: ChannelFields, key: string): number {
  return given === before.key_expires_at ? expiryOfKey(key) : given;
}

/** A new key clears failures, cooldowns and the balance of the old one. The cause of an automatic disabling stays. */
function newKeyColumns(before: SealedChannelRow): ChannelChanges {
  const { status, status_hint, awake_time, balance_updated_time: reportedAt } = before;
  return {
    ...(reportedAt === 0 ? {} : UNKNOWN_BALANCE),
    ...(awake_time === 0 ? {} : { awake_time: 0 }),
    ...(status_hint === "" || status === CHANNEL_STATUS.autoDisabled ? {} : { status_hint: "" }),
  };
}

function mergeFields(before: SealedChannelRow, input: ChannelEditInput): ChannelFields {
  return {
    type: input.type ?? before.type,
    name: input.name ?? before.name,
    base_url: input.base_url ?? before.base_url,
    dialect_urls: input.dialect_urls ?? before.dialect_urls,
    other: input.other ?? before.other,
    models: input.models ?? before.models,
    group: input.group ?? before.group,
    model_mapping: input.model_mapping ?? before.model_mapping,
    costs: input.costs ?? before.costs,
    overrides: input.overrides ?? before.overrides,
    first_token_seconds: input.first_token_seconds ?? before.first_token_seconds,
    idle_seconds: input.idle_seconds ?? before.idle_seconds,
    total_seconds: input.total_seconds ?? before.total_seconds,
    paused_until: input.paused_until ?? before.paused_until,
    key_expires_at: input.key_expires_at ?? before.key_expires_at,
    system_prompt: input.system_prompt ?? before.system_prompt,
    organization: input.organization ?? before.organization,
    proxy: before.proxy,
    soft_limit_usd: input.soft_limit_usd ?? before.soft_limit_usd,
    calc_prompt: flagOr(input.calc_prompt, before.calc_prompt),
    priority: input.priority ?? before.priority,
    weight: input.weight ?? before.weight,
    tags: input.tags ?? before.tags,
    test_model: input.test_model ?? before.test_model,
    scheduled_checks: flagOr(input.scheduled_checks, before.scheduled_checks),
    test_minutes: input.test_minutes ?? before.test_minutes,
    balance_minutes: input.balance_minutes ?? before.balance_minutes,
    models_minutes: input.models_minutes ?? before.models_minutes,
  };
}

function flagOr(input: boolean | undefined, before: ChannelFields["calc_prompt"]): ChannelFields["calc_prompt"] {
  return input === undefined ? before : input ? 1 : 0;
}

function differences(before: ChannelFields, after: ChannelFields): Partial<ChannelFields> {
  const changed: Partial<ChannelFields> = { ...after };
  for (const name in changed) if (isField(name, after) && after[name] === before[name]) delete changed[name];
  return changed;
}

function isField(name: string, fields: ChannelFields): name is keyof ChannelFields {
  return Object.hasOwn(fields, name);
}

/** Secrets that are not typed again stay, unless the address changes: they were meant for the old one. */
function editConfig(
  before: SealedChannelRow,
  text: string | undefined,
  ofKey: ChannelConfig,
  moves: boolean,
  secrets: Secrets,
): ChannelChanges {
  if (text === undefined && !moves && Object.keys(ofKey).length === 0) return {};
  const stored = openConfig(
    moves ? { ...before, config_cipher: "" } : before,
    secrets,
    placeOf("channels", before.id, before.name),
  );
  const typed = splitConfig({ ...(text === undefined ? stored.open : parseConfig(text)), ...ofKey });
  checkRegion(typed.open.region);
  return storeConfig({ open: typed.open, secret: { ...stored.secret, ...typed.secret } }, secrets);
}

/** Enabling ends a dormancy and a pause, unless the edit sets one. */
function statusColumns(status: number, pausedUntil: number | undefined): ChannelChanges {
  checkSettableStatus(status);
  return {
    status,
    status_reason: "",
    status_hint: "",
    ...(status === CHANNEL_STATUS.enabled ? { awake_time: 0 } : {}),
    ...(status === CHANNEL_STATUS.enabled && pausedUntil === undefined ? { paused_until: 0 } : {}),
  };
}
