import type { IncomingMessage, ServerResponse } from "node:http";
import type { CallerRequest, CallerResponse } from "@one-api/http1/server/caller-exchange";
import { repeatedHeader } from "../platform/requests/repeated-header.ts";
import { createRequestId } from "../platform/requests/request-id.ts";
import { type Caller, explainError, identifyCaller, readPresentedKey } from "./callers/index.ts";
import { countPrompt } from "./own-calls/index.ts";
import {
  anthropic,
  type CallPath,
  cohere,
  decodePathSegment,
  type Dialect,
  gemini,
  openai,
  PREFLIGHT_HEADERS,
  queryOf,
  responseHeaders,
} from "./dialects/index.ts";
import { callableModels, MODELS_PATHS, retrieveModel } from "./routing/index.ts";
import { findPassthrough } from "./relay-paths.ts";
import { CallerGoneError } from "./passthrough/index.ts";
import { RelayError } from "./errors/index.ts";
import { sessionApiAt } from "./realtime/index.ts";
import { RelayedRequest } from "./request/index.ts";
import type { EndedRequest } from "./telemetry/index.ts";
import type { RelayServices } from "./create-relay.ts";

/** Path prefixes of the relay; some clients request billing without a version. */
const RELAY_PREFIXES = ["/v1/", "/v2/", "/v1beta/", "/v1alpha/", "/dashboard/billing/", "/ws/google."] as const;

export function isRelayed(url: string | undefined): boolean {
  return RELAY_PREFIXES.some((prefix) => url?.startsWith(prefix) === true);
}

export interface RelayHandler {
  /** Call of a POST to the address; undefined if it is not parsed, admitted and charged. */
  callAt(url: string): RelayedCall | undefined;
  serveCall(call: RelayedCall, request: CallerRequest, response: CallerResponse): void;
  serve(request: IncomingMessage, response: ServerResponse): void;
}

/** The dialects in use; the last one answers requests of an unknown dialect. */
const DIALECTS: readonly Dialect[] = [gemini, cohere, anthropic, openai];

interface RelayedCall {
  readonly dialect: Dialect;
  readonly callPath: CallPath;
}

function dialectOf({ headers }: CallerRequest, path: string): Dialect {
  return DIALECTS.find((dialect) => dialect.isSpoken(headers, path)) ?? openai;
}

function findPath(find: (dialect: Dialect) => CallPath | undefined): RelayedCall | undefined {
  for (const dialect of DIALECTS) {
    const callPath = find(dialect);
    if (callPath !== undefined) return { dialect, callPath };
  }
  return undefined;
}

export function createRelayHandler(services: RelayServices): RelayHandler {
  // Most calls go to the same address as the one before.
  let last: { readonly url: string; readonly call: RelayedCall | undefined } = { url: "", call: undefined };
  const handler: RelayHandler = {
    callAt(url) {
      if (url === last.url) return last.call;
      const [path, query] = [pathOf(url), queryOf(url)];
      const call = findPath((dialect) => dialect.callAt(path, query));
      last = { url, call };
      return call;
    },
    serveCall(call, request, response) {
      const requestId = createRequestId();
      if (services.inFlight.hasEnded) return refuse(response, call.dialect, stopped(), requestId);
      new RelayedRequest({ ...call, services, request, response, requestId }).begin();
    },
    serve(request, response) {
      const { url = "", method } = request;
      const call = method === "POST" ? handler.callAt(url) : undefined;
      const refusal = services.inFlight.hasEnded ? stopped() : refusalOfHeaders(request);
      if (refusal === undefined && call !== undefined) return handler.serveCall(call, request, response);
      const [requestId, path, query] = [createRequestId(), pathOf(url), queryOf(url)];
      if (refusal !== undefined) return refuse(response, call?.dialect ?? dialectOf(request, path), refusal, requestId);
      if (isPreflight(request)) return void response.writeHead(204, PREFLIGHT_HEADERS).end();
      const counting = method === "POST" ? findPath((dialect) => dialect.countAt(path, query)) : undefined;
      const question = { request, response, requestId, path, countPath: counting?.callPath };
      void answerQuestion(services, question, counting?.dialect ?? dialectOf(request, path));
    },
  };
  return handler;
}

/** A browser's question before a call (Fetch standard, "CORS-preflight request"); other OPTIONS have a key, and may pass to a provider. */
function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === "OPTIONS" && headers.authorization === undefined;
}

/** A request that costs nothing. */
interface Question {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  readonly path: string;
  readonly countPath: CallPath | undefined;
}

async function answerQuestion(services: RelayServices, question: Question, dialect: Dialect): Promise<void> {
  const { request, response, requestId, path } = question;
  const startedMs = services.clock.monotonicMs();
  let found: Caller | undefined;
  try {
    const { key } = readPresentedKey(dialect.readCredential(request.headers, queryOf(request.url)));
    found = await services.callers.find(key);
    const caller = identifyCaller(services, request, found);
    const servePassthrough = findPassthrough(request, path);
    if (servePassthrough !== undefined) {
      return await servePassthrough(services, { request, response, requestId, dialect, caller, key, path, startedMs });
    }
    const answer = JSON.stringify(await answerOf(services, question, dialect, caller));
    response.writeHead(200, {
      "content-type": "application/json; charset=utf-8",
      "content-length": Buffer.byteLength(answer),
      ...responseHeaders(requestId, dialect),
      ...services.limiter.headers(caller.limits, dialect.writeLimits),
    });
    response.end(answer);
    if (services.telemetry.isOn)
      services.telemetry.ended(toEndedRequest(services, question, { dialect, caller, startedMs }));
  } catch (error) {
    if (error instanceof CallerGoneError) return void response.destroy();
    const call = found && { caller: found, pinnedChannel: undefined, startedMs, parsed: undefined };
    refuse(
      response,
      dialect,
      explainError(services, error, { requestId, headers: request.headers, dialect }, call),
      requestId,
    );
  }
}

