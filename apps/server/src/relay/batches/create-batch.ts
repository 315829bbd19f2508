import { CHANNEL_STATUS } from "@one-api/contract/channels/channel-constants";
import { nowSeconds } from "../../platform/clock.ts";
import { createConcurrencyLimit, type ConcurrencyLimit } from "../../platform/work/concurrency-limit.ts";
import { createRequestId } from "../../platform/requests/request-id.ts";
import {
  type BatchRow,
  changeBatch,
  countOpenBatches,
  deleteBatch,
  insertBatch,
} from "../../features/batches/index.ts";
import type { ChannelForRelay } from "../../features/channels/index.ts";
import type { StoredObjectOwner } from "../../features/stored-objects/index.ts";
import { textOf } from "@one-api/providers/shared/json-fields";
import type { Caller } from "../callers/index.ts";
import { CallerGoneError, logPassthrough, type PassthroughRequest, RunningCount } from "../passthrough/index.ts";
import { RelayError } from "../errors/index.ts";
import { reserveAmount } from "../charging/index.ts";
import { cancelAtProvider, createAtProvider } from "./call-batch-api.ts";
import { callStorage, type StorageAnswer, refusedBy } from "./call-storage.ts";
import type { BatchTerms } from "./batch-terms.ts";
import { presentBatch, sendBatch } from "./present-batch.ts";
import { type BatchRequest, readBatchRequest } from "./read-batch-request.ts";
import { releaseBatch } from "./settle-batch.ts";
import { checkLimits } from "./check-limits.ts";
import { sendInput, type SentInput } from "./send-input.ts";
import type { BatchServices } from "./batch-services.ts";

const MAX_OPEN = 50;
/** Batches per account that are read and sent at a time: each takes about a second of CPU, even if its last line is refused. */
const MAX_CONCURRENT = 2;

const creating = new RunningCount();
const concurrencyLimits = new Map<number, ConcurrencyLimit>();

/**
 * Bounds the file, reserves the charge, then creates the batch at the provider. Throws a RelayError.
 * `followBatch` resolves an unknown result.
 */
export async function createBatch(services: BatchServices, call: PassthroughRequest): Promise<void> {
  const { caller, request } = call;
  await services.limiter.count(caller.limits);
  if (caller.moderated) throw unmoderated();
  const wanted = await readBatchRequest(request);
  const file = await findFile(services, caller, wanted.inputFileId);
  const { userId } = caller;
  const batch = await limitConcurrency(userId, async () => {
    // A caller may disconnect one half only during the wait.
    if (call.response.destroyed || request.socket.readableEnded) throw new CallerGoneError();
    const open = await countOpenBatches(services.database, userId);
    if (open >= MAX_OPEN) throw tooMany(`have ${MAX_OPEN} batches under way`);
    return readAndCreate(services, call, wanted, file);
  });
  sendBatch(call, presentBatch(batch));
}

/** Throws a 429 RelayError if too many wait. */
async function limitConcurrency<Result>(userId: number, work: () => Promise<Result>): Promise<Result> {
  const refuse = (): never => {
    throw tooMany(`make ${MAX_OPEN} batches at once`);
  };
  const limit =
    concurrencyLimits.get(userId) ?? createConcurrencyLimit(MAX_CONCURRENT, MAX_OPEN - MAX_CONCURRENT, refuse);
  concurrencyLimits.set(userId, limit);
  try {
    return await creating.run(userId, () => limit(work));
  } finally {
    if (creating.of(userId) === 0) concurrencyLimits.delete(userId);
  }
}

type CallersFile = StoredObjectOwner & { readonly channel: ChannelForRelay };

async function readAndCreate(
  services: BatchServices,
  call: PassthroughRequest,
  wanted: BatchRequest,
  file: CallersFile,
): Promise<BatchRow> {
  const { caller } = call;
  const row = { model: "batches", content: "Passed on POST /v1/batches.", channelId: file.channel_id };
  return logPassthrough(services, call, row, async (answered) => {
    const input = await sendInput(services, caller, file, wanted.endpoint);
    try {
      await refuseForeign(services, caller, input);
      return await reserveAndCreate(services, caller, { wanted, input }, answered);
    } catch (error) {
      if (error instanceof RelayError && error.status < 500) await deleteFile(services, input);
      throw error;
    }
  });
}

async function findFile(services: BatchServices, { userId }: Caller, id: string): Promise<CallersFile> {
  const objects = await services.storedObjects.find([id]);
  const object = objects.find(({ kind, user_id: owner }) => kind === "file" && owner === userId);
  const channel = object && (await services.loadChannel(object.channel_id));
  if (object === undefined || channel === undefined || channel.status === CHANNEL_STATUS.disabled) throw noFile(id);
  return { ...object, channel };
}

