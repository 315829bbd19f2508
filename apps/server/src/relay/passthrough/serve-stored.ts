import { CHANNEL_STATUS } from "@one-api/contract/channels/channel-constants";
import { UncallableChannelError } from "@one-api/providers/failure";
import { providerOf } from "@one-api/providers/registry";
import type { UpstreamAddress } from "@one-api/providers/provider";
import { deleteStoredObject } from "../../features/stored-objects/index.ts";
import type { ChannelForRelay } from "../../features/channels/index.ts";
import { queryOf } from "../dialects/index.ts";
import { RelayError } from "../errors/index.ts";
import type { StoredObjectRequest } from "./stored-object-paths.ts";
import { logPassthrough } from "./log-passthrough.ts";
import { forward, sendAnswer, sendText, type PassthroughRequest } from "./forward.ts";
import { readShortAnswer } from "./read-short-answer.ts";
import { refuseAccountFault } from "./refuse-account-fault.ts";
import type { PassthroughServices } from "./passthrough-services.ts";

/** Throws the same 404 RelayError for another account's object as for a missing one. */
export async function serveStored(
  services: PassthroughServices,
  call: PassthroughRequest,
  target: StoredObjectRequest,
): Promise<void> {
  const { caller, request } = call;
  await services.limiter.count(caller.limits);
  const objects = await services.storedObjects.find([target.objectId]);
  const object = objects.find(({ kind, user_id: owner }) => kind === target.kind && owner === caller.userId);
  if (object === undefined) throw notFound(target);
  const channel = await services.loadChannel(object.channel_id);
  const address = channel === undefined ? undefined : storageAddress(channel, target.path);
  if (channel === undefined || address === undefined || channel.status === CHANNEL_STATUS.disabled)
    throw notFound(target);
  // Not every provider answers HEAD. Node drops the body for the caller.
  const method = request.method === "HEAD" ? "GET" : (request.method ?? "GET");
  const outgoing = {
    channel,
    method,
    url: withQuery(address.url, queryOf(request.url)),
    headers: { ...address.headers, accept: request.headers.accept ?? "*/*", "accept-encoding": "identity" },
    body: method === "POST" ? Buffer.alloc(0) : undefined,
  };
  request.resume();
  const row = { model: `${target.kind}s`, content: `Passed on ${method} ${call.path}.`, channelId: channel.id };
  await logPassthrough(services, call, row, (answered) =>
    forward(services, call, outgoing, async (answer, signal) => {
      answered(answer.statusCode);
      const isGone = target.removes && (answer.statusCode < 300 || answer.statusCode === 404);
      if (isGone) await deleteStoredObject(services.database, target.objectId, channel.id);
      if (answer.statusCode < 400) return sendAnswer(call, answer, signal);
      const text = await readShortAnswer(answer);
      refuseAccountFault(answer, text);
      sendText(call, answer, text);
    }),
  );
}

/** Undefined if the provider stores nothing or the channel cannot be called. */
export function storageAddress(channel: ChannelForRelay, path: string): UpstreamAddress | undefined {
  try {
    return providerOf(channel.type)?.storedObjectAddress?.(channel.connection, path);
  } catch (error) {
    if (error instanceof UncallableChannelError) return undefined;
    throw error;
  }
}

/** A key is not forwarded. */
const FORWARDED_PARAMETERS = new Set([
  "include",
  "include[]",
  "stream",
  "starting_after",
  "include_obfuscation",
  "after",
  "limit",
  "order",
]);

function withQuery(address: string, query: string): URL {
  const url = new URL(address);
  for (const [name, value] of new URLSearchParams(query)) {
    if (FORWARDED_PARAMETERS.has(name)) url.searchParams.append(name, value);
  }
  return url;
}

function notFound({ kind, objectId }: StoredObjectRequest): RelayError {
  const [named, code] = kind === "file" ? ["file", null] : ["Response", null];
  const message =
    kind === "file" ? `No such ${named} object: ${objectId}` : `${named} with id '${objectId}' not found.`;
  return new RelayError({ status: 404, type: "invalid_request_error", code, param: "id", message });
}
