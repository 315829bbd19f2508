import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { answerError, type KnownCall } from "./answer-error.ts";
import { ASK_SHAPES, type AskShape, readAsk, readBody } from "./body/read-ask.ts";
import { checkCaller, readAuthorization, readPinnedChannel } from "./callers/authenticate-token.ts";
import type { Caller } from "./callers/caller-source.ts";
import { MODELS_PATH, retrieveModel, listCallableModels } from "./list-models.ts";
import type { RelayDependencies } from "./relay-dependencies.ts";
import { RelayError } from "./relay-error.ts";
import { watchArrival } from "./relay-job.ts";
import { relayRequest } from "./relay-request.ts";
import { answerHeaders, PREFLIGHT_HEADERS } from "./send-reply.ts";

/** Largest body of a relayed request, in bytes. */
const MAX_BODY_BYTES = 32 * 1024 * 1024;

/** Who makes a request of the relay; set before the body is read. */
interface Authenticated extends KnownCall {
  readonly pinnedChannel: number | undefined;
}

declare module "fastify" {
  interface FastifyRequest {
    relayCaller: Authenticated | undefined;
  }
}

/** Registers the relay's public paths under /v1. */
export function registerRelay(app: FastifyInstance, deps: RelayDependencies): void {
  app.register((relay, _options, done) => {
    relay.decorateRequest("relayCaller", undefined);
    // A logger of its own for every request would cost more than the rest of Fastify; errors name the request themselves.
    relay.setChildLoggerFactory((logger) => logger);
    relay.removeAllContentTypeParsers();
    relay.addContentTypeParser("*", { parseAs: "buffer", bodyLimit: MAX_BODY_BYTES }, (_request, body, parsed) =>
      parsed(null, body),
    );
    relay.addHook("onRequest", (request, _reply, admit) => {
      if (request.method === "OPTIONS") return admit();
      const keep = (authenticated: Authenticated) => {
        request.relayCaller = authenticated;
        admit();
      };
      const authenticated = authenticate(deps, request);
      if (authenticated instanceof Promise) authenticated.then(keep, admit);
      else keep(authenticated);
    });
    relay.options("/v1/*", (_request, reply) => reply.code(204).headers(PREFLIGHT_HEADERS).send());
    relay.setErrorHandler((error, request, reply) => sendError(deps, error, request, reply));
    const authenticated = (request: FastifyRequest): Authenticated => {
      if (request.relayCaller === undefined) throw new Error("A relayed request was not authenticated.");
      return request.relayCaller;
    };
    const relayPath = (shape: AskShape) => {
      relay.post(shape.path, { bodyLimit: MAX_BODY_BYTES }, (request, reply) =>
        relayOne(deps, shape, authenticated(request), request, reply),
      );
    };
    for (const shape of ASK_SHAPES) relayPath(shape);
    relay.get(MODELS_PATH, (request, reply) => {
      const { caller } = authenticated(request);
      reply.headers({ ...answerHeaders(request.id), ...deps.limiter.standing(caller.limits) });
      return listCallableModels(deps, caller);
    });
    relay.get<{ Params: { "*": string } }>(`${MODELS_PATH}/*`, (request, reply) => {
      const { caller } = authenticated(request);
      reply.headers({ ...answerHeaders(request.id), ...deps.limiter.standing(caller.limits) });
      return retrieveModel(deps, caller, request.params["*"]);
    });
    relay.route({
      method: ["GET", "POST", "PUT", "PATCH", "DELETE"],
      url: "/v1/*",
      handler(request) {
        throw unknownPath(request);
      },
    });
    done();
  });
}

/** At once where the caller is known, as it is for all but a key's first request. */
function authenticate(deps: RelayDependencies, request: FastifyRequest): Authenticated | Promise<Authenticated> {
  const startedMs = deps.clock.monotonicMs();
  const presented = readAuthorization(request.headers.authorization);
  const check = (found: Caller | undefined): Authenticated => {
    if (found !== undefined)
      request.relayCaller = { caller: found, pinnedChannel: undefined, startedMs, ask: undefined };
    const caller = checkCaller(found, request.ip, deps.clock.nowMs());
    return { caller, pinnedChannel: readPinnedChannel(presented, caller), startedMs, ask: undefined };
  };
  const found = deps.callers.find(presented.key);
  return found instanceof Promise ? found.then(check) : check(found);
}

async function relayOne(
  deps: RelayDependencies,
  shape: AskShape,
  authenticated: Authenticated,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const ask = readAsk(shape, readBody(Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)));
  const { caller, pinnedChannel, startedMs } = authenticated;
  const response = reply.raw;
  const arrival = watchArrival(deps, response, startedMs);
  reply.hijack();
  try {
    await relayRequest(deps, { requestId: request.id, caller, pinnedChannel, ask, response, arrival });
  } catch (error) {
    const answer = answerError(deps, error, request, { ...authenticated, ask });
    if (response.headersSent || response.destroyed) response.destroy();
    else response.writeHead(answer.status, errorHeaders(answer, request.id)).end(answer.toJson(request.id));
  }
}

function sendError(deps: RelayDependencies, error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const answer = answerError(deps, error, request, request.relayCaller);
  void reply.code(answer.status).headers(errorHeaders(answer, request.id)).send(answer.toJson(request.id));
}

function errorHeaders(answer: RelayError, requestId: string): Record<string, string> {
  return { "content-type": "application/json", ...answerHeaders(requestId), ...answer.headers };
}

function unknownPath(request: FastifyRequest): RelayError {
  const [path] = request.url.split("?");
  return new RelayError({
    status: 404,
    type: "invalid_request_error",
    code: "unknown_url",
    message: `Unknown request URL: ${request.method} ${path ?? ""}.`,
  });
}
