import { randomFillSync } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { type FastifyBaseLogger, type FastifyServerOptions, LogController } from "fastify";
import { replyWithError } from "./reply-with-error.ts";

const CONTROL_BODY_LIMIT_BYTES = 1024 * 1024;
/** Longer than the idle time of usual load balancers, so that they, not we, close idle connections. */
const KEEP_ALIVE_TIMEOUT_MS = 75_000;
const HEADERS_TIMEOUT_MS = 30_000;
/** For a whole request to come in; slow uplinks send audio files. */
const REQUEST_TIMEOUT_MS = 300_000;

type ServerOptions = FastifyServerOptions & { http: { headersTimeout: number } };

/** Fastify's settings. Without trusted proxies no forwarded header changes address, host or protocol. */
export function serverOptions(trustedProxies: readonly string[], log: FastifyBaseLogger): ServerOptions {
  return {
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    bodyLimit: CONTROL_BODY_LIMIT_BYTES,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    http: { headersTimeout: HEADERS_TIMEOUT_MS },
    forceCloseConnections: "idle",
    genReqId: createRequestId,
    requestIdHeader: false,
    // A HEAD twin of a GET that changes something would change it too.
    exposeHeadRoutes: false,
    onProtoPoisoning: "error",
    onConstructorPoisoning: "error",
    routerOptions: { ignoreTrailingSlash: true },
    frameworkErrors: replyWithError,
  };
}

/** True when the request names more than one host; Node keeps the first, another hop may have used the second. */
export function hasSeveralHosts(request: IncomingMessage): boolean {
  let hosts = 0;
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    if (request.rawHeaders[index]?.toLowerCase() === "host") hosts += 1;
  }
  return hosts > 1;
}

const TIME_DIGITS = 12;
const RANDOM_BYTES = 7;
const pool = Buffer.alloc(RANDOM_BYTES * 512);
let offset = pool.length;

/**
 * A new request id: 12 hex digits of the time in ms and 14 that nobody can foretell. Ids that grow with time stay together in the
 * database's indexes, so that a commit of many requests touches few pages. Randomness is drawn for many ids at once.
 */
function createRequestId(): string {
  if (offset >= pool.length) {
    randomFillSync(pool);
    offset = 0;
  }
  offset += RANDOM_BYTES;
  return Date.now().toString(16).padStart(TIME_DIGITS, "0") + pool.toString("hex", offset - RANDOM_BYTES, offset);
}
