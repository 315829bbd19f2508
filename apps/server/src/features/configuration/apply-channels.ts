import { isDeepStrictEqual } from "node:util";
import { createChannelInputSchema } from "@one-api/contract/channels/channel-input";
import type { ChannelConfig } from "@one-api/contract/channels/channel-json";
import { movesAway } from "@one-api/contract/channels/channel-types";
import type { ConfigurationChange, DocumentChannel } from "@one-api/contract/configuration/configuration";
import { joinList } from "@one-api/contract/texts";
import type { z } from "zod";
import { AppError } from "../../core/app-error.ts";
import type { CallContext } from "../../core/call-context.ts";
import { placeOf, SecretError, type Secrets } from "../../core/secrets.ts";
import type { Queryable } from "../../core/transaction.ts";
import { readChange } from "../audit/index.ts";
import {
  type ChannelEditing,
  type ChannelEditInput,
  configOfKey,
  createChannel,
  deleteChannel,
  describeChanges,
  editInTransaction,
  listSealedChannels,
  MAX_INDEX_ROWS,
  openConfig,
  openProxy,
  parseConfig,
  type SealedChannelRow,
  splitConfig,
} from "../channels/index.ts";
import { readChannel, sameJson, statusToSet } from "./channel-document.ts";

type NewChannel = z.output<typeof createChannelInputSchema>;

/** Stands in for the key of a stored channel that the document does not name. */
const STORED_KEY = "stored";

export interface AppliedChannels {
  readonly changes: readonly ConfigurationChange[];
  readonly freshStarts: readonly number[];
}

/**
 * Makes the channels those of the document, by name, in the transaction of the context. Throws `configuration-name-twice`,
 * `configuration-several-keys`, and refusals of a channel, which name its place.
 */
export async function applyChannels(
  transaction: Queryable,
  context: CallContext,
  deps: ChannelEditing,
  channels: readonly DocumentChannel[],
): Promise<AppliedChannels> {
  const stored = Map.groupBy(await listSealedChannels(transaction), ({ name }) => name);
  const wanted = new Set<string>();
  const changes: ConfigurationChange[] = [];
  const freshStarts: number[] = [];
  let pairs = 0;
  for (const [index, channel] of channels.entries()) {
    const name = channel.name.trim();
    const [row, another] = stored.get(name) ?? [];
    if (wanted.has(name) || another !== undefined) throw nameTwice(name, index);
    wanted.add(name);
    try {
      if (row === undefined || servesOthers(row, channel)) pairs += countPairs(channel);
      if (pairs > MAX_INDEX_ROWS) throw tooManyPairs();
      if (row === undefined) changes.push(await create(context, channel));
      else {
        const edited = await edit(transaction, context, deps, row, channel);
        if (edited.change !== undefined) changes.push(edited.change);
        if (edited.freshStart) freshStarts.push(row.id);
      }
    } catch (error) {
      throw error instanceof AppError ? at(index, name, error) : error;
    }
  }
  for (const [name, rows] of stored) {
    if (wanted.has(name)) continue;
    for (const { id } of rows) {
      await deleteChannel(context, id);
      changes.push({ action: "delete", object: `channel:${name}`, fields: [] });
    }
  }
  return { changes, freshStarts };
}

function countPairs({ models = [], group = ["default"] }: DocumentChannel): number {
  return models.length * group.length;
}

function servesOthers(row: SealedChannelRow, { models = [], group = ["default"] }: DocumentChannel): boolean {
  return row.models !== joinList(models) || row.group !== joinList(group);
}

function tooManyPairs(): AppError {
  const limit = MAX_INDEX_ROWS;
  const message = `The configuration would write more than ${limit} pairs of group and model at once. Apply it with a part of its new channels first.`;
  return new AppError("configuration-too-many-pairs", message, { field: "models", values: { limit } });
}

async function create(context: CallContext, channel: DocumentChannel): Promise<ConfigurationChange> {
  const input = readNew(channel, "");
  const ids = await createChannel(context, input);
  if (ids.length !== 1) throw severalKeys();
  const { key: _key, more_keys: _more, proxy: _proxy, config, ...open } = input;
  const shown = { ...open, config: JSON.stringify(splitConfig(parseConfig(config)).open) };
  const fields = Object.entries(shown).flatMap(([field, to]) => readChange(field, "", to));
  const filled = fields.filter(({ to }) => to !== "").map(({ field, to }) => ({ field, to }));
  return { action: "create", object: `channel:${input.name}`, fields: filled };
}

