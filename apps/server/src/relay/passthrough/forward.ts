import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type Dispatcher, request as callUpstream } from "undici";
import type { InFlightRequest, RequestParties } from "../in-flight/index.ts";
import type { Caller } from "../callers/index.ts";
import { type Dialect, responseHeaders } from "../dialects/index.ts";
import { failureOfError } from "../upstream/index.ts";
import { upstreamFailed } from "../errors/index.ts";
import type { PassthroughServices } from "./passthrough-services.ts";

/** A caller's request that was let in and is neither translated nor charged. */
export interface PassthroughRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  readonly dialect: Dialect;
  readonly caller: Caller;
  /** As it was presented. */
  readonly key: string;
  /** Without a slash at its end. */
  readonly path: string;
  /** On the clock for durations, in ms. */
  readonly startedMs: number;
}

/** What a channel's provider is asked. */
export interface ForwardedRequest {
  readonly channelId: number;
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readable | Buffer | undefined;
}

/** An answer that has begun. */
export type ForwardedAnswer = Dispatcher.ResponseData;

type ForwardServices = Pick<PassthroughServices, "client" | "inFlight" | "timeouts" | "clock">;

/**
 * Asks a channel's provider and hands its answer to `take` while the caller is there and may be. Rejects with a RelayError where no answer
 * comes, and with whatever broke it off later; nobody is told of it here.
 */
export async function forward<Taken>(
  services: ForwardServices,
  visit: PassthroughRequest,
  asked: ForwardedRequest,
  take: (answer: ForwardedAnswer, signal: AbortSignal) => Promise<Taken>,
): Promise<Taken> {
  const passage = new Passage(services, visit, asked.channelId);
  const leave = services.inFlight.add(passage);
  try {
    return await take(await ask(services, asked, passage.signal), passage.signal);
  } finally {
    passage.over();
    leave();
  }
}

async function ask(services: ForwardServices, asked: ForwardedRequest, signal: AbortSignal): Promise<ForwardedAnswer> {
  const { answerFirstByteMs, idleMs } = services.timeouts;
  try {
    return await callUpstream(asked.url, {
      dispatcher: services.client,
      method: asked.method,
      headers: asked.headers,
      body: asked.body ?? null,
      headersTimeout: answerFirstByteMs,
      bodyTimeout: idleMs,
      signal,
    });
  } catch (error) {
    throw toEnd(error, signal, false);
  }
}

/** Why a passage ended: by whoever stopped it, else by the provider. */
function toEnd(error: unknown, signal: AbortSignal, answerBegan: boolean): unknown {
  if (signal.aborted) return signal.reason;
  return error instanceof Error ? upstreamFailed(failureOfError(error, answerBegan)) : error;
}

/** Headers that belong to one connection, not to what passes on it (RFC 9110, 7.6.1). */
const OF_CONNECTION: ReadonlySet<string> = new Set([
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

/** The headers that pass: those of the connection do not, nor any that `isHeldBack`. */
export function passingHeaders(
  headers: IncomingHttpHeaders,
  isHeldBack: (name: string, value: string) => boolean,
): Record<string, string | string[]> {
  const named = new Set((headers.connection ?? "").toLowerCase().split(/\s*,\s*/));
  const passing: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || OF_CONNECTION.has(name) || named.has(name)) continue;
    if (!isHeldBack(name, String(value))) passing[name] = value;
  }
  return passing;
}

/**
 * What a provider says to a browser counts for the provider's own pages; under the gateway's address it must neither set cookies nor run.
 * Other origins may read the answer, as all answers of the relay: a key is needed, and no cookie counts.
 */
const HELD_BACK_ANSWER =
  /^(?:set-cookie2?|clear-site-data|content-security-policy.*|strict-transport-security|service-worker-allowed|access-control-.*|alt-svc|x-request-id|request-id)$/;
const PASSED_PAGE = { "content-security-policy": "sandbox; default-src 'none'", "x-content-type-options": "nosniff" };

/** Sends an answer to the caller as it comes, no faster than it is taken. */
export async function sendOn(visit: PassthroughRequest, answer: ForwardedAnswer, signal: AbortSignal): Promise<void> {
  const { response, request, requestId, dialect } = visit;
  const passing = passingHeaders(answer.headers, (name) => HELD_BACK_ANSWER.test(name));
  response.writeHead(answer.statusCode, { ...passing, ...PASSED_PAGE, ...responseHeaders(requestId, dialect) });
  response.flushHeaders();
  if (request.method === "HEAD") {
    response.end();
    return answer.body.dump();
  }
  try {
    await pipeline(answer.body, response, { signal });
  } catch (error) {
    throw toEnd(error, signal, true);
  }
}

/** Sends a short answer to the caller that was read before. */
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

/** A passage as the keeper of all requests in flight sees it. */
class Passage implements InFlightRequest {
  readonly socket: unknown;
  readonly parties: RequestParties;
  readonly #stop = new AbortController();
  readonly #visit: PassthroughRequest;
  readonly #stallMs: number;
  readonly #closed = (): void => this.#stop.abort(new CallerGoneError());
  #stalledSinceMs = 0;
  #written = 0;

  constructor({ timeouts }: ForwardServices, visit: PassthroughRequest, channelId: number) {
    this.#visit = visit;
    this.#stallMs = timeouts.callerStallMs;
    this.socket = visit.request.socket;
    this.parties = { key: visit.key, model: "", channelId };
    visit.response.once("close", this.#closed);
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Whoever leaves from now on leaves after the end. */
  over(): void {
    this.#visit.response.off("close", this.#closed);
  }

  halfClosed(): void {
    // Nothing of no meaning can be written into an answer of any kind, to see whether somebody still waits for it.
    this.#stop.abort(new CallerGoneError());
  }

  checkpoint(): undefined {
    return undefined;
  }

  endIfStalled(nowMs: number): void {
    const { response, request } = this.#visit;
    const written = request.socket.bytesWritten;
    const isTaking = !response.writableNeedDrain || written !== this.#written;
    this.#written = written;
    if (isTaking) this.#stalledSinceMs = nowMs;
    else if (nowMs - this.#stalledSinceMs >= this.#stallMs) this.#stop.abort(new CallerGoneError());
  }

  end(error: Error): void {
    this.#stop.abort(error);
  }
}

/** The caller has left, or takes nothing any more. */
export class CallerGoneError extends Error {
  override name = "CallerGoneError";
}
