import type { IncomingHttpHeaders } from "node:http";

/** A request as the stub server received it, and its outcome. Times are milliseconds since 1970. */
export interface RequestRecord {
  readonly method: string;
  /** First segment of the path: the name of the channel type whose vendor is called. */
  readonly vendor: string;
  /** What follows the vendor's segment, without the query. */
  readonly path: string;
  /** Path as it was sent, for signatures. */
  readonly fullPath: string;
  /** Without the question mark. */
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
  /** Empty until the body has arrived. */
  bodyText: string;
  /** The parsed JSON body; undefined without a body or for one that is not JSON. */
  body: unknown;
  readonly startedAtMs: number;
  /** The whole request has arrived. */
  receivedAtMs: number | null;
  /** The whole response has been handed to the socket. */
  finishedAtMs: number | null;
  /** The client has disconnected before the end of the response. */
  abortedAtMs: number | null;
  status: number | null;
  /** Body bytes handed to the socket so far. */
  bytesSent: number;
  /** Completion tokens handed to the socket so far, with reasoning; of a JSON body all or none. */
  tokensServed: number;
}
