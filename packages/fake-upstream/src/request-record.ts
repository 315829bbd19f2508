import type { IncomingHttpHeaders, IncomingMessage } from "node:http";

/** One request as the upstream saw it, and what became of it. Times are milliseconds since 1970. */
export interface RequestRecord {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** Without the question mark; empty when there is none. */
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
  /** The body as it came; empty until it has arrived. */
  bodyText: string;
  /** The parsed JSON body; undefined when there is none or it is no JSON. */
  body: unknown;
  readonly startedAtMs: number;
  /** When the whole request had arrived. */
  receivedAtMs: number | null;
  /** When the whole answer had been handed to the socket. */
  finishedAtMs: number | null;
  /** When the caller closed the connection before the end of the answer. */
  abortedAtMs: number | null;
  status: number | null;
  /** Body bytes handed to the socket so far. */
  bytesSent: number;
  /** Completion tokens handed to the socket so far, reasoning included; of a JSON body all or none. */
  tokensServed: number;
}

/** A fresh record of a request whose head has arrived. */
export function openRecord(request: IncomingMessage): RequestRecord {
  const url = request.url ?? "/";
  const queryStart = url.indexOf("?");
  return {
    method: request.method ?? "GET",
    path: queryStart === -1 ? url : url.slice(0, queryStart),
    query: queryStart === -1 ? "" : url.slice(queryStart + 1),
    headers: request.headers,
    bodyText: "",
    body: undefined,
    startedAtMs: Date.now(),
    receivedAtMs: null,
    finishedAtMs: null,
    abortedAtMs: null,
    status: null,
    bytesSent: 0,
    tokensServed: 0,
  };
}
