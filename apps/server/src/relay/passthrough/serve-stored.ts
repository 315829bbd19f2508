import { CHANNEL_STATUS } from "@one-api/contract/channels/channel";
import { UncallableChannelError } from "@one-api/providers/failure";
import { providerOf } from "@one-api/providers/registry";
import type { UpstreamAddress } from "@one-api/providers/provider";
import { deleteStoredObject } from "../../features/stored-objects/index.ts";
import type { ChannelForRelay } from "../../features/channels/index.ts";
import { queryOf } from "../dialects/index.ts";
import { RelayError } from "../errors/index.ts";
import type { StoredObjectRequest } from "./stored-object-paths.ts";
import { logPassthrough } from "./log-passthrough.ts";
import { forward, sendOn, sendText, type PassthroughRequest } from "./forward.ts";
import { readShortAnswer } from "./read-short-answer.ts";
import { refuseAccountFault } from "./refuse-account-fault.ts";
import type { PassthroughServices } from "./passthrough-services.ts";

/**
 * Passes a question about something that a provider keeps to the channel that has it. Whoever does not own it is told what is told of a thing that
 * is not there: a 404 RelayError.
 */
export async function serveStored(
  services: PassthroughServices,
  visit: PassthroughRequest,
  ask: StoredObjectRequest,
): Promise<void> {
  const { caller, request } = visit;
  services.limiter.admit(caller.limits, 0).settle(0);
  const places = await services.storedObjects.find([ask.objectId]);
  const place = places.find(({ kind, user_id: owner }) => kind === ask.kind && owner === caller.userId);
  if (place === undefined) throw notThere(ask);
  const channel = await services.loadChannel(place.channel_id);
  const address = channel === undefined ? undefined : storageAddress(channel, ask.path);
  if (channel === undefined || address === undefined || channel.status === CHANNEL_STATUS.disabled) throw notThere(ask);
  // Not every provider answers HEAD; Node leaves the body out for the caller.
  const method = request.method === "HEAD" ? "GET" : (request.method ?? "GET");
  const asked = {
    channelId: channel.id,
    method,
    url: withQuery(address.url, queryOf(request.url)),
    headers: { ...address.headers, accept: request.headers.accept ?? "*/*", "accept-encoding": "identity" },
    body: method === "POST" ? Buffer.alloc(0) : undefined,
  };
  request.resume();
  const row = { model: `${ask.kind}s`, content: `Passed on ${method} ${visit.path}.`, channelId: channel.id };
  await logPassthrough(services, visit, row, (answered) =>
    forward(services, visit, asked, async (answer, signal) => {
      answered(answer.statusCode);
      const isGone = ask.removes && (answer.statusCode < 300 || answer.statusCode === 404);
      if (isGone) await deleteStoredObject(services.database, ask.objectId, channel.id);
      if (answer.statusCode < 400) return sendOn(visit, answer, signal);
      const text = await readShortAnswer(answer);
      refuseAccountFault(answer, text);
      sendText(visit, answer, text);
    }),
  );
}

/** Where a channel's provider has what it keeps; undefined where it keeps nothing, or the channel cannot be called. */
export function storageAddress(channel: ChannelForRelay, path: string): UpstreamAddress | undefined {
  try {
    return providerOf(channel.type)?.keeperAddress?.(channel.connection, path);
  } catch (error) {
    if (error instanceof UncallableChannelError) return undefined;
    throw error;
  }
}

/** What may be asked of what is kept; a key among it stays here. */
const PASSED_PARAMETERS = new Set([
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
    if (PASSED_PARAMETERS.has(name)) url.searchParams.append(name, value);
  }
  return url;
}

function notThere({ kind, objectId }: StoredObjectRequest): RelayError {
  const [named, code] = kind === "file" ? ["file", null] : ["Response", null];
  const message =
    kind === "file" ? `No such ${named} object: ${objectId}` : `${named} with id '${objectId}' not found.`;
  return new RelayError({ status: 404, type: "invalid_request_error", code, param: "id", message });
}
