import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http";
import type { Socket } from "node:net";

/** A caller's request, whoever read it from its connection: Node's HTTP server's are of this form. */
export interface CallerRequest {
  readonly method?: string | undefined;
  /** Path and query, as they were sent. */
  readonly url?: string | undefined;
  readonly httpVersion: string;
  /** By names in lower case. */
  readonly headers: IncomingHttpHeaders;
  /** Names and values in turn, as they were sent. */
  readonly rawHeaders: readonly string[];
  readonly socket: Socket;
  /** True when all of the body has come. */
  readonly complete: boolean;
  /** Listens to pieces of the body, which flow from `resume` on. */
  on(event: "data", listener: (chunk: Buffer) => void): unknown;
  /** `end`: the body was read to its end. `close`: nothing more of it comes. */
  once(event: "end" | "close", listener: () => void): unknown;
  /** The body where all of it has come already: whoever takes it needs neither to listen nor to let it flow. Absent where that is never known. */
  takeWhole?(): Buffer | undefined;
  /** Lets the body flow, to nobody where nobody listens. */
  resume(): unknown;
  /** Lets nothing more flow until `resume`. */
  pause(): unknown;
}

/** The answer to a caller, whoever writes it to its connection: Node's HTTP server's are of this form. */
export interface CallerResponse {
  readonly headersSent: boolean;
  readonly destroyed: boolean;
  readonly writableEnded: boolean;
  /** Bytes that the connection has not taken yet. */
  readonly writableLength: number;
  writeHead(status: number, headers: OutgoingHttpHeaders): unknown;
  /** Writes a piece of the body. False: nothing more should come until `drain`. */
  write(piece: Buffer | string): boolean;
  end(piece: Buffer | string): unknown;
  end(text: string, encoding: "latin1"): unknown;
  end(): unknown;
  /** Sends an interim answer that means nothing. */
  writeProcessing(): void;
  /** Closes the connection. */
  destroy(): unknown;
  /** `close`: the connection is done with the answer, or gone. */
  once(event: "drain" | "close", listener: () => void): unknown;
}
