import type { OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { RequestRecord } from "@one-api/providers/stub-kit/request-record";
import type { Behaviour } from "@one-api/providers/stub-kit/behaviour";

/** End of an exchange: answered in full, cut by the behaviour, or aborted by the client. */
type ExchangeEnd = "answered" | "cut" | "abandoned";

/** Server side of one request: writes, counts bytes and tokens, and stops waiting when the connection closes. */
export class Exchange {
  readonly record: RequestRecord;
  readonly id: string;
  readonly #response: ServerResponse;
  #closed = false;
  #isCutHere = false;
  #wake: (() => void) | null = null;

  constructor(response: ServerResponse, record: RequestRecord, id: string, onClose: (end: ExchangeEnd) => void) {
    this.#response = response;
    this.record = record;
    this.id = id;
    response.once("close", () => {
      this.#closed = true;
      this.#wake?.();
      onClose(response.writableFinished ? "answered" : this.#isCutHere ? "cut" : "abandoned");
    });
    // A client that disconnects during a write is normal here.
    response.on("error", () => undefined);
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  writeHead(status: number, headers: OutgoingHttpHeaders): void {
    this.record.status = status;
    this.#response.writeHead(status, { "x-request-id": `req_${this.id}`, ...headers });
  }

  flushHead(): void {
    this.#response.flushHeaders();
  }

  /** Returns false while the client reads too slowly: await `drained` before the next write. */
  write(data: string | Buffer): boolean {
    if (this.#closed) return true;
    this.record.bytesSent += Buffer.byteLength(data);
    return this.#response.write(data);
  }

  end(data: string | Buffer = ""): void {
    if (this.#closed) return;
    this.record.bytesSent += Buffer.byteLength(data);
    this.#response.end(data);
  }

  countTokens(tokens: number): void {
    this.record.tokensServed += tokens;
  }

  /** Resolves after `timeMs`, or when the connection closes. */
  async pause(timeMs: number): Promise<void> {
    if (this.#closed) return;
    await this.#orClosed((resolve) => {
      const timer = setTimeout(resolve, timeMs);
      return () => clearTimeout(timer);
    });
  }

  /** Resolves when the socket accepts more data, or when the connection closes. */
  async drained(): Promise<void> {
    if (this.#closed) return;
    await this.#orClosed((resolve) => {
      this.#response.once("drain", resolve);
      return () => this.#response.off("drain", resolve);
    });
  }

  /** Destroys the socket after all written data is sent. */
  async cut(withReset: boolean): Promise<void> {
    this.#isCutHere = true;
    const { socket } = this.#response;
    while (socket !== null && socket.writableLength > 0 && !this.#closed) await this.pause(1);
    if (withReset) socket?.resetAndDestroy();
    else socket?.destroy();
  }

  async #orClosed(begin: (resolve: () => void) => () => void): Promise<void> {
    let stop = (): unknown => undefined;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      stop = begin(resolve);
    });
    this.#wake = null;
    stop();
  }
}

const slowHeadersDelayMs = 1_000;
const slowChunkDelayMs = 100;

export function headersDelayMs(behaviour: Behaviour): number {
  return behaviour.headersDelayMs ?? (behaviour.kind === "slow" ? slowHeadersDelayMs : 0);
}

export function chunkDelayMs(behaviour: Behaviour): number {
  return behaviour.chunkDelayMs ?? (behaviour.kind === "slow" ? slowChunkDelayMs : 0);
}