async function edit(
  transaction: Queryable,
  context: CallContext,
  deps: ChannelEditing,
  row: SealedChannelRow,
  channel: DocumentChannel,
): Promise<{ readonly change?: ConfigurationChange; readonly freshStart: boolean }> {
  const input = editOf(row, channel, context.secrets);
  const { before, changes, freshStart } = await editInTransaction(transaction, context, deps, row.id, () => input);
  const fields = Object.entries(describeChanges(before, changes)).flatMap(([field, { from, to }]) =>
    readChange(field, from, to),
  );
  if (fields.length === 0) return { freshStart };
  return { change: { action: "change", object: `channel:${row.name}`, fields }, freshStart };
}

/** The edit that makes the channel that of the document. What says the same as the stored value is left as it is. */
function editOf(row: SealedChannelRow, channel: DocumentChannel, secrets: Secrets): ChannelEditInput {
  const wanted = readNew(channel, STORED_KEY);
  // A pause ends at its time, so it is no configuration.
  const { status: _status, paused_until: _until, key_expires_at: _end, more_keys: _more, ...rest } = wanted;
  const { key, config, proxy, ...fields } = rest;
  const place = placeOf("channels", row.id, row.name);
  const isSameProxy =
    channel.proxy === undefined ? row.proxy_cipher !== "" : proxy === readable(() => openProxy(row, secrets, place));
  const ofKey = channel.key === undefined ? {} : configOfKey(wanted.type, key);
  const isSameConfig = hasConfig(row, { ...parseConfig(config), ...ofKey }, secrets);
  const isSameKey =
    isSameConfig &&
    !movesAway(row, wanted) &&
    key === readable(() => secrets.open("channel-key", row.key_cipher, place));
  return {
    ...fields,
    id: row.id,
    // A changed config is written with what the key brings.
    key: channel.key === undefined || isSameKey ? "" : key,
    proxy: isSameProxy ? undefined : proxy,
    config: isSameConfig ? undefined : config,
    model_mapping: sameJson(row.model_mapping, wanted.model_mapping),
    costs: sameJson(row.costs, wanted.costs),
    dialect_urls: sameJson(row.dialect_urls, wanted.dialect_urls),
    overrides: sameJson(row.overrides, wanted.overrides),
    status: statusToSet(row.status, channel),
  };
}

function hasConfig(row: SealedChannelRow, config: ChannelConfig, secrets: Secrets): boolean {
  const stored = readable(() => openConfig(row, secrets, placeOf("channels", row.id, row.name)));
  if (stored === undefined) return false;
  const { open, secret } = splitConfig(config);
  return (
    isDeepStrictEqual(stored.open, open) &&
    Object.entries(secret).every(([name, value]) => isDeepStrictEqual(stored.secret[name], value))
  );
}

/** Undefined for a stored secret that no master key opens: the document sets it again. */
function readable<Value>(open: () => Value): Value | undefined {
  try {
    return open();
  } catch (error) {
    if (error instanceof SecretError) return undefined;
    throw error;
  }
}

function readNew(channel: DocumentChannel, key: string): NewChannel {
  const read = createChannelInputSchema.safeParse(readChannel(channel, key));
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const field = String(issue?.path[0] ?? "");
  throw new AppError("invalid-input", issue?.message ?? "It is not valid.", {
    field,
    values: { problem: "not-valid" },
  });
}

/** The refusal of a channel with its place in the document. */
function at(index: number, name: string, { code, message, field, values }: AppError): AppError {
  const place = `channels.${index}`;
  return new AppError(code, `Channel "${name}": ${message}`, {
    field: field === undefined ? place : `${place}.${field}`,
    ...(values === undefined ? {} : { values }),
  });
}

function nameTwice(name: string, index: number): AppError {
  const message = `There are two channels "${name}". The document knows channels by name: give each its own.`;
  return new AppError("configuration-name-twice", message, { field: `channels.${index}.name`, values: { name } });
}

function severalKeys(): AppError {
  return new AppError("configuration-several-keys", "key must have one line. Write a channel for each key.", {
    field: "key",
  });
}
