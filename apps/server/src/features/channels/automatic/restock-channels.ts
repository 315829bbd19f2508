import { CHANNEL_STATUS } from "@one-api/contract/channels/channel-constants";
import { channelTypeInfo } from "@one-api/contract/channels/channel-types";
import { LOG_TYPE } from "@one-api/contract/logs/log";
import { nowSeconds } from "../../../platform/clock.ts";
import { inTransaction } from "../../../core/transaction.ts";
import { queueAlert } from "../../alerts/index.ts";
import { writeLog } from "../../logs/index.ts";
import { type ChannelRow, countReserves, enableOldestReserve } from "../channel.repository.ts";
import { recordDecision } from "../decisions/decision.repository.ts";
import { type AutomaticContext, changeWithAudit, decisionOn } from "./change-channel-automatically.ts";

/**
 * Enables the oldest reserve channels of each type up to the threshold of enabled ones, also with concurrent
 * servers.
 * Returns the number enabled by this call.
 */
export async function restockChannels(context: AutomaticContext, threshold: number): Promise<number> {
  const stocks = await countReserves(context.database.db);
  let enabled = 0;
  for (const { type, enabled: serving, reserves } of stocks) {
    // A statement that lost against another server enables nothing; the next try reads again.
    for (let tries = Math.min(reserves, threshold - serving); tries > 0; tries -= 1) {
      if (await enableOne(context, type, threshold)) enabled += 1;
    }
  }
  if (enabled > 0) context.changes.announce("channels");
  return enabled;
}

function enableOne(context: AutomaticContext, type: number, threshold: number): Promise<boolean> {
  return inTransaction(context.database, async (transaction) => {
    const channel = await enableOldestReserve(transaction, type, threshold);
    if (channel === undefined) return false;
    await changeWithAudit(transaction, context, channel.id, {
      action: "channel.restock",
      changes: { status_reason: "" },
      from: [CHANNEL_STATUS.enabled],
    });
    const [now, message] = [nowSeconds(context.clock), describe(channel, threshold)];
    await recordDecision(transaction, decisionOn(channel.id, "restocked", { code: "stock-low", message }), now);
    const alert = { kind: "channel-enabled", id: channel.id, name: channel.name, because: "stock-low" } as const;
    await queueAlert(transaction, alert, now);
    await writeLog(transaction, {
      created_at: now,
      type: LOG_TYPE.system,
      content: message,
      event: {
        code: "channel-restocked",
        values: { id: channel.id, name: channel.name, type: labelOf(channel), threshold },
      },
      channel_id: channel.id,
    });
    return true;
  });
}

function labelOf({ type }: ChannelRow): string {
  return channelTypeInfo(type)?.label ?? `type ${type}`;
}

function describe(channel: ChannelRow, threshold: number): string {
  const { id, name } = channel;
  return `Channel ${name} (${id}) was enabled from the reserve: fewer than ${threshold} channels of ${labelOf(channel)} were enabled.`;
}
