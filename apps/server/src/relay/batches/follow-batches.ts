import { CHANNEL_STATUS } from "@one-api/contract/channels/channel";
import { type JsonRecord, textOf } from "@one-api/providers/shared/json-fields";
import { nowSeconds } from "../../platform/clock.ts";
import {
  type BatchRow,
  changeBatch,
  claimBatch,
  deleteBatch,
  deleteOldBatches,
  findBatch,
  findDueBatches,
  forgetLineBounds,
} from "../../features/batches/index.ts";
import type { ChannelForRelay } from "../../features/channels/index.ts";
import { isTokenInForce } from "../../features/tokens/index.ts";
import { UNTOUCHED } from "../passthrough/index.ts";
import { cancelAtProvider, listAtProvider, lookAtProvider } from "./call-batch-api.ts";
import { refusedBy } from "./call-storage.ts";
import { isFinal, secondsOf, statusOf } from "./present-batch.ts";
import { releaseBatch, settleBatch, settleLost } from "./settle-batch.ts";
import type { BatchServices } from "./batch-services.ts";

/** How often the provider is asked for a batch that nobody else asks for, in seconds. */
const LOOK_EVERY_SECONDS = 60;
/** Whoever makes a batch has noted it after this long, or will never: longer than a provider may take to answer. */
const ORPHANED_AFTER_SECONDS = 15 * 60;
/** A provider that gives neither the batch nor its files for this long after it was made has lost it. */
const LOST_AFTER_SECONDS = 3 * 24 * 60 * 60;
/** Ended batches are listed for this long. */
const REMEMBERED_SECONDS = 30 * 24 * 60 * 60;
/** So many are looked at in one round. */
const MOST_AT_ONCE = 50;

/** Looks at every batch at whose provider nobody has looked for a minute, and forgets the old ones. One failure keeps no other waiting. */
export async function followDueBatches(services: BatchServices): Promise<void> {
  const now = nowSeconds(services.clock);
  for (const batch of await findDueBatches(services.database, now - LOOK_EVERY_SECONDS, MOST_AT_ONCE)) {
    if (await claimBatch(services.database, batch, now)) await followBatch(services, batch);
  }
  await deleteOldBatches(services.database, now - REMEMBERED_SECONDS);
}

/** Looks that are under way, of each database's batches. */
const underWay = new WeakMap<BatchServices["database"], Map<number, Promise<void>>>();

/** Asks the provider how the batch stands, and charges and opens what it delivered once it has ended. Never rejects: the next look tries again. */
export function followBatch(services: BatchServices, { id }: Pick<BatchRow, "id">): Promise<void> {
  const looks = underWay.get(services.database) ?? new Map<number, Promise<void>>();
  underWay.set(services.database, looks);
  const running = looks.get(id);
  if (running !== undefined) return running;
  const look = lookAt(services, id).finally(() => looks.delete(id));
  looks.set(id, look);
  return look;
}

async function lookAt(services: BatchServices, id: number): Promise<void> {
  const leave = services.inFlight.add(UNTOUCHED);
  try {
    const batch = await findBatch(services.database, id);
    if (batch === undefined || batch.state === "closed") return;
    if (batch.state === "lost") return await giveUp(services, batch);
    const channel = await services.loadChannel(batch.channel_id);
    if (channel === undefined) return await giveUp(services, batch);
    try {
      if (batch.state === "creating") await adopt(services, batch, channel);
      else await advance(services, batch, channel);
    } catch (error) {
      if (nowSeconds(services.clock) - batch.created_at < LOST_AFTER_SECONDS) throw error;
      await giveUp(services, batch);
    }
  } catch (error) {
    services.log.warn({ err: error, batch: id }, "a batch could not be looked at; it is tried again");
  } finally {
    leave();
  }
}

async function advance(services: BatchServices, batch: BatchRow, channel: ChannelForRelay): Promise<void> {
  const answer = await lookAtProvider(services, channel, batch.batch_id);
  if (answer.status >= 300) throw refusedBy(answer, "The provider did not say how the batch stands");
  const data = answer.json;
  await changeBatch(services.database, batch.id, { data: JSON.stringify(data) });
  if (isFinal(data)) return settleBatch(services, batch, channel, data);
  const isWanted = channel.status !== CHANNEL_STATUS.disabled && (await isInForce(services, batch));
  if (!isWanted && statusOf(data) !== "cancelling") await cancelAtProvider(services, channel, batch.batch_id);
}

function isInForce({ database, clock }: BatchServices, { token_id: id }: BatchRow): Promise<boolean> {
  return isTokenInForce(database, id, nowSeconds(clock));
}

/**
 * The provider was asked for the batch, and nobody has noted what it said: where it has one of that file, that is cancelled and followed as all
 * others are; else there is nothing to pay.
 */
async function adopt(services: BatchServices, batch: BatchRow, channel: ChannelForRelay): Promise<void> {
  if (nowSeconds(services.clock) - batch.created_at < ORPHANED_AFTER_SECONDS) return;
  const made = await findAtProvider(services, batch, channel);
  if (made === undefined) {
    await releaseBatch(services, batch);
    return deleteBatch(services.database, batch.id);
  }
  const batchId = textOf(made["id"]);
  await cancelAtProvider(services, channel, batchId);
  // Without a hold nothing could be charged: then nothing is handed out.
  const state = (await services.batches.isOpen(batch.request_id)) ? "open" : "lost";
  await changeBatch(services.database, batch.id, { batch_id: batchId, state, data: JSON.stringify(made) });
}

/** Clocks of two machines differ by less. */
const CLOCKS_SECONDS = 60 * 60;

async function findAtProvider(
  services: BatchServices,
  batch: BatchRow,
  channel: ChannelForRelay,
): Promise<JsonRecord | undefined> {
  for await (const listed of listAtProvider(services, channel)) {
    const found = listed.find((each) => each["input_file_id"] === batch.input_file_id);
    if (found !== undefined) return found;
    const isOlder = (secondsOf(listed.at(-1)?.["created_at"]) ?? 0) < batch.created_at - CLOCKS_SECONDS;
    if (isOlder) return undefined;
  }
  return undefined;
}

/** Nothing of the batch was handed out, and nothing will be: what was set aside goes back. */
async function giveUp(services: BatchServices, batch: BatchRow): Promise<void> {
  await changeBatch(services.database, batch.id, { state: "lost" });
  await settleLost(services, batch);
  await forgetLineBounds(services.database, batch.id);
}
