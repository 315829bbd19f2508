import { setTimeout as wait } from "node:timers/promises";
import { type BatchRow, changeBatch, findBatch, findBatchOf, listBatchesOf } from "../../features/batches/index.ts";
import { type PassthroughRequest, presentPage, readPageRequest } from "../passthrough/index.ts";
import { RelayError } from "../errors/index.ts";
import { cancelAtProvider } from "./call-batch-api.ts";
import { refusedBy } from "./call-storage.ts";
import { createBatch } from "./create-batch.ts";
import { followBatch } from "./follow-batches.ts";
import { presentBatch, sendBatch } from "./present-batch.ts";
import type { BatchServices } from "./batch-services.ts";

const ONE = /^\/v1\/batches\/([A-Za-z0-9_-]{1,256})(\/cancel)?$/;

type ServeBatches = (services: BatchServices, call: PassthroughRequest) => Promise<void>;

export function findBatchCall(method: string, path: string): ServeBatches | undefined {
  if (path === "/v1/batches" && (method === "GET" || method === "POST"))
    return method === "POST" ? createBatch : listBatches;
  const [, id, cancels] = ONE.exec(path) ?? [];
  if (id === undefined || method !== (cancels === undefined ? "GET" : "POST")) return undefined;
  return (services, call) => (cancels === undefined ? retrieveBatch : cancelBatch)(services, call, id);
}

/** Wait of a status request for the provider and the charge, in ms. After it, the stored state is returned. */
const STATUS_WAIT_MS = 10_000;

async function retrieveBatch(services: BatchServices, call: PassthroughRequest, batchId: string): Promise<void> {
  const batch = await findOwned(services, call, batchId);
  if (batch.state === "open")
    await Promise.race([followBatch(services, batch), wait(STATUS_WAIT_MS, undefined, { ref: false })]);
  sendBatch(call, presentBatch((await findBatch(services.database, batch.id)) ?? batch));
}

async function cancelBatch(services: BatchServices, call: PassthroughRequest, batchId: string): Promise<void> {
  call.request.resume();
  const batch = await findOwned(services, call, batchId);
  if (batch.state === "open") {
    const channel = await services.loadChannel(batch.channel_id);
    if (channel === undefined) throw notFound(batchId);
    const answer = await cancelAtProvider(services, channel, batchId);
    if (answer.status >= 300) throw refusedBy(answer, "The provider did not cancel the batch");
    await changeBatch(services.database, batch.id, { data: JSON.stringify(answer.json) });
  }
  sendBatch(call, presentBatch((await findBatch(services.database, batch.id)) ?? batch));
}

const DEFAULT_LIMIT = 20;

/** The caller's batches as last checked, newest first: https://platform.openai.com/docs/api-reference/batch/list */
async function listBatches(services: BatchServices, call: PassthroughRequest): Promise<void> {
  const { caller } = call;
  await services.limiter.count(caller.limits);
  const page = readPageRequest(call, DEFAULT_LIMIT);
  const found = await listBatchesOf(services.database, caller.userId, page);
  sendBatch(call, presentPage(found, page, { idOf: (batch) => batch.batch_id, present: presentBatch }));
}

async function findOwned(services: BatchServices, { caller }: PassthroughRequest, batchId: string): Promise<BatchRow> {
  await services.limiter.count(caller.limits);
  const batch = await findBatchOf(services.database, caller.userId, batchId);
  if (batch === undefined) throw notFound(batchId);
  return batch;
}

function notFound(id: string): RelayError {
  const message = `No batch found with id '${id}'.`;
  return new RelayError({ status: 404, type: "invalid_request_error", code: null, param: "id", message });
}
