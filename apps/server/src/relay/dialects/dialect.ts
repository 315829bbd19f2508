import type { IncomingHttpHeaders } from "node:http";
import type { RelayAsk, RelayBody } from "../body/read-ask.ts";
import type { RelayError } from "../relay-error.ts";

/** A path that takes a body, and how that is read. */
export interface AskPath {
  readonly path: string;
  /** Reads what is asked. Throws a 400 RelayError that names the field and the fix. */
  readAsk(body: RelayBody, headers: IncomingHttpHeaders): RelayAsk;
}

/** A format as callers meet it: its paths, where the key stands, and what an error looks like. */
export interface Dialect {
  readonly name: string;
  readonly askPaths: readonly AskPath[];
  /** Returns what is presented as the key, without a scheme; empty without one. */
  readCredential(headers: IncomingHttpHeaders): string;
  /** The error as the body of an answer; its message names the request. */
  writeError(error: RelayError, requestId: string): string;
  /** The error as the last event of a stream. */
  writeErrorEvent(error: RelayError, requestId: string): string;
}
