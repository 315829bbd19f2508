import { type FastifyBaseLogger, type FastifyServerOptions, LogController } from "fastify";
import { createRequestId } from "../platform/requests/request-id.ts";
import { replyWithError } from "./reply-with-error.ts";

const CONTROL_BODY_LIMIT_BYTES = 1024 * 1024;
/** Longer than the idle time of usual load balancers, so that they, not we, close idle connections. */
const KEEP_ALIVE_TIMEOUT_MS = 75_000;
const HEADERS_TIMEOUT_MS = 10_000;
/** For a whole request to come in; slow uplinks send audio files. */
const REQUEST_TIMEOUT_MS = 300_000;
/** Time for the rest of a body after an early answer: long enough to read the answer and to finish sending. */
const UNREAD_BODY_TIMEOUT_MS = 5_000;
/** Unsent bytes of an answer from which on its caller lags behind. Less than a long read from a provider, so that the second read waits there. */
const WAITING_BYTES = 32 * 1024;

export const httpOptions = {
  keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
  requestTimeout: REQUEST_TIMEOUT_MS,
  headersTimeout: HEADERS_TIMEOUT_MS,
  unreadBodyTimeout: UNREAD_BODY_TIMEOUT_MS,
  // Node looks for late headers this often.
  connectionsCheckingInterval: 1_000,
  highWaterMark: WAITING_BYTES,
} as const;

/** Fastify's settings. Without trusted proxies no forwarded header changes address, host or protocol. */
export function serverOptions(trustedProxies: readonly string[], log: FastifyBaseLogger): FastifyServerOptions {
  return {
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    bodyLimit: CONTROL_BODY_LIMIT_BYTES,
    forceCloseConnections: "idle",
    // Calls that come on open connections while the server closes are served.
    return503OnClosing: false,
    genReqId: createRequestId,
    requestIdHeader: false,
    exposeHeadRoutes: true,
    onProtoPoisoning: "error",
    onConstructorPoisoning: "error",
    routerOptions: { ignoreTrailingSlash: true },
    frameworkErrors: replyWithError,
  };
}
