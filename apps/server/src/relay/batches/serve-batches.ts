import { setTimeout as wait } from "node:timers/promises";
import { type BatchRow, changeBatch, findBatch, findBatchOf, listBatchesOf } from "../../features/batches/index.ts";
import { presentPage, readAskedPage } from "../passthrough/list-page.ts";
import type { Visit } from "../passthrough/forward.ts";
import type { RelayDependencies } from "../relay-dependencies.ts";
import { RelayError } from "../errors/relay-error.ts";
import { cancelAtProvider } from "./ask-for-batches.ts";
import { refusedBy } from "./call-storage.ts";
import { createBatch } from "./create-batch.ts";
import { followBatch } from "./follow-batches.ts";
import { presentBatch, sendBatch } from "./present-batch.ts";

const ONE = /^\/v1\/batches\/([A-Za-z0-9_-]{1,256})(\/cancel)?$/;

/** Answers a visit about batches. */
type ServeBatches = (deps: RelayDependencies, visit: Visit) => Promise<void>;

/** What answers about batches at the path; undefined where nothing does. */
export function findBatchVisit(method: string, path: string): ServeBatches | undefined {
  if (path === "/v1/batches" && (method === "GET" || method === "POST"))
    return method === "POST" ? createBatch : listBatches;
  const [, id, cancels] = ONE.exec(path) ?? [];
  if (id === undefined || method !== (cancels === undefined ? "GET" : "POST")) return undefined;
  return (deps, visit) => (cancels === undefined ? retrieveBatch : cancelBatch)(deps, visit, id);
}

/** A question about a batch waits this long for what the provider says, and for the charge, in ms; then it is told what is known. */
const PATIENCE_MS = 10_000;

async function retrieveBatch(deps: RelayDependencies, visit: Visit, batchId: string): Promise<void> {
  const batch = await findOwn(deps, visit, batchId);
  if (batch.state === "open")
    await Promise.race([followBatch(deps, batch), wait(PATIENCE_MS, undefined, { ref: false })]);
  sendBatch(visit, presentBatch((await findBatch(deps.database, batch.id)) ?? batch));
}

async function cancelBatch(deps: RelayDependencies, visit: Visit, batchId: string): Promise<void> {
  visit.request.resume();
  const batch = await findOwn(deps, visit, batchId);
  if (batch.state === "open") {
    const channel = await deps.loadChannel(batch.channel_id);
    if (channel === undefined) throw notThere(batchId);
    const answer = await cancelAtProvider(deps, channel, batchId);
    if (answer.status >= 300) throw refusedBy(answer, "The provider did not cancel the batch");
    await changeBatch(deps.database, batch.id, { data: JSON.stringify(answer.json) });
  }
  sendBatch(visit, presentBatch((await findBatch(deps.database, batch.id)) ?? batch));
}

const USUALLY_LISTED = 20;

/** The caller's own batches as they were seen last, the newest first: https://platform.openai.com/docs/api-reference/batch/list */
async function listBatches(deps: RelayDependencies, visit: Visit): Promise<void> {
  const { caller } = visit;
  deps.limiter.admit(caller.limits, 0).settle(0);
  const asked = readAskedPage(visit, USUALLY_LISTED);
  const found = await listBatchesOf(deps.database, caller.userId, asked);
  sendBatch(visit, presentPage(found, asked, { idOf: (batch) => batch.batch_id, present: presentBatch }));
}

async function findOwn(deps: RelayDependencies, { caller }: Visit, batchId: string): Promise<BatchRow> {
  deps.limiter.admit(caller.limits, 0).settle(0);
  const batch = await findBatchOf(deps.database, caller.userId, batchId);
  if (batch === undefined) throw notThere(batchId);
  return batch;
}

function notThere(id: string): RelayError {
  const message = `No batch found with id '${id}'.`;
  return new RelayError({ status: 404, type: "invalid_request_error", code: null, param: "id", message });
}
