import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http";
import type { Socket } from "node:net";

/** A caller's request: the part of `IncomingMessage` that plain requests have too. */
export interface CallerRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly httpVersion: string;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
  readonly socket: Socket;
  readonly complete: boolean;
  /** Listens to chunks of the body, which flow after `resume`. */
  on(event: "data", listener: (chunk: Buffer) => void): unknown;
  /** `end`: the body was read to its end. `close`: the connection has closed. */
  once(event: "end" | "close", listener: () => void): unknown;
  /** Takes the body if it arrived in one read, instead of listening. Node's requests do not have it. */
  takeWhole?(): Buffer | undefined;
  /** Lets the body flow; without a listener it is discarded. */
  resume(): unknown;
  pause(): unknown;
}

/** A response to a caller: the part of `ServerResponse` that plain responses have too. */
export interface CallerResponse {
  readonly headersSent: boolean;
  readonly destroyed: boolean;
  readonly writableEnded: boolean;
  /** Bytes that wait for the connection. */
  readonly writableLength: number;
  writeHead(status: number, headers: OutgoingHttpHeaders): unknown;
  /** Writes a chunk of the body. Returns false if the caller should wait for `drain`. */
  write(chunk: Buffer | string): boolean;
  end(chunk: Buffer | string): unknown;
  end(text: string, encoding: "latin1"): unknown;
  end(): unknown;
  /** Sends `102 Processing`. */
  writeProcessing(): void;
  destroy(): unknown;
  /** `close`: the response was sent, or the connection has closed. */
  once(event: "drain" | "close", listener: () => void): unknown;
}
