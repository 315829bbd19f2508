import type { createChannelInputSchema } from "@one-api/contract/channel";
import type { ChannelConfig } from "@one-api/contract/channel-json";
import type { Tables } from "@one-api/database/tables";
import type { Insertable } from "kysely";
import type { z } from "zod";
import { recordAudit } from "../../core/audit.ts";
import type { CallContext } from "../../core/call-context.ts";
import { nowSeconds } from "../../core/clock.ts";
import type { Secrets } from "../../core/secrets.ts";
import { inTransaction } from "../../core/transaction.ts";
import { parseConfig, splitConfig, storeConfig, type StoredConfig } from "./channel-config.ts";
import { checkRegion, checkSettableStatus, tidyChannel } from "./channel.policy.ts";
import { describeFields } from "./channel.present.ts";
import { indexChannels, insertChannel } from "./channel.repository.ts";
import { configOfKey, readKeys } from "./channel-key.policy.ts";

type Input = z.output<typeof createChannelInputSchema>;
type NewChannel = Omit<Insertable<Tables["channels"]>, "key_cipher" | "config" | "config_cipher">;

/** Creates a channel for each key of the input, all or none; they share everything else, the name too. Returns their ids. Throws refusals of the input. */
export async function createChannel(context: CallContext, input: Input): Promise<number[]> {
  const { type, key, config, status, calc_prompt, ...rest } = input;
  checkSettableStatus(status);
  const keys = readKeys(type, key);
  const fields = tidyChannel({ ...rest, type, calc_prompt: calc_prompt ? 1 : 0 }, keys.length);
  const channel: NewChannel = { ...fields, status, created_time: nowSeconds(context.clock) };
  const sealed = keys.map((one) => sealKey(type, one, parseConfig(config), context.secrets));
  const created = await inTransaction(context.database, async (transaction) => {
    const ids: number[] = [];
    for (const { key_cipher, config_cipher, config: open } of sealed) {
      const id = await insertChannel(transaction, { ...channel, config: open, key_cipher, config_cipher });
      await recordAudit(transaction, context, {
        action: "channel.create",
        object: `channel:${id}`,
        detail: describeFields({ ...channel, config: open }),
      });
      ids.push(id);
    }
    await indexChannels(
      transaction,
      ids.map((id) => ({ id, models: fields.models, group: fields.group })),
    );
    return ids;
  });
  context.changes.announce("channels");
  return created;
}

/** The columns of one key: parts that the key names itself go before those of the config that all keys share. */
function sealKey(
  type: number,
  key: string,
  config: ChannelConfig,
  secrets: Secrets,
): StoredConfig & { readonly key_cipher: string } {
  const parts = splitConfig({ ...config, ...configOfKey(type, key) });
  checkRegion(parts.open.region);
  return { ...storeConfig(parts, secrets), key_cipher: secrets.seal("channel-key", key) };
}
