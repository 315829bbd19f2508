import type { IncomingHttpHeaders } from "node:http";

export interface RequestRecord {
  readonly method: string;
  readonly vendor: string;
  readonly path: string;
  /** Path as it was sent, for signatures. */
  readonly fullPath: string;
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
  bodyText: string;
  body: unknown;
  readonly startedAtMs: number;
  receivedAtMs: number | null;
  finishedAtMs: number | null;
  abortedAtMs: number | null;
  status: number | null;
  bytesSent: number;
  tokensServed: number;
}
