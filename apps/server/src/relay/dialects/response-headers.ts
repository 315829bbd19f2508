import { OLDER_REQUEST_ID_HEADER, REQUEST_ID_HEADER } from "@one-api/contract/constants";
import type { Dialect } from "./dialect.ts";
import { ANTHROPIC_LIMITED, OPENAI_LIMITED } from "./limit-headers.ts";

/** Fields of the request that the provider's format cannot express. */
export const DROPPED_HEADER = "x-dropped-fields";

/** Model that answered a request for an alias, or one with fallbacks, percent-encoded. */
export const SERVED_MODEL_HEADER = "x-served-model";

/** Time that the gateway added to a whole answer (W3C Server Timing). */
export const TIMING_HEADER = "server-timing";

const EXPOSED = [
  REQUEST_ID_HEADER,
  OLDER_REQUEST_ID_HEADER,
  "request-id",
  DROPPED_HEADER,
  SERVED_MODEL_HEADER,
  TIMING_HEADER,
  "retry-after",
  ...["limit", "remaining", "reset"].flatMap((part) => [
    ...OPENAI_LIMITED.map((kind) => `x-ratelimit-${part}-${kind}`),
    ...ANTHROPIC_LIMITED.map((kind) => `anthropic-ratelimit-${kind}-${part}`),
  ]),
].join(", ");

/** Headers of every response. Pages of any origin may read it: a key is required and cookies are ignored. */
export function responseHeaders(requestId: string, { requestIdHeader }: Dialect): Record<string, string> {
  return {
    [REQUEST_ID_HEADER]: requestId,
    [OLDER_REQUEST_ID_HEADER]: requestId,
    [requestIdHeader]: requestId,
    "access-control-allow-origin": "*",
    "access-control-expose-headers": EXPOSED,
  };
}

/** Answer to a browser's preflight request (Fetch standard, "CORS-preflight fetch"). */
export const PREFLIGHT_HEADERS = {
  "access-control-allow-origin": "*",
  "access-control-allow-methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
  "access-control-allow-headers": "*, authorization",
  "access-control-max-age": "86400",
} as const;

export const STREAM_HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache",
  "x-accel-buffering": "no",
} as const;

export const ARRAY_HEADERS = { ...STREAM_HEADERS, "content-type": "application/json; charset=utf-8" } as const;

/** White space between elements of a JSON list, which parsers skip. */
export const ARRAY_COMMENT = "\n";

/** Comment of an event stream, which clients skip (WHATWG HTML, "Server-sent events"). */
export const STREAM_COMMENT = ":\n\n";
