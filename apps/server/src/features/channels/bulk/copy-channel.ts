import { CHANNEL_LIMITS, CHANNEL_STATUS } from "@one-api/contract/channels/channel-constants";
import { recordAudit } from "../../../core/audit.ts";
import type { CallContext } from "../../../core/call-context.ts";
import { nowSeconds } from "../../../platform/clock.ts";
import { inTransaction } from "../../../core/transaction.ts";
import { channelNotFound } from "../channel.policy.ts";
import { describeFields } from "../channel.present.ts";
import { insertKeys, listSealedKeys } from "../keys/key.repository.ts";
import { indexChannels } from "../channel-models.repository.ts";
import { fieldsOf, findSealedChannel, insertChannel } from "../channel.repository.ts";

const SUFFIX = " (copy)";

/**
 * Copies a channel including its secrets. The copy is disabled and has no usage and no test. Returns its id.
 * Throws `channel-not-found`.
 */
export async function copyChannel(context: CallContext, id: number): Promise<number> {
  const copyId = await inTransaction(context.database, async (transaction) => {
    const original = await findSealedChannel(transaction, id);
    if (original === undefined) throw channelNotFound(id);
    const { config, config_cipher, key_cipher, proxy_cipher } = original;
    const fields = { ...fieldsOf(original), name: nameOfCopy(original.name) };
    const columns = { ...fields, config, status: CHANNEL_STATUS.disabled, created_time: nowSeconds(context.clock) };
    const made = await insertChannel(transaction, { ...columns, config_cipher, key_cipher, proxy_cipher });
    const keys = (await listSealedKeys(transaction, id)).get(id) ?? [];
    const copies = keys.map(({ key_cipher: cipher, key_end, weight, expires_at }) => {
      return { key_cipher: cipher, key_end, weight, expires_at };
    });
    await insertKeys(transaction, made, copies);
    await indexChannels(transaction, [{ id: made, models: fields.models, group: fields.group }]);
    const detail = { copy_of: id, ...describeFields(columns) };
    await recordAudit(transaction, context, { action: "channel.copy", object: `channel:${made}`, detail });
    await context.rememberAnswer?.(transaction, { id: made });
    return made;
  });
  context.changes.announce("channels");
  return copyId;
}

function nameOfCopy(name: string): string {
  return `${name.slice(0, CHANNEL_LIMITS.nameLength - SUFFIX.length)}${SUFFIX}`;
}
