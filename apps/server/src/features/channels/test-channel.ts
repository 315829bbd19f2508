import type { channelTestSchema } from "@one-api/contract/channel";
import type { z } from "zod";
import { AppError } from "../../core/app-error.ts";
import type { CallContext } from "../../core/call-context.ts";
import type { ProbeChannel } from "./channel-dependencies.ts";
import type { ChannelForRelay } from "./channel-for-relay.ts";
import { channelNotFound } from "./channel.policy.ts";
import { loadChannelForRelay } from "./load-channels-for-relay.ts";
import { probeAndRecord } from "./probe-and-record.ts";

/** Tests one channel, with the model where the channel serves it. Throws `not-found`, `not-supported` and `upstream-failed`. */
export async function testChannel(
  context: CallContext,
  probeChannel: ProbeChannel,
  id: number,
  wantedModel: string,
): Promise<z.output<typeof channelTestSchema>> {
  const channel = await loadChannelForRelay(context.database.db, context.secrets, id);
  if (channel === undefined) throw channelNotFound();
  const model = modelToTest(channel, wantedModel);
  if (model === undefined)
    throw new AppError("not-supported", "The channel serves no model to test. Add one to it first.");
  const outcome = await probeAndRecord(context, probeChannel, channel, model);
  if (!outcome.ok) throw new AppError("upstream-failed", outcome.message);
  return { time: outcome.elapsedMs / 1000, modelName: model };
}

/** The wanted model where the channel serves it, else its first; undefined when it serves none. */
export function modelToTest(channel: ChannelForRelay, wantedModel: string): string | undefined {
  if (channel.models.has(wantedModel)) return wantedModel;
  const [first] = channel.models;
  return first;
}
