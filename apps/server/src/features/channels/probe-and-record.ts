import { LOG_TYPE } from "@one-api/contract/log";
import { recordAudit } from "../../core/audit.ts";
import { type CallContext, requireActor } from "../../core/call-context.ts";
import { nowSeconds } from "../../core/clock.ts";
import { inTransaction } from "../../core/transaction.ts";
import type { ProbeChannel, ProbeOutcome } from "./channel-dependencies.ts";
import type { ChannelForRelay } from "./channel-for-relay.ts";
import { changeChannel } from "./channel.repository.ts";
import { hideSecrets } from "./hide-secrets.ts";
import { insertTestLog } from "./test-log.repository.ts";

/** Tests the channel with the model and stores how it went, with a log entry of the tester. A refusal's text comes back without secrets. */
export async function probeAndRecord(
  context: CallContext,
  probeChannel: ProbeChannel,
  channel: ChannelForRelay,
  model: string,
): Promise<ProbeOutcome> {
  const actor = requireActor(context);
  const outcome = cleaned(await probeChannel(channel, model), channel);
  const now = nowSeconds(context.clock);
  const responseTime = outcome.ok ? Math.max(1, Math.round(outcome.elapsedMs)) : 0;
  await inTransaction(context.database, async (transaction) => {
    await changeChannel(transaction, channel.id, { response_time: responseTime, test_time: now });
    await insertTestLog(transaction, {
      user_id: actor.id,
      username: actor.username,
      created_at: now,
      type: LOG_TYPE.test,
      content: describe(channel, outcome),
      model_name: model,
      channel_id: channel.id,
      elapsed_time: Math.round(outcome.elapsedMs),
      request_id: context.requestId,
    });
    const detail = { model, ok: outcome.ok, response_time: responseTime };
    await recordAudit(transaction, context, { action: "channel.test", object: `channel:${channel.id}`, detail });
  });
  return outcome;
}

function cleaned(outcome: ProbeOutcome, { connection }: ChannelForRelay): ProbeOutcome {
  return outcome.ok
    ? { ...outcome, text: hideSecrets(outcome.text, connection) }
    : { ...outcome, message: hideSecrets(outcome.message, connection) };
}

function describe({ name }: ChannelForRelay, outcome: ProbeOutcome): string {
  return outcome.ok
    ? `Test of channel ${name} passed: ${outcome.text}`
    : `Test of channel ${name} failed: ${outcome.message}`;
}
