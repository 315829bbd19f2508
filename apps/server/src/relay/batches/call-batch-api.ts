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

/** How the channel's provider has batches; undefined where it has none. */
export function batchesOf({ type }: Pick<ChannelForRelay, "type">): BatchApi | undefined {
  return providerOf(type)?.batches;
}

/** Asks the provider to make a batch. What it answers is in OpenAI's words, here as below; rejects as callStorage does. */
export function makeAtProvider(
  services: StorageServices,
  channel: ChannelForRelay,
  job: BatchJob,
): Promise<StorageAnswer> {
  return askForOne(services, channel, (api) => ({
    method: "POST",
    path: api.path,
    body: Buffer.from(JSON.stringify(api.writeJob(job))),
  }));
}

/** Asks how a batch stands. */
export function lookAtProvider(
  services: StorageServices,
  channel: ChannelForRelay,
  batchId: string,
): Promise<StorageAnswer> {
  return askForOne(services, channel, ({ path }) => ({
    method: "GET",
    path: `${path}/${encodeURIComponent(batchId)}`,
  }));
}

/** Asks the provider to end a batch. */
export function cancelAtProvider(
  services: StorageServices,
  channel: ChannelForRelay,
  batchId: string,
): Promise<StorageAnswer> {
  return askForOne(services, channel, ({ path }) => ({
    method: "POST",
    path: `${path}/${encodeURIComponent(batchId)}/cancel`,
  }));
}

async function askForOne(
  services: StorageServices,
  channel: ChannelForRelay,
  write: (api: BatchApi) => Omit<StorageRequest, "channel">,
): Promise<StorageAnswer> {
  const api = apiOf(channel);
  const { status, json } = await callStorage(services, { channel, ...write(api) });
  return { status, json: status < 300 ? api.readBatch(json) : json };
}

const MOST_PAGES = 20;

/** The provider's batches, the newest first, a page at a time. Rejects with a RelayError where it does not list them. */
export async function* listAtProvider(
  services: StorageServices,
  channel: ChannelForRelay,
): AsyncGenerator<readonly JsonRecord[]> {
  const api = apiOf(channel);
  let last = "";
  for (let page = 0; page < MOST_PAGES; page += 1) {
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

/** A channel may have become one of another kind since. */
function apiOf(channel: ChannelForRelay): BatchApi {
  const api = batchesOf(channel);
  if (api === undefined) throw badAnswer();
  return api;
}
