import { CHANNEL_STATUS } from "@one-api/contract/channels/channel";
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
import { cancelAtProvider, makeAtProvider } from "./call-batch-api.ts";
import { callStorage, type StorageAnswer, refusedBy } from "./call-storage.ts";
import type { BatchTerms } from "./batch-terms.ts";
import { presentBatch, sendBatch } from "./present-batch.ts";
import { type BatchRequest, readBatchRequest } from "./read-batch-request.ts";
import { releaseBatch } from "./settle-batch.ts";
import { holdToLimits } from "./check-limits.ts";
import { sendInput, type SentInput } from "./send-input.ts";
import type { BatchServices } from "./batch-services.ts";

/** So many batches of one account may be under way. */
const MOST_OPEN = 50;
/** So many are read and sent at once, others wait: each takes a second of this server's time, even where it is refused in its last line. */
const MOST_AT_ONCE = 2;

/** Accounts whose batches are read and sent now. */
const beingMade = new RunningCount();
const turns = new Map<number, ConcurrencyLimit>();

/**
 * Makes a batch: bounds its file, sets aside what all of it can cost, and only then asks the provider for it. Throws a RelayError; where the provider
 * may have made it and nobody knows, whoever follows batches finds it there and cancels it.
 */
export async function createBatch(services: BatchServices, visit: PassthroughRequest): Promise<void> {
  const { caller, request } = visit;
  services.limiter.admit(caller.limits, 0).settle(0);
  if (caller.moderated) throw unmoderated();
  const ask = await readBatchRequest(request);
  const file = await findFile(services, caller, ask.inputFileId);
  const { userId } = caller;
  const batch = await inTurn(userId, async () => {
    // Whoever has left while others had their turns may have closed one half of the connection alone.
    if (visit.response.destroyed || request.socket.readableEnded) throw new CallerGoneError();
    const open = await countOpenBatches(services.database, userId);
    if (open >= MOST_OPEN) throw tooMany(`have ${MOST_OPEN} batches under way`);
    return readAndMake(services, visit, ask, file);
  });
  sendBatch(visit, presentBatch(batch));
}

/** Does the work once few enough of the account's are under way. Throws a 429 RelayError where too many wait. */
async function inTurn<Result>(userId: number, work: () => Promise<Result>): Promise<Result> {
  const refuse = (): never => {
    throw tooMany(`make ${MOST_OPEN} batches at once`);
  };
  const turn = turns.get(userId) ?? createConcurrencyLimit(MOST_AT_ONCE, MOST_OPEN - MOST_AT_ONCE, refuse);
  turns.set(userId, turn);
  try {
    return await beingMade.run(userId, () => turn(work));
  } finally {
    if (beingMade.of(userId) === 0) turns.delete(userId);
  }
}

type CallersFile = StoredObjectOwner & { readonly channel: ChannelForRelay };

async function readAndMake(
  services: BatchServices,
  visit: PassthroughRequest,
  ask: BatchRequest,
  file: CallersFile,
): Promise<BatchRow> {
  const { caller } = visit;
  const row = { model: "batches", content: "Passed on POST /v1/batches.", channelId: file.channel_id };
  return logPassthrough(services, visit, row, async (answered) => {
    const input = await sendInput(services, caller, file, ask.endpoint);
    try {
      await refuseForeign(services, caller, input);
      return await makeBatch(services, caller, { ask, input }, answered);
    } catch (error) {
      // What the provider has not made a batch of is of no use to anybody.
      if (error instanceof RelayError && error.status < 500) await forgetFile(services, input);
      throw error;
    }
  });
}

async function findFile(services: BatchServices, { userId }: Caller, id: string): Promise<CallersFile> {
  const places = await services.storedObjects.find([id]);
  const place = places.find(({ kind, user_id: owner }) => kind === "file" && owner === userId);
  const channel = place && (await services.loadChannel(place.channel_id));
  if (place === undefined || channel === undefined || channel.status === CHANNEL_STATUS.disabled) throw noFile(id);
  return { ...place, channel };
}

/** So many ids are looked for at once. */
const IDS_TOGETHER = 200;

/** What a line names and somebody else keeps is not there for the caller. */
async function refuseForeign(services: BatchServices, { userId }: Caller, { lines }: SentInput): Promise<void> {
  const ids = lines.keptIds;
  for (let from = 0; from < ids.length; from += IDS_TOGETHER) {
    const some = ids.slice(from, from + IDS_TOGETHER);
    const places = await services.storedObjects.find(some);
    const foreign = some.find((id) => {
      const known = places.filter((place) => place.object_id === id);
      return known.length > 0 && !known.some((place) => place.user_id === userId);
    });
    if (foreign !== undefined) throw noFile(foreign);
  }
}

/** The row is there before anything is set aside or made, so that whoever follows batches knows what to look for. */
async function makeBatch(
  services: BatchServices,
  caller: Caller,
  { ask, input }: { readonly ask: BatchRequest; readonly input: SentInput },
  answered: (status: number) => void,
): Promise<BatchRow> {
  const row = newRow(services, caller, ask, input);
  const id = await insertBatch(services.database, { ...row, line_bounds: input.lines.bounds });
  const batch: BatchRow = { ...row, id };
  try {
    await holdToLimits(services, caller);
    await reserveAmount(services, services.batches, { caller, requestId: row.request_id }, row.reserved);
  } catch (error) {
    if (error instanceof RelayError) await deleteBatch(services.database, id);
    throw error;
  }
  const { channel, upstreamModel } = input.route;
  const answer = await makeAtProvider(services, channel, { ...ask, fileId: input.fileId, model: upstreamModel });
  answered(answer.status);
  return noteBatch(services, batch, input, answer);
}

async function noteBatch(
  services: BatchServices,
  batch: BatchRow,
  { route }: SentInput,
  answer: StorageAnswer,
): Promise<BatchRow> {
  const batchId = textOf(answer.json["id"]);
  if (answer.status >= 300 || batchId === "") {
    const refusal = refusedBy(answer, "The provider did not make the batch");
    // Whether something was made is certain only where the provider has refused it.
    if (answer.status < 400 || answer.status >= 500) throw refusal;
    await releaseBatch(services, batch);
    await deleteBatch(services.database, batch.id);
    throw refusal;
  }
  const made = { batch_id: batchId, state: "open", data: JSON.stringify(answer.json) } as const;
  try {
    await changeBatch(services.database, batch.id, made);
  } catch (error) {
    // It stands as `creating`: it is found by its file later, and cancelled once more.
    await cancelAtProvider(services, route.channel, batchId).catch(() => undefined);
    throw error;
  }
  return { ...batch, ...made };
}

function newRow(
  services: BatchServices,
  caller: Caller,
  ask: BatchRequest,
  { route, model, lines, fileId }: SentInput,
) {
  const { upstreamModel, price, costPrice, factor, group } = route;
  const terms: BatchTerms = {
    group,
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
    endpoint: ask.endpoint,
    source_file_id: ask.inputFileId,
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

async function forgetFile(services: BatchServices, { route, fileId }: SentInput): Promise<void> {
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
