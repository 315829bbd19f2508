import {
  type Channel,
  CHANNEL_STATUS,
  type ChannelConfig,
  type updateChannelInputSchema,
} from "@one-api/contract/channel";
import type { z } from "zod";
import { AppError } from "../../core/app-error.ts";
import { recordAudit } from "../../core/audit.ts";
import type { CallContext } from "../../core/call-context.ts";
import type { Secrets } from "../../core/secrets.ts";
import { inTransaction, type Queryable } from "../../core/transaction.ts";
import { effectiveBaseUrl } from "@one-api/contract/channel-types";
import { openConfig, parseConfig, splitConfig, storeConfig } from "./channel-config.ts";
import type { ChannelSleep } from "./channel-dependencies.ts";
import { channelNotFound, checkRegion, checkSettableStatus, tidyChannel } from "./channel.policy.ts";
import { describeFields, presentChannel } from "./channel.present.ts";
import {
  type ChannelChanges,
  type ChannelFields,
  type ChannelRow,
  changeChannel,
  indexChannels,
  lockSealedChannel,
  type SealedChannelRow,
  unindexChannels,
} from "./channel.repository.ts";
import { configOfKey, readOneKey } from "./channel-key.policy.ts";

type ChannelEditInput = z.output<typeof updateChannelInputSchema>;

/** Changes the named fields of a channel; an empty key keeps the stored one. Throws `not-found` and `invalid-input`. */
export async function updateChannel(
  context: CallContext,
  sleep: ChannelSleep,
  input: ChannelEditInput,
): Promise<Channel> {
  const row = await inTransaction(context.database, async (transaction) => {
    const before = await lockSealedChannel(transaction, input.id);
    if (before === undefined) throw channelNotFound();
    const shownStatus = presentChannel(before, sleep).status;
    const changes = editChannel(before, input, shownStatus, context.secrets);
    const after = Object.keys(changes).length === 0 ? before : await changeChannel(transaction, input.id, changes);
    if (after === undefined) throw channelNotFound();
    await updateIndex(transaction, after, changes);
    const detail = describeFields(changes);
    await recordAudit(transaction, context, { action: "channel.update", object: `channel:${input.id}`, detail });
    return { after, freshStart: changes.status !== undefined || changes.key_cipher !== undefined };
  });
  if (row.freshStart) sleep.forget(input.id);
  context.changes.announce("channels");
  return presentChannel(row.after, sleep);
}

async function updateIndex(queryable: Queryable, channel: ChannelRow, changes: ChannelChanges): Promise<void> {
  if (changes.models === undefined && changes.group === undefined) return;
  await unindexChannels(queryable, [channel.id]);
  await indexChannels(queryable, [channel]);
}

/**
 * Returns the columns that an edit of the named fields changes. A status equal to the shown one is what a form repeats. Throws
 * `invalid-input`, also for a new address without a newly typed key: a stored secret never goes where it was not meant for.
 */
function editChannel(
  before: SealedChannelRow,
  input: ChannelEditInput,
  shownStatus: number,
  secrets: Secrets,
): ChannelChanges {
  const fields = tidyChannel(mergeFields(before, input), 1);
  const moves =
    fields.type !== before.type ||
    effectiveBaseUrl(fields.type, fields.base_url) !== effectiveBaseUrl(before.type, before.base_url);
  const key = readOneKey(fields.type, input.key ?? "");
  if (moves && key === "") throw keyNeeded(fields.type !== before.type);
  return {
    ...differences(before, fields),
    ...(key === "" ? {} : { key_cipher: secrets.seal("channel-key", key) }),
    ...editConfig(before, input.config, configOfKey(fields.type, key), moves, secrets),
    ...(input.status === undefined || input.status === shownStatus ? {} : statusColumns(input.status)),
  };
}

function mergeFields(before: SealedChannelRow, input: ChannelEditInput): ChannelFields {
  return {
    type: input.type ?? before.type,
    name: input.name ?? before.name,
    base_url: input.base_url ?? before.base_url,
    other: input.other ?? before.other,
    models: input.models ?? before.models,
    group: input.group ?? before.group,
    model_mapping: input.model_mapping ?? before.model_mapping,
    system_prompt: input.system_prompt ?? before.system_prompt,
    organization: input.organization ?? before.organization,
    soft_limit_usd: input.soft_limit_usd ?? before.soft_limit_usd,
    calc_prompt: input.calc_prompt === undefined ? before.calc_prompt : input.calc_prompt ? 1 : 0,
    priority: input.priority ?? before.priority,
    weight: input.weight ?? before.weight,
  };
}

function differences(before: ChannelFields, after: ChannelFields): Partial<ChannelFields> {
  const changed: Partial<ChannelFields> = { ...after };
  for (const name in changed) if (isField(name, after) && after[name] === before[name]) delete changed[name];
  return changed;
}

function isField(name: string, fields: ChannelFields): name is keyof ChannelFields {
  return Object.hasOwn(fields, name);
}

/** Secret parts that are not typed anew stay, unless the channel moves: they were meant for the old address. */
function editConfig(
  before: SealedChannelRow,
  text: string | undefined,
  ofKey: ChannelConfig,
  moves: boolean,
  secrets: Secrets,
): ChannelChanges {
  if (text === undefined && !moves && Object.keys(ofKey).length === 0) return {};
  const stored = openConfig(moves ? { ...before, config_cipher: "" } : before, secrets);
  const typed = splitConfig({ ...(text === undefined ? stored.open : parseConfig(text)), ...ofKey });
  checkRegion(typed.open.region);
  return storeConfig({ open: typed.open, secret: { ...stored.secret, ...typed.secret } }, secrets);
}

function statusColumns(status: number): ChannelChanges {
  checkSettableStatus(status);
  return { status, status_reason: "", ...(status === CHANNEL_STATUS.enabled ? { awake_time: 0 } : {}) };
}

function keyNeeded(typeChanged: boolean): AppError {
  const message = typeChanged
    ? "Type the key again: the stored key was meant for another type of channel."
    : "Type the key again: base_url changed, and a stored key is never sent to a new address.";
  return new AppError("invalid-input", message, { field: "key" });
}
