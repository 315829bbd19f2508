import type { IncomingHttpHeaders } from "node:http";

/** Request at the stub server, and its outcome. Times are in ms since 1970. */
export interface RequestRecord {
  readonly method: string;
  /** First segment of the path: the channel type of the vendor. */
  readonly vendor: string;
  /** Path after the vendor's segment, without the query. */
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
  receivedAtMs: number | null;
  finishedAtMs: number | null;
  /** Time when the client disconnected before the end of the response. */
  abortedAtMs: number | null;
  status: number | null;
  bytesSent: number;
  /** Completion tokens passed to the socket so far, with reasoning; of a JSON body all or none. */
  tokensServed: number;
}
