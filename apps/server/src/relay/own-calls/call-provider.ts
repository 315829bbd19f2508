import type { Failure } from "@one-api/providers/failure";
import type { UpstreamCall } from "@one-api/providers/provider";
import type { Dispatcher } from "undici";
import type { ParsedRequest } from "../body/index.ts";
import type { Candidate } from "../routing/index.ts";
import type { Translation } from "../translate/index.ts";
import {
  Attempt,
  failureOfUncalled,
  type UpstreamAnswer,
  type UpstreamServices,
  withHeaders,
} from "../upstream/index.ts";
import type { MemoryClaim } from "../../platform/memory/memory-budget.ts";

export interface OwnCall {
  readonly parsed: ParsedRequest;
  readonly translation: Translation;
  readonly client: Dispatcher;
  readonly call: UpstreamCall;
}

/** Encodes a request of the gateway for the route's provider. `overridden`: the body's overrides apply too. Rejects with a readable error if the channel cannot be called. */
export async function prepareCall(
  { translate, upstream }: Pick<UpstreamServices, "translate" | "upstream">,
  parsed: ParsedRequest,
  { service, upstreamModel, channel }: Pick<Candidate, "service" | "upstreamModel" | "channel">,
  overridden = false,
): Promise<OwnCall> {
  const translation = translate(parsed.format, service);
  const { client, providerIo } = upstream.through(channel.proxy);
  const { connection, overrides } = channel;
  const ofBody = overridden ? overrides : undefined;
  const edits = { model: upstreamModel, systemPrompt: "", maxTokens: undefined, reportUsage: false, overrides: ofBody };
  const call = await service.call(translation.writeRequest(parsed, edits), connection, providerIo);
  return {
    parsed,
    translation,
    client,
    call: { ...call, address: withHeaders(call.address, overrides, {}) },
  };
}

export type CallResult =
  | { readonly ok: true; readonly answer: UpstreamAnswer }
  | { readonly ok: false; readonly failure: Failure };

/** Answers to the gateway's own requests are short, so their memory is not counted. */
const uncounted: MemoryClaim = { take: () => true, give: () => undefined, release: () => undefined };

const unfetched = () => Promise.reject(new Error("The gateway asks for no pictures."));

/** Calls a provider for a whole answer, in the request's own format. Never rejects. */
export async function callProvider(ownCall: OwnCall, timeoutMs: number): Promise<CallResult> {
  const result = await fetchOnce(ownCall, timeoutMs);
  if (result.ok) return result;
  try {
    const call = await ownCall.call.renew?.(result.failure);
    return call === undefined ? result : await fetchOnce({ ...ownCall, call }, timeoutMs);
  } catch {
    return result;
  }
}

/** Encodes and sends a request of the gateway. A channel that cannot be called is a failure. Rejects with a RelayError only. */
export async function callOnce(
  services: Pick<UpstreamServices, "translate" | "upstream" | "log">,
  parsed: ParsedRequest,
  route: Pick<Candidate, "service" | "upstreamModel" | "channel">,
  timeoutMs: number,
): Promise<CallResult> {
  try {
    return await callProvider(await prepareCall(services, parsed, route), timeoutMs);
  } catch (error) {
    const failure = failureOfUncalled(error, services.log, { channelId: route.channel.id });
    if (failure === undefined) throw error;
    return { ok: false, failure };
  }
}

function fetchOnce({ parsed, translation, client, call }: OwnCall, timeoutMs: number): Promise<CallResult> {
  return new Promise((resolve) => {
    const unexpected = () => undefined;
    const attempt = new Attempt(
      { translation, parsed, stream: false, fetchPicture: unfetched },
      {
        answered: (answer) => resolve({ ok: true, answer }),
        failed: (failure) => {
          call.giveUp?.();
          resolve({ ok: false, failure });
        },
        streamed: unexpected,
        streamEnded: unexpected,
        claimMemory: () => uncounted,
      },
    );
    attempt.send(client, {
      ...call,
      firstByteTimeoutMs: timeoutMs,
      firstContentTimeoutMs: timeoutMs,
      idleTimeoutMs: timeoutMs,
    });
  });
}
