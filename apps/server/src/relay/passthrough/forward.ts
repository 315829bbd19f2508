import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type Dispatcher, request as callUpstream } from "undici";
import type { InFlightRequest, RequestParties } from "../in-flight/index.ts";
import type { ChannelForRelay } from "../../features/channels/index.ts";
import type { Caller } from "../callers/index.ts";
import { type Dialect, responseHeaders } from "../dialects/index.ts";
import { failureOfError } from "../upstream/index.ts";
import { upstreamFailed } from "../errors/index.ts";
import type { PassthroughServices } from "./passthrough-services.ts";

/** An authenticated request that is neither translated nor charged. */
export interface PassthroughRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  readonly dialect: Dialect;
  readonly caller: Caller;
  readonly key: string;
  readonly path: string;
  readonly startedMs: number;
}

export interface ForwardedRequest {
  readonly channel: Pick<ChannelForRelay, "id" | "proxy">;
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readable | Buffer | undefined;
}

export type ForwardedAnswer = Dispatcher.ResponseData;

type ForwardServices = Pick<PassthroughServices, "upstream" | "inFlight" | "timeouts" | "clock">;

/**
 * Passes a provider's answer to `take` until the caller disconnects or is revoked.
 * Rejects with a RelayError without an answer, and with the cause of a later interruption.
 */
export async function forward<Taken>(
  services: ForwardServices,
  call: PassthroughRequest,
  outgoing: ForwardedRequest,
  take: (answer: ForwardedAnswer, signal: AbortSignal) => Promise<Taken>,
): Promise<Taken> {
  const inFlight = new InFlightForward(services, call, outgoing.channel.id);
  const remove = services.inFlight.add(inFlight);
  try {
    return await take(await send(services, outgoing, inFlight.signal), inFlight.signal);
  } finally {
    inFlight.over();
    remove();
  }
}

async function send(
  services: ForwardServices,
  outgoing: ForwardedRequest,
  signal: AbortSignal,
): Promise<ForwardedAnswer> {
  const { answerFirstByteMs, idleMs } = services.timeouts;
  try {
    return await callUpstream(outgoing.url, {
      dispatcher: services.upstream.through(outgoing.channel.proxy).client,
      method: outgoing.method,
      headers: outgoing.headers,
      body: outgoing.body ?? null,
      headersTimeout: answerFirstByteMs,
      bodyTimeout: idleMs,
      signal,
    });
  } catch (error) {
    throw endReason(error, signal, false);
  }
}

function endReason(error: unknown, signal: AbortSignal, answerBegan: boolean): unknown {
  if (signal.aborted) return signal.reason;
  return error instanceof Error ? upstreamFailed(failureOfError(error, answerBegan)) : error;
}

/** Hop-by-hop headers (RFC 9110, 7.6.1). */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

export function passingHeaders(
  headers: IncomingHttpHeaders,
  isDropped: (name: string, value: string) => boolean,
): Record<string, string | string[]> {
  const named = new Set((headers.connection ?? "").toLowerCase().split(/\s*,\s*/));
  const passing: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || HOP_BY_HOP.has(name) || named.has(name)) continue;
    if (!isDropped(name, String(value))) passing[name] = value;
  }
  return passing;
}

/** Headers that act on the gateway's origin: an answer must neither set cookies nor run scripts. */
const DROPPED_HEADERS =
  /^(?:set-cookie2?|clear-site-data|content-security-policy.*|strict-transport-security|service-worker-allowed|access-control-.*|alt-svc|x-request-id|request-id)$/;
const SANDBOX_HEADERS = {
  "content-security-policy": "sandbox; default-src 'none'",
  "x-content-type-options": "nosniff",
};

export async function sendAnswer(
  call: PassthroughRequest,
  answer: ForwardedAnswer,
  signal: AbortSignal,
): Promise<void> {
  const { response, request, requestId, dialect } = call;
  const passing = passingHeaders(answer.headers, (name) => DROPPED_HEADERS.test(name));
  response.writeHead(answer.statusCode, { ...passing, ...SANDBOX_HEADERS, ...responseHeaders(requestId, dialect) });
  response.flushHeaders();
  if (request.method === "HEAD") {
    response.end();
    return answer.body.dump();
  }
  try {
    await pipeline(answer.body, response, { signal });
  } catch (error) {
    throw endReason(error, signal, true);
  }
}

export function sendText(
  { response, requestId, dialect }: PassthroughRequest,
  { statusCode }: ForwardedAnswer,
  text: string,
): void {
  response.writeHead(statusCode, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
    ...responseHeaders(requestId, dialect),
  });
  response.end(text);
}

class InFlightForward implements InFlightRequest {
  readonly socket: unknown;
  readonly parties: RequestParties;
  readonly #stop = new AbortController();
  readonly #call: PassthroughRequest;
  readonly #stallMs: number;
  readonly #closed = (): void => this.#stop.abort(new CallerGoneError());
  #stalledSinceMs = 0;
  #written = 0;

  constructor({ timeouts }: ForwardServices, call: PassthroughRequest, channelId: number) {
    this.#call = call;
    this.#stallMs = timeouts.callerStallMs;
    this.socket = call.request.socket;
    this.parties = { key: call.key, model: "", channelId, isStreaming: false };
    call.response.once("close", this.#closed);
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  over(): void {
    this.#call.response.off("close", this.#closed);
  }

  halfClosed(): void {
    // Probing a half-closed connection would add bytes to the answer.
    this.#stop.abort(new CallerGoneError());
  }

  checkpoint(): undefined {
    return undefined;
  }

  endIfStalled(nowMs: number): void {
    const { response, request } = this.#call;
    const written = request.socket.bytesWritten;
    const isReading = !response.writableNeedDrain || written !== this.#written;
    this.#written = written;
    if (isReading) this.#stalledSinceMs = nowMs;
    else if (nowMs - this.#stalledSinceMs >= this.#stallMs) this.#stop.abort(new CallerGoneError());
  }

  end(error: Error): void {
    this.#stop.abort(error);
  }
}

export class CallerGoneError extends Error {
  override name = "CallerGoneError";
}
