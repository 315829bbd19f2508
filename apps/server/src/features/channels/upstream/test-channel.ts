import type { ChannelLastTest } from "@one-api/contract/channels/channel";
import type { channelTestSchema } from "@one-api/contract/channels/channel-tests";
import { LOG_TYPE } from "@one-api/contract/logs/log";
import type { LogEvent } from "@one-api/contract/logs/log-event";
import type { z } from "zod";
import { AppError } from "../../../core/app-error.ts";
import { recordAudit } from "../../../core/audit.ts";
import type { CallContext } from "../../../core/call-context.ts";
import { nowSeconds } from "../../../platform/clock.ts";
import { inTransaction } from "../../../core/transaction.ts";
import { resultOfFailure, writeLog } from "../../logs/index.ts";
import { refusalIn, setHint } from "../automatic/change-channel-automatically.ts";
import { hideSecrets } from "../channel-config.ts";
import type { CheapestModel, ProbeChannel, ProbeOutcome, ProbeUsage } from "../channel-dependencies.ts";
import { channelNotFound } from "../channel.policy.ts";
import { changeChannel } from "../channel.repository.ts";
import { type ChannelForRelay, loadChannelForRelay } from "../load-channels-for-relay.ts";

/**
 * Tests one channel, with the given model if the channel serves it.
 * Throws `channel-not-found`, `channel-nothing-to-test` and `channel-test-failed`.
 */
export async function testChannel(
  context: CallContext,
  probeChannel: ProbeChannel,
  id: number,
  wantedModel: string,
): Promise<z.output<typeof channelTestSchema>> {
  const channel = await loadChannelForRelay(context.database.db, context.secrets, id);
  if (channel === undefined) throw channelNotFound(id);
  const model = modelToTest(channel, wantedModel);
  if (model === undefined) {
    const message = "The channel serves no model to test. Add one to it first.";
    throw new AppError("channel-nothing-to-test", message, { values: { name: channel.name } });
  }
  const outcome = await probeAndRecord(context, probeChannel, channel, model);
  if (!outcome.ok) {
    const { failure, status, address, message } = outcome;
    throw new AppError("channel-test-failed", message, {
      values: { name: channel.name, model, failure, status, address, message },
      topLevel: { time: 0, modelName: model },
    });
  }
  return { time: outcome.elapsedMs / 1000, modelName: model };
}

export function modelToTest(channel: ChannelForRelay, wantedModel: string): string | undefined {
  for (const wanted of [wantedModel, channel.testModel]) if (channel.models.has(wanted)) return wanted;
  const [first] = channel.models;
  return first;
}

/** Model of an automatic probe: the channel's test model, else the cheapest. */
export function modelToProbe(channel: ChannelForRelay, cheapestModel: CheapestModel): string | undefined {
  return (channel.testModel === "" ? cheapestModel(channel) : undefined) ?? modelToTest(channel, "");
}

/**
 * Tests the channel and stores the result, with a log entry of the tester or of the gateway. The result's texts have no
 * secrets.
 */
export async function probeAndRecord(
  context: CallContext,
  probeChannel: ProbeChannel,
  channel: ChannelForRelay,
  model: string,
): Promise<ProbeOutcome> {
  const { actor } = context;
  const outcome = cleaned(await probeChannel(channel, model), channel);
  const now = nowSeconds(context.clock);
  const responseTime = outcome.ok ? Math.max(1, Math.round(outcome.elapsedMs)) : 0;
  const refusal = outcome.ok ? undefined : refusalIn({ kind: outcome.failure, message: outcome.message });
  const hints = refusal !== undefined || (outcome.ok && channel.hinted);
  await inTransaction(context.database, async (transaction) => {
    await changeChannel(transaction, channel.id, {
      response_time: responseTime,
      test_time: now,
      last_test: JSON.stringify(toLastTest(outcome, model)),
    });
    if (hints) await setHint(transaction, context, channel.id, refusal);
    await writeLog(transaction, {
      user_id: actor?.id ?? 0,
      username: actor?.username ?? "",
      created_at: now,
      type: LOG_TYPE.test,
      content: describe(channel, outcome),
      event: eventOf(channel, outcome),
      model_name: model,
      channel_id: channel.id,
      elapsed_time: Math.round(outcome.elapsedMs),
      request_id: context.requestId,
      result: outcome.ok ? "ok" : resultOfFailure(outcome.failure),
      status_code: outcome.ok ? 200 : outcome.status,
      ...(outcome.ok && outcome.usage !== undefined && usageColumns(outcome.usage)),
    });
    // Scheduled tests are in the log. The audit trail is for what people do.
    if (actor === undefined) return;
    const detail = { model, ok: outcome.ok, response_time: responseTime };
    await recordAudit(transaction, context, { action: "channel.test", object: `channel:${channel.id}`, detail });
  });
  if (hints) context.changes.announce("channels");
  return outcome;
}

function usageColumns({ promptTokens, completionTokens, cost }: ProbeUsage) {
  return { prompt_tokens: promptTokens, completion_tokens: completionTokens, cost };
}

function toLastTest(outcome: ProbeOutcome, model: string): ChannelLastTest {
  const { address } = outcome;
  if (outcome.ok) return { model, failure: "", status: 200, message: "", address };
  return { model, failure: outcome.failure, status: outcome.status, message: outcome.message, address };
}

function cleaned(outcome: ProbeOutcome, { connection }: ChannelForRelay): ProbeOutcome {
  const address = hideSecrets(outcome.address, connection);
  return outcome.ok
    ? { ...outcome, address, text: hideSecrets(outcome.text, connection) }
    : { ...outcome, address, message: hideSecrets(outcome.message, connection) };
}

function eventOf({ id, name }: ChannelForRelay, outcome: ProbeOutcome): LogEvent {
  return outcome.ok
    ? { code: "channel-test-passed", values: { id, name, said: outcome.text } }
    : { code: "channel-test-failed", values: { id, name, said: outcome.message } };
}

function describe({ name }: ChannelForRelay, outcome: ProbeOutcome): string {
  return outcome.ok
    ? `Test of channel ${name} passed: ${outcome.text}`
    : `Test of channel ${name} failed: ${outcome.message}`;
}
