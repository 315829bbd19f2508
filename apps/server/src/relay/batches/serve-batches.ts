import { setTimeout as wait } from "node:timers/promises";
import { type BatchRow, changeBatch, findBatch, findBatchOf, listBatchesOf } from "../../features/batches/index.ts";
import { type PassthroughRequest, presentPage, readAskedPage } from "../passthrough/index.ts";
import { RelayError } from "../errors/index.ts";
import { cancelAtProvider } from "./call-batch-api.ts";
import { refusedBy } from "./call-storage.ts";
import { createBatch } from "./create-batch.ts";
import { followBatch } from "./follow-batches.ts";
import { presentBatch, sendBatch } from "./present-batch.ts";
import type { BatchServices } from "./batch-services.ts";

const ONE = /^\/v1\/batches\/([A-Za-z0-9_-]{1,256})(\/cancel)?$/;

/** Answers a visit about batches. */
type ServeBatches = (services: BatchServices, visit: PassthroughRequest) => Promise<void>;

/** What answers about batches at the path; undefined where nothing does. */
export function findBatchCall(method: string, path: string): ServeBatches | undefined {
  if (path === "/v1/batches" && (method === "GET" || method === "POST"))
    return method === "POST" ? createBatch : listBatches;
  const [, id, cancels] = ONE.exec(path) ?? [];
  if (id === undefined || method !== (cancels === undefined ? "GET" : "POST")) return undefined;
  return (services, visit) => (cancels === undefined ? retrieveBatch : cancelBatch)(services, visit, id);
}

/** A question about a batch waits this long for what the provider says, and for the charge, in ms; then it is told what is known. */
const PATIENCE_MS = 10_000;

async function retrieveBatch(services: BatchServices, visit: PassthroughRequest, batchId: string): Promise<void> {
  const batch = await findOwn(services, visit, batchId);
  if (batch.state === "open")
    await Promise.race([followBatch(services, batch), wait(PATIENCE_MS, undefined, { ref: false })]);
  sendBatch(visit, presentBatch((await findBatch(services.database, batch.id)) ?? batch));
}

async function cancelBatch(services: BatchServices, visit: PassthroughRequest, batchId: string): Promise<void> {
  visit.request.resume();
  const batch = await findOwn(services, visit, batchId);
  if (batch.state === "open") {
    const channel = await services.loadChannel(batch.channel_id);
    if (channel === undefined) throw notThere(batchId);
    const answer = await cancelAtProvider(services, channel, batchId);
    if (answer.status >= 300) throw refusedBy(answer, "The provider did not cancel the batch");
    await changeBatch(services.database, batch.id, { data: JSON.stringify(answer.json) });
  }
  sendBatch(visit, presentBatch((await findBatch(services.database, batch.id)) ?? batch));
}

const USUALLY_LISTED = 20;

/** The caller's own batches as they were seen last, the newest first: https://platform.openai.com/docs/api-reference/batch/list */
async function listBatches(services: BatchServices, visit: PassthroughRequest): Promise<void> {
  const { caller } = visit;
  services.limiter.admit(caller.limits, 0).settle(0);
  const asked = readAskedPage(visit, USUALLY_LISTED);
  const found = await listBatchesOf(services.database, caller.userId, asked);
  sendBatch(visit, presentPage(found, asked, { idOf: (batch) => batch.batch_id, present: presentBatch }));
}

async function findOwn(services: BatchServices, { caller }: PassthroughRequest, batchId: string): Promise<BatchRow> {
  services.limiter.admit(caller.limits, 0).settle(0);
  const batch = await findBatchOf(services.database, caller.userId, batchId);
  if (batch === undefined) throw notThere(batchId);
  return batch;
}

function notThere(id: string): RelayError {
  const message = `No batch found with id '${id}'.`;
  return new RelayError({ status: 404, type: "invalid_request_error", code: null, param: "id", message });
}
