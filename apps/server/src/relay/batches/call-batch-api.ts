import type { BatchApi, BatchJob } from "@one-api/providers/batch-api";
import { providerOf } from "@one-api/providers/registry";
import { type JsonRecord, textOf } from "@one-api/providers/shared/json-fields";
import type { ChannelForRelay } from "../../features/channels/index.ts";
import { badAnswer } from "../passthrough/index.ts";
import {
  callStorage,
  type StorageServices,
  type StorageAnswer,
  type StorageRequest,
  refusedBy,
} from "./call-storage.ts";

export function batchesOf({ type }: Pick<ChannelForRelay, "type">): BatchApi | undefined {
  return providerOf(type)?.batches;
}

/** Creates a batch. Here and below, answers are in OpenAI's form and calls reject like `callStorage`. */
export function createAtProvider(
  services: StorageServices,
  channel: ChannelForRelay,
  job: BatchJob,
): Promise<StorageAnswer> {
  return requestBatch(services, channel, (api) => ({
    method: "POST",
    path: api.path,
    body: Buffer.from(JSON.stringify(api.writeJob(job))),
  }));
}

export function fetchFromProvider(
  services: StorageServices,
  channel: ChannelForRelay,
  batchId: string,
): Promise<StorageAnswer> {
  return requestBatch(services, channel, ({ path }) => ({
    method: "GET",
    path: `${path}/${encodeURIComponent(batchId)}`,
  }));
}

export function cancelAtProvider(
  services: StorageServices,
  channel: ChannelForRelay,
  batchId: string,
): Promise<StorageAnswer> {
  return requestBatch(services, channel, ({ path }) => ({
    method: "POST",
    path: `${path}/${encodeURIComponent(batchId)}/cancel`,
  }));
}

async function requestBatch(
  services: StorageServices,
  channel: ChannelForRelay,
  write: (api: BatchApi) => Omit<StorageRequest, "channel">,
): Promise<StorageAnswer> {
  const api = apiOf(channel);
  const { status, json } = await callStorage(services, { channel, ...write(api) });
  return { status, json: status < 300 ? api.readBatch(json) : json };
}

const MAX_PAGES = 20;

/** The provider's batches by page, newest first. Rejects with a RelayError if the provider does not list them. */
export async function* listAtProvider(
  services: StorageServices,
  channel: ChannelForRelay,
): AsyncGenerator<readonly JsonRecord[]> {
  const api = apiOf(channel);
  let last = "";
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const answer = await callStorage(services, {
      channel,
      method: "GET",
      path: api.path,
      query: api.listQuery(page, last),
    });
    if (answer.status >= 300) throw refusedBy(answer, "The provider did not list its batches");
    const { jobs, hasMore } = api.readList(answer.json);
    const listed = jobs.map((job) => api.readBatch(job));
    yield listed;
    last = textOf(listed.at(-1)?.["id"]);
    if (!hasMore || last === "") return;
  }
}

function apiOf(channel: ChannelForRelay): BatchApi {
  const api = batchesOf(channel);
  if (api === undefined) throw badAnswer();
  return api;
}
