import { CHANNEL_LIMITS } from "@one-api/contract/channels/channel-constants";
import type { createChannelInputSchema } from "@one-api/contract/channels/channel-input";
import type { ChannelConfig } from "@one-api/contract/channels/channel-json";
import type { z } from "zod";
import { recordAudit } from "../../core/audit.ts";
import type { CallContext } from "../../core/call-context.ts";
import { nowSeconds } from "../../platform/clock.ts";
import type { Secrets } from "../../core/secrets.ts";
import { inTransaction } from "../../core/transaction.ts";
import { type SplitConfig, parseConfig, splitConfig, storeConfig, type StoredConfig } from "./channel-config.ts";
import { checkCallable, checkRegion, checkSettableStatus, tidyChannel } from "./channel.policy.ts";
import { describeFields } from "./channel.present.ts";
import { indexChannels, type ServingChannel } from "./channel-models.repository.ts";
import { type ChannelFields, fieldsOf, insertChannel } from "./channel.repository.ts";
import { storeProxy, type StoredProxy } from "./channel-proxy.ts";
import { sealKeys } from "./keys/channel-keys.ts";
import { expiryOfKey } from "./keys/key-expiry.ts";
import { insertKeys } from "./keys/key.repository.ts";
import { configOfKey, readKeys, readOneKey } from "./channel-key.policy.ts";

type Input = z.output<typeof createChannelInputSchema>;

export interface CheckedChannel {
  readonly fields: ChannelFields;
  readonly key: string;
  readonly moreKeys: readonly string[];
  readonly config: SplitConfig;
  /** With its login. */
  readonly proxy: string;
}

/**
 * Normalizes and checks one channel for each distinct key of the input. Several channels get a number after
 * their name. Throws refusals.
 */
export function checkNewChannels(input: Omit<Input, "status">): CheckedChannel[] {
  const { type, key, more_keys, config, calc_prompt, scheduled_checks, ...rest } = input;
  const keys = more_keys.length > 0 ? [readOneKey(type, key)] : [...new Set(readKeys(type, key))];
  const moreKeys = [...new Set(more_keys.map((one) => readOneKey(type, one)))].filter((one) => one !== keys[0]);
  const fields = tidyChannel(
    fieldsOf({ ...rest, type, calc_prompt: calc_prompt ? 1 : 0, scheduled_checks: scheduled_checks ? 1 : 0 }),
    keys.length,
  );
  const { base_url: baseUrl, organization, other } = fields;
  return keys.map((one, index) => {
    const parts = splitNewConfig(type, one, parseConfig(config));
    checkCallable(type, { baseUrl, key: one, organization, other, config: { ...parts.open, ...parts.secret } });
    return {
      fields: {
        ...fields,
        key_expires_at: fields.key_expires_at || expiryOfKey(one),
        ...(keys.length > 1 && { name: numbered(fields.name, index + 1) }),
      },
      key: one,
      moreKeys,
      config: parts,
      proxy: input.proxy,
    };
  });
}

function numbered(name: string, number: number): string {
  const end = `-${number}`;
  return name.slice(0, CHANNEL_LIMITS.nameLength - end.length) + end;
}

function splitNewConfig(type: number, key: string, config: ChannelConfig): SplitConfig {
  const parts = splitConfig({ ...config, ...configOfKey(type, key) });
  checkRegion(parts.open.region);
  return parts;
}

export function sealChannel(
  { key, config, proxy }: Pick<CheckedChannel, "key" | "config" | "proxy">,
  secrets: Secrets,
): StoredConfig & StoredProxy & { readonly key_cipher: string } {
  return {
    ...storeConfig(config, secrets),
    ...storeProxy(proxy, secrets),
    key_cipher: secrets.seal("channel-key", key),
  };
}

function sealMoreKeys({ fields, key, moreKeys }: CheckedChannel, secrets: Secrets) {
  if (moreKeys.length === 0) return [];
  return sealKeys({ type: fields.type, keys: [key, ...moreKeys], expiresAt: fields.key_expires_at }, secrets);
}

/** Creates one channel for each key, all or none. Returns their ids. Throws refusals of the input. */
export async function createChannel(context: CallContext, input: Input): Promise<number[]> {
  const { status } = input;
  checkSettableStatus(status);
  const checked = checkNewChannels(input);
  const created_time = nowSeconds(context.clock);
  const rows = checked.map((channel) => ({
    ...channel.fields,
    status,
    created_time,
    ...sealChannel(channel, context.secrets),
    keys: sealMoreKeys(channel, context.secrets),
  }));
  const created = await inTransaction(context.database, async (transaction) => {
    const channels: ServingChannel[] = [];
    for (const { key_cipher, config_cipher, proxy_cipher, keys, ...open } of rows) {
      const id = await insertChannel(transaction, { ...open, key_cipher, config_cipher, proxy_cipher });
      await insertKeys(transaction, id, keys);
      channels.push({ id, models: open.models, group: open.group });
      await recordAudit(transaction, context, {
        action: "channel.create",
        object: `channel:${id}`,
        detail: { ...describeFields(open), ...(keys.length > 0 && { keys: keys.length }) },
      });
    }
    await indexChannels(transaction, channels);
    const ids = channels.map(({ id }) => id);
    await context.rememberAnswer?.(transaction, { ids });
    return ids;
  });
  context.changes.announce("channels");
  return created;
}
