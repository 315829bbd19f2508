import type { UpstreamAddress } from "@one-api/providers/provider";
import type { Dispatcher } from "undici";

export interface UpstreamRequest {
  /** Default: POST. */
  readonly method?: "GET";
  readonly address: UpstreamAddress;
  readonly body: Buffer;
  /** Absent: JSON. */
  readonly contentType?: string | undefined;
  /** Further headers beside the address's. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Until the headers, in ms. */
  readonly firstByteTimeoutMs: number;
  /** Until the first content of a stream, in ms: some providers send comments for as long as they have nothing to say. */
  readonly firstContentTimeoutMs: number;
  /** Between two pieces of the body, in ms; not counted while the caller is slower. */
  readonly idleTimeoutMs: number;
  /** Exact deadlines of the channel and the alias, in ms; absent without. */
  readonly deadlines?: AttemptDeadlines | undefined;
}

export interface AttemptDeadlines {
  /** Until the first content of a stream; undefined for none. */
  readonly firstContentMs: number | undefined;
  /** The same, of the requested alias. */
  readonly aliasMs: number | undefined;
  /** Until the end of the answer, not counted while the caller is slower; undefined for none. */
  readonly totalMs: number | undefined;
}

/** The request in undici's form. Refuses compression: a stream is read as it comes. */
export function toDispatchOptions(request: UpstreamRequest): Dispatcher.DispatchOptions {
  const { origin, path } = splitUrl(request.address.url);
  return {
    origin,
    path,
    method: request.method ?? "POST",
    headers: {
      ...request.address.headers,
      ...request.headers,
      "content-type": request.contentType ?? "application/json",
      "accept-encoding": "identity",
    },
    body: request.method === "GET" ? null : request.body,
    headersTimeout: request.firstByteTimeoutMs,
    bodyTimeout: request.idleTimeoutMs,
  };
}

interface UrlParts {
  readonly origin: string;
  readonly path: string;
}

/** Addresses of channels. The map is cleared when it is full, since each edit of a channel adds one. */
const urlParts = new Map<string, UrlParts>();
const MAX_URL_PARTS = 1_000;

function splitUrl(url: string): UrlParts {
  const known = urlParts.get(url);
  if (known !== undefined) return known;
  const parsed = new URL(url);
  const parts = { origin: parsed.origin, path: parsed.pathname + parsed.search };
  if (urlParts.size >= MAX_URL_PARTS) urlParts.clear();
  urlParts.set(url, parts);
  return parts;
}
