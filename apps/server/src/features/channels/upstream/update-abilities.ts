import type { updateAbilities as call } from "@one-api/contract/channels/channel";
import { LOG_TYPE } from "@one-api/contract/logs/log";
import type { LogEvent } from "@one-api/contract/logs/log-event";
import type { z } from "zod";
import { recordAudit } from "../../../core/audit.ts";
import type { CallContext } from "../../../core/call-context.ts";
import { nowSeconds } from "../../../platform/clock.ts";
import { inTransaction } from "../../../core/transaction.ts";
import { writeLog } from "../../logs/index.ts";
import { indexChannels, unindexChannels } from "../channel-models.repository.ts";
import { lockServedModels } from "../channel.repository.ts";
import type { ChannelForRelay } from "../load-channels-for-relay.ts";
import { askProvider, type ListedModels, type ModelListDependencies, storeProviderModels } from "./provider-models.ts";

type Summary = z.output<typeof call.data>;

const CONCURRENT_REQUESTS = 6;
const ONE_TIMEOUT_MS = 10_000;
const ALL_TIMEOUT_MS = 30_000;
const LONGEST_CONTENT = 2_000;

/**
 * Rebuilds the model index and stores each provider's list of models for the form. Channels' models never
 * change.
 * Returns models that a provider does not list.
 */
export async function updateAbilities(context: CallContext, deps: ModelListDependencies): Promise<Summary> {
  const ids = await rebuildIndex(context);
  context.changes.announce("channels");
  const asked = await askProviders(context, deps, ids);
  // Ordered by id, so that two concurrent calls lock rows in the same order.
  const listed = asked
    .filter((answer) => answer !== "failed" && answer !== "not-asked")
    .sort((left, right) => left.channel.id - right.channel.id);
  const unlisted = listed.flatMap(({ channel, models }) => {
    const missing = missingModels(channel, new Set(models));
    return missing.length === 0 ? [] : [{ id: channel.id, name: channel.name, models: missing }];
  });
  const failed = asked.filter((answer) => answer === "failed").length;
  const summary = { channels: ids.length, listed: listed.length, failed, unlisted };
  await inTransaction(context.database, async (transaction) => {
    for (const { channel, models } of listed) {
      await storeProviderModels(transaction, channel.id, models);
    }
    await writeLog(transaction, {
      user_id: context.actor?.id ?? 0,
      username: context.actor?.username ?? "",
      created_at: nowSeconds(context.clock),
      type: LOG_TYPE.management,
      content: describe(summary),
      event: eventOf(summary),
      request_id: context.requestId,
    });
  });
  return summary;
}

async function rebuildIndex(context: CallContext): Promise<number[]> {
  return inTransaction(context.database, async (transaction) => {
    const channels = await lockServedModels(transaction, context.database.kind);
    const ids = channels.map(({ id }) => id);
    // Only these: rows of a channel that is being created now must stay.
    await unindexChannels(transaction, ids);
    await indexChannels(transaction, channels);
    const detail = { channels: ids.length };
    await recordAudit(transaction, context, { action: "channel.update-abilities", object: "channels", detail });
    return ids.sort((left, right) => left - right);
  });
}

async function askProviders(
  context: CallContext,
  deps: ModelListDependencies,
  ids: readonly number[],
): Promise<ListedModels[]> {
  const endMs = context.clock.monotonicMs() + ALL_TIMEOUT_MS;
  const waiting = [...ids];
  const answers: ListedModels[] = [];
  const askOneAfterTheOther = async () => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
      const leftMs = Math.min(ONE_TIMEOUT_MS, endMs - context.clock.monotonicMs());
      answers.push(await askProvider(context, deps, id, leftMs));
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT_REQUESTS }, askOneAfterTheOther));
  return answers;
}

function missingModels({ models, modelMapping }: ChannelForRelay, listed: ReadonlySet<string>): string[] {
  return [...models].map((model) => modelMapping.get(model) ?? model).filter((model) => !listed.has(model));
}

function eventOf({ channels, listed, failed, unlisted }: Summary): LogEvent {
  const said = unlisted.map(({ id, name, models }) => `${name} (${id}): ${models.join(", ")}`).join("; ");
  const values = { channels, listed, failed, said: said.slice(0, LONGEST_CONTENT) };
  return { code: "models-updated", values };
}

function describe({ channels, listed, failed, unlisted }: Summary): string {
  const parts = [`Models updated: ${channels} channels, ${listed} providers listed their models.`];
  if (failed > 0) parts.push(`${failed} did not answer.`);
  for (const { id, name, models } of unlisted) {
    parts.push(`The provider of ${name} (${id}) does not list ${models.join(", ")}.`);
  }
  return parts.join(" ").slice(0, LONGEST_CONTENT);
}
