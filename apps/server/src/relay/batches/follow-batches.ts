import { CHANNEL_STATUS } from "@one-api/contract/channels/channel-constants";
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
import { cancelAtProvider, listAtProvider, fetchFromProvider } from "./call-batch-api.ts";
import { refusedBy } from "./call-storage.ts";
import { isFinal, secondsOf, statusOf } from "./present-batch.ts";
import { releaseBatch, settleBatch, settleLost } from "./settle-batch.ts";
import type { BatchServices } from "./batch-services.ts";

const CHECK_EVERY_SECONDS = 60;
/** A batch still `creating` after this time is orphaned. Longer than a provider may take to answer. */
const ORPHANED_AFTER_SECONDS = 15 * 60;
/** A batch is lost if the provider does not return it for this time after its creation. */
const LOST_AFTER_SECONDS = 3 * 24 * 60 * 60;
const LISTED_SECONDS = 30 * 24 * 60 * 60;
const MAX_PER_ROUND = 50;

/** Checks due batches and deletes old ones. A failure does not delay others. */
export async function followDueBatches(services: BatchServices): Promise<void> {
  const now = nowSeconds(services.clock);
  for (const batch of await findDueBatches(services.database, now - CHECK_EVERY_SECONDS, MAX_PER_ROUND)) {
    if (await claimBatch(services.database, batch, now)) await followBatch(services, batch);
  }
  await deleteOldBatches(services.database, now - LISTED_SECONDS);
}

const running = new WeakMap<BatchServices["database"], Map<number, Promise<void>>>();

/** Checks a batch and charges its output once it has ended. Never rejects: the next check retries. */
export function followBatch(services: BatchServices, { id }: Pick<BatchRow, "id">): Promise<void> {
  const checks = running.get(services.database) ?? new Map<number, Promise<void>>();
  running.set(services.database, checks);
  const known = checks.get(id);
  if (known !== undefined) return known;
  const check = checkBatch(services, id).finally(() => checks.delete(id));
  checks.set(id, check);
  return check;
}

async function checkBatch(services: BatchServices, id: number): Promise<void> {
  const remove = services.inFlight.add(UNTOUCHED);
  try {
    const batch = await findBatch(services.database, id);
    if (batch === undefined || batch.state === "closed") return;
    if (batch.state === "lost") return await closeLost(services, batch);
    const channel = await services.loadChannel(batch.channel_id);
    if (channel === undefined) return await closeLost(services, batch);
    try {
      if (batch.state === "creating") await adopt(services, batch, channel);
      else await advance(services, batch, channel);
    } catch (error) {
      if (nowSeconds(services.clock) - batch.created_at < LOST_AFTER_SECONDS) throw error;
      await closeLost(services, batch);
    }
  } catch (error) {
    services.log.warn({ err: error, batch: id }, "a batch could not be looked at; it is tried again");
  } finally {
    remove();
  }
}

async function advance(services: BatchServices, batch: BatchRow, channel: ChannelForRelay): Promise<void> {
  const answer = await fetchFromProvider(services, channel, batch.batch_id);
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

/** The provider's answer was not recorded. If the provider has a batch of this file, it is cancelled and followed; else nothing is due. */
async function adopt(services: BatchServices, batch: BatchRow, channel: ChannelForRelay): Promise<void> {
  if (nowSeconds(services.clock) - batch.created_at < ORPHANED_AFTER_SECONDS) return;
  const made = await findAtProvider(services, batch, channel);
  if (made === undefined) {
    await releaseBatch(services, batch);
    return deleteBatch(services.database, batch.id);
  }
  const batchId = textOf(made["id"]);
  await cancelAtProvider(services, channel, batchId);
  // Without a reservation nothing can be charged, so the output is not published.
  const state = (await services.batches.isOpen(batch.request_id)) ? "open" : "lost";
  await changeBatch(services.database, batch.id, { batch_id: batchId, state, data: JSON.stringify(made) });
}

const MAX_CLOCK_SKEW_SECONDS = 60 * 60;

async function findAtProvider(
  services: BatchServices,
  batch: BatchRow,
  channel: ChannelForRelay,
): Promise<JsonRecord | undefined> {
  for await (const listed of listAtProvider(services, channel)) {
    const found = listed.find((each) => each["input_file_id"] === batch.input_file_id);
    if (found !== undefined) return found;
    const isOlder = (secondsOf(listed.at(-1)?.["created_at"]) ?? 0) < batch.created_at - MAX_CLOCK_SKEW_SECONDS;
    if (isOlder) return undefined;
  }
  return undefined;
}

async function closeLost(services: BatchServices, batch: BatchRow): Promise<void> {
  await changeBatch(services.database, batch.id, { state: "lost" });
  await settleLost(services, batch);
  await forgetLineBounds(services.database, batch.id);
}