const IDS_PER_QUERY = 200;

/** Refuses another account's stored object as if it were missing. */
async function refuseForeign(services: BatchServices, { userId }: Caller, { lines }: SentInput): Promise<void> {
  const ids = lines.storedIds;
  for (let from = 0; from < ids.length; from += IDS_PER_QUERY) {
    const some = ids.slice(from, from + IDS_PER_QUERY);
    const objects = await services.storedObjects.find(some);
    const foreign = some.find((id) => {
      const known = objects.filter((object) => object.object_id === id);
      return known.length > 0 && !known.some((object) => object.user_id === userId);
    });
    if (foreign !== undefined) throw noFile(foreign);
  }
}

/** Inserts the row first, so that `followBatch` can find the batch. */
async function reserveAndCreate(
  services: BatchServices,
  caller: Caller,
  { wanted, input }: { readonly wanted: BatchRequest; readonly input: SentInput },
  answered: (status: number) => void,
): Promise<BatchRow> {
  const row = newRow(services, caller, wanted, input);
  const id = await insertBatch(services.database, { ...row, line_bounds: input.lines.bounds });
  const batch: BatchRow = { ...row, id };
  try {
    await checkLimits(services, caller);
    await reserveAmount(services, services.batches, { caller, requestId: row.request_id }, row.reserved);
  } catch (error) {
    if (error instanceof RelayError) await deleteBatch(services.database, id);
    throw error;
  }
  const { channel, upstreamModel } = input.route;
  const answer = await createAtProvider(services, channel, { ...wanted, fileId: input.fileId, model: upstreamModel });
  answered(answer.status);
  return recordBatch(services, batch, input, answer);
}

async function recordBatch(
  services: BatchServices,
  batch: BatchRow,
  { route }: SentInput,
  answer: StorageAnswer,
): Promise<BatchRow> {
  const batchId = textOf(answer.json["id"]);
  if (answer.status >= 300 || batchId === "") {
    const refusal = refusedBy(answer, "The provider did not make the batch");
    // Only a refusal proves that no batch was created.
    if (answer.status < 400 || answer.status >= 500) throw refusal;
    await releaseBatch(services, batch);
    await deleteBatch(services.database, batch.id);
    throw refusal;
  }
  const made = { batch_id: batchId, state: "open", data: JSON.stringify(answer.json) } as const;
  try {
    await changeBatch(services.database, batch.id, made);
  } catch (error) {
    // The row remains `creating`, so `followBatch` finds the batch and cancels it again.
    await cancelAtProvider(services, route.channel, batchId).catch(() => undefined);
    throw error;
  }
  return { ...batch, ...made };
}

function newRow(
  services: BatchServices,
  caller: Caller,
  wanted: BatchRequest,
  { route, alias, lines, fileId }: SentInput,
) {
  const { model, upstreamModel, price, costPrice, factor, group } = route;
  const terms: BatchTerms = {
    group,
    ...(alias !== "" && { alias }),
    upstreamModel,
    factor,
    price: { ...price, steps: [...(price.steps ?? [])] },
    ...(costPrice !== undefined && { costPrice: { ...costPrice, steps: [...(costPrice.steps ?? [])] } }),
  };
  const at = nowSeconds(services.clock);
  return {
    request_id: createRequestId(),
    batch_id: "",
    state: "creating",
    user_id: caller.userId,
    username: caller.username,
    token_id: caller.tokenId,
    token_name: caller.tokenName,
    token_unlimited: caller.unlimitedQuota ? 1 : 0,
    channel_id: route.id,
    model,
    endpoint: wanted.endpoint,
    source_file_id: wanted.inputFileId,
    input_file_id: fileId,
    reserved: lines.amount,
    line_count: lines.count,
    model_tokens: lines.modelTokens,
    terms: JSON.stringify(terms),
    data: "",
    created_at: at,
    checked_at: at,
  } as const;
}

async function deleteFile(services: BatchServices, { route, fileId }: SentInput): Promise<void> {
  const path = `/files/${encodeURIComponent(fileId)}`;
  await callStorage(services, { channel: route.channel, method: "DELETE", path }).catch(() => undefined);
}

function noFile(id: string): RelayError {
  const message = `No such File object: ${id}`;
  return new RelayError({ status: 404, type: "invalid_request_error", code: null, param: "input_file_id", message });
}

function tooMany(what: string): RelayError {
  const message = `An account may ${what}. Wait for one of them, or cancel it.`;
  return new RelayError({ status: 429, type: "requests", code: "too_many_batches", message });
}

function unmoderated(): RelayError {
  const message = "This API key sends prompts through moderation first, which batches do not pass.";
  return new RelayError({ status: 403, type: "invalid_request_error", code: "moderation_unavailable", message });
}
