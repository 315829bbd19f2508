import type { IncomingMessage, ServerResponse } from "node:http";
import { repeatedHeader } from "../core/repeated-header.ts";
import { createRequestId } from "../core/request-id.ts";
import { answerError } from "./answer-error.ts";
import { checkCaller, readPresentedKey } from "./callers/authenticate-token.ts";
import type { Caller } from "./callers/caller-source.ts";
import { countPrompt } from "./counting/count-for-caller.ts";
import type { AskPath, Dialect } from "./dialects/dialect.ts";
import { anthropic } from "./dialects/anthropic.ts";
import { openai } from "./dialects/openai.ts";
import { callableModels, MODELS_PATH, retrieveModel } from "./list-models.ts";
import type { RelayDependencies } from "./relay-dependencies.ts";
import { RelayError } from "./relay-error.ts";
import { RelayRequest } from "./relay-request.ts";
import { answerHeaders, PREFLIGHT_HEADERS } from "./send-reply.ts";

/** What the relay's paths begin with; some clients ask for what a key has spent without the version. */
const RELAY_PREFIXES = ["/v1/", "/dashboard/billing/"] as const;

/** True for addresses that the relay answers. */
export function isRelayed(url: string | undefined): boolean {
  return RELAY_PREFIXES.some((prefix) => url?.startsWith(prefix) === true);
}

/** Answers the requests under `/v1/`, straight from Node's HTTP server. */
export type HandleRelay = (request: IncomingMessage, response: ServerResponse) => void;

/** The dialects in use; the last one answers where nothing tells the dialect. */
const DIALECTS: readonly Dialect[] = [anthropic, openai];

interface KnownPath {
  readonly dialect: Dialect;
  readonly askPath: AskPath;
}

function dialectOf({ headers }: IncomingMessage): Dialect {
  return DIALECTS.find((dialect) => dialect.isSpoken(headers)) ?? openai;
}

/** Builds the handler. */
export function createRelayHandler(deps: RelayDependencies): HandleRelay {
  const paths = new Map<string, KnownPath>(
    DIALECTS.flatMap((dialect) => dialect.askPaths.map((askPath) => [askPath.path, { dialect, askPath }])),
  );
  return (request, response) => {
    const requestId = createRequestId();
    const path = pathOf(request.url ?? "");
    const known = request.method === "POST" ? paths.get(path) : undefined;
    const refusal = deps.active.isDraining ? draining() : refusalOfHeaders(request);
    if (refusal !== undefined) return refuse(response, known?.dialect ?? dialectOf(request), refusal, requestId);
    if (known !== undefined) return new RelayRequest({ deps, ...known, request, response, requestId }).begin();
    if (request.method === "OPTIONS") return void response.writeHead(204, PREFLIGHT_HEADERS).end();
    const counting = request.method === "POST" ? DIALECTS.find(({ countPath }) => countPath?.path === path) : undefined;
    void answerQuestion(deps, { request, response, requestId, path }, counting ?? dialectOf(request));
  };
}

/** A request that costs nothing. */
interface Question {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  readonly path: string;
}

/** Answers what needs a key and nothing else: the models, and that there is no such path. */
async function answerQuestion(deps: RelayDependencies, question: Question, dialect: Dialect): Promise<void> {
  const { request, response, requestId } = question;
  const startedMs = deps.clock.monotonicMs();
  let found: Caller | undefined;
  try {
    const presented = readPresentedKey(dialect.readCredential(request.headers));
    found = await deps.callers.find(presented.key);
    const caller = checkCaller(found, deps.clientAddress(request), deps.clock.nowMs());
    const answer = JSON.stringify(await answerOf(deps, question, dialect, caller));
    response.writeHead(200, {
      "content-type": "application/json; charset=utf-8",
      "content-length": Buffer.byteLength(answer),
      ...answerHeaders(requestId, dialect),
      ...deps.limiter.standing(caller.limits),
    });
    response.end(request.method === "HEAD" ? undefined : answer);
  } catch (error) {
    const call = found && { caller: found, pinnedChannel: undefined, startedMs, ask: undefined };
    refuse(response, dialect, answerError(deps, error, requestId, call), requestId);
  }
}

async function answerOf(
  deps: RelayDependencies,
  { request, path }: Question,
  dialect: Dialect,
  caller: Caller,
): Promise<unknown> {
  const { countPath } = dialect;
  if (request.method === "POST" && countPath?.path === path) {
    return dialect.writeCount(await countPrompt(deps, caller, request, countPath));
  }
  if (request.method !== "GET") throw unknownPath(request.method ?? "", path);
  if (deps.billing.has(path)) return deps.billing.answer(path, caller);
  if (path === MODELS_PATH) return dialect.writeModels(await callableModels(deps, caller));
  if (path.startsWith(`${MODELS_PATH}/`)) {
    return dialect.writeModel(await retrieveModel(deps, caller, readId(path)));
  }
  throw unknownPath(request.method, path);
}

function readId(path: string): string {
  const id = path.slice(MODELS_PATH.length + 1);
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

/** The path without its query and without a slash at its end. */
function pathOf(url: string): string {
  const query = url.indexOf("?");
  const path = query === -1 ? url : url.slice(0, query);
  return path.endsWith("/") ? path.slice(0, -1) : path;
}

function refuse(response: ServerResponse, dialect: Dialect, error: RelayError, requestId: string): void {
  if (response.headersSent || response.destroyed) return void response.destroy();
  const headers = { "content-type": "application/json", ...answerHeaders(requestId, dialect), ...error.headers };
  response.writeHead(error.status, headers).end(dialect.writeError(error, requestId));
}

const ONCE_ONLY: ReadonlySet<string> = new Set(["host", "authorization", "x-api-key"]);

function refusalOfHeaders(request: IncomingMessage): RelayError | undefined {
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

function draining(): RelayError {
  return new RelayError({
    status: 503,
    code: "unavailable",
    message: "The gateway is stopping. Try again in a moment.",
    retryAfterSeconds: 2,
    headers: { connection: "close" },
  });
}

function unknownPath(method: string, path: string): RelayError {
  return new RelayError({
    status: 404,
    type: "invalid_request_error",
    code: "unknown_url",
    message: `Unknown request URL: ${method} ${path}.`,
  });
}