function toEndedRequest(
  { billing, clock }: RelayServices,
  { request, requestId, path, countPath }: Question,
  { dialect, caller, startedMs }: { readonly dialect: Dialect; readonly caller: Caller; readonly startedMs: number },
): EndedRequest {
  const free = billing.has(path) ? "billing" : "models";
  return {
    arrival: { requestId, headers: request.headers, dialect },
    caller,
    parsed: { endpoint: countPath === undefined ? free : "token-counts", model: "", stream: false },
    route: undefined,
    attempts: [],
    trace: undefined,
    result: "ok",
    end: "complete",
    limited: "",
    statusCode: 200,
    startedMs,
    elapsedMs: clock.monotonicMs() - startedMs,
    firstByteMs: 0,
    gatewayMs: undefined,
    usage: undefined,
    charge: 0,
  };
}

async function answerOf(
  services: RelayServices,
  { request, path, countPath }: Question,
  dialect: Dialect,
  caller: Caller,
): Promise<unknown> {
  if (countPath !== undefined) {
    return dialect.writeCount(await countPrompt(services, caller, request, countPath));
  }
  const method = request.method === "HEAD" ? "GET" : (request.method ?? "");
  if (method !== "GET") throw refusalOfPath(method, path);
  if (services.billing.has(path)) return services.billing.answer(path, caller);
  const models = MODELS_PATHS.find((known) => path === known || path.startsWith(`${known}/`));
  if (models === path) return dialect.writeModels(await callableModels(services, caller));
  if (models !== undefined) {
    return dialect.writeModel(await retrieveModel(services, caller, decodePathSegment(path.slice(models.length + 1))));
  }
  throw refusalOfPath(method, path);
}

/**
 * Paths of OpenAI's API that the gateway does not offer: objects of a whole account, jobs of unknown cost, retired APIs. Source:
 * https://platform.openai.com/docs/api-reference
 */
const UNOFFERED: readonly RegExp[] = [
  /^\/v1\/(?:assistants|threads|vector_stores|containers|conversations|chatkit|skills|prompts)(?:\/|$)/,
  /^\/v1\/(?:fine_tuning|fine-tunes|evals|graders|uploads|videos|batches|files)(?:\/|$)/,
  /^\/v1\/(?:edits|answers|search|classifications|organization|projects|realtime)(?:\/|$)/,
  /^\/v1\/(?:images|audio)\/(?:generations|edits|variations|speech|transcriptions|translations|models|voices|voice_consents)$/,
  /^\/v1\/(?:chat\/completions|completions|embeddings|moderations|responses|engines)(?:\/|$)/,
  /^\/v1\/messages\/batches(?:\/|$)/,
];

/** Refusal of an unknown path or method: 501 if OpenAI's API has it, else 404. */
function refusalOfPath(method: string, path: string): RelayError {
  if (sessionApiAt(path) !== undefined) return notUpgraded(path);
  const isKnown = UNOFFERED.some((pattern) => pattern.test(path)) || (method === "DELETE" && isModel(path));
  if (!isKnown) {
    const message = `Unknown request URL: ${method} ${path}.`;
    return new RelayError({ status: 404, type: "invalid_request_error", code: "unknown_url", message });
  }
  return new RelayError({
    status: 501,
    type: "invalid_request_error",
    code: "api_not_implemented",
    message: `${method} ${path} is not offered by this gateway. GET /v1/models lists what you can call.`,
  });
}

function notUpgraded(path: string): RelayError {
  return new RelayError({
    status: 426,
    type: "invalid_request_error",
    code: "upgrade_required",
    message: `${path} is a WebSocket. Open it with GET and the header Upgrade: websocket.`,
    headers: { upgrade: "websocket" },
  });
}

const isModel = (path: string): boolean => /^\/v1\/models\/./.test(path);

function pathOf(url: string): string {
  const query = url.indexOf("?");
  const path = query === -1 ? url : url.slice(0, query);
  return path.endsWith("/") ? path.slice(0, -1) : path;
}

function refuse(response: CallerResponse, dialect: Dialect, error: RelayError, requestId: string): void {
  if (response.headersSent || response.destroyed) return void response.destroy();
  const headers = { "content-type": "application/json", ...responseHeaders(requestId, dialect), ...error.headers };
  response.writeHead(dialect.statusOf(error), headers);
  response.end(dialect.writeError(error, requestId));
}

const ONCE_ONLY: ReadonlySet<string> = new Set(["host", "authorization", "x-api-key", "x-goog-api-key"]);

function refusalOfHeaders(request: CallerRequest): RelayError | undefined {
  const repeated = repeatedHeader(request, ONCE_ONLY);
  return repeated === undefined ? undefined : sentTwice(repeated);
}

function sentTwice(header: string): RelayError {
  return new RelayError({
    status: 400,
    type: "invalid_request_error",
    code: "invalid_header",
    message: `The header ${header} was sent more than once. Send it once.`,
  });
}

function stopped(): RelayError {
  return new RelayError({
    status: 503,
    code: "unavailable",
    message: "The gateway is stopping. Try again in a moment.",
    retryAfterSeconds: 2,
    headers: { connection: "close" },
  });
}
