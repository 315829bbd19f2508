import { createGunzip, type Gunzip } from "node:zlib";
import type { CallerRequest } from "@one-api/http1/server/caller-exchange";
import { RelayError } from "../errors/index.ts";
import { MAX_BODY_BYTES } from "./receive-body.ts";

const ENCODING = "content-encoding";
const PIECE_BYTES = 64 * 1024;

/** Decompresses a request's body; the output counts against the body limit. `refused` replaces the body's end after an error. */
export function inflateBody(request: CallerRequest, refused: (error: RelayError) => void): CallerRequest {
  const encoding = request.headers[ENCODING]?.trim().toLowerCase();
  if (encoding === undefined || encoding === "" || encoding === "identity") return request;
  return new PackedRequest(request, encoding, refused);
}

class PackedRequest implements CallerRequest {
  readonly headers: CallerRequest["headers"];
  readonly #request: CallerRequest;
  readonly #encoding: string;
  readonly #refused: (error: RelayError) => void;
  readonly #gunzip: Gunzip = createGunzip({ chunkSize: PIECE_BYTES });
  #inflatedBytes = 0;
  #isStarted = false;

  constructor(request: CallerRequest, encoding: string, refused: (error: RelayError) => void) {
    // The declared length is that of the compressed body.
    this.headers = { ...request.headers, "content-length": undefined, [ENCODING]: undefined };
    this.#request = request;
    this.#encoding = encoding;
    this.#refused = refused;
  }

  get method(): string | undefined {
    return this.#request.method;
  }

  get url(): string | undefined {
    return this.#request.url;
  }

  get httpVersion(): string {
    return this.#request.httpVersion;
  }

  get rawHeaders(): readonly string[] {
    return this.#request.rawHeaders;
  }

  get socket(): CallerRequest["socket"] {
    return this.#request.socket;
  }

  get complete(): boolean {
    return this.#request.complete;
  }

  on(event: "data", listener: (chunk: Buffer) => void): void {
    this.#gunzip.on(event, (piece: Buffer) => {
      this.#inflatedBytes += piece.length;
      listener(piece);
      if (this.#inflatedBytes > MAX_BODY_BYTES) this.#stop();
    });
    // A listener would start the flow.
    this.#gunzip.pause();
  }

  once(event: "end" | "close", listener: () => void): void {
    if (event === "end") this.#gunzip.once(event, listener);
    else this.#request.once(event, listener);
  }

  resume(): void {
    if (!this.#isStarted) this.#start();
    this.#gunzip.resume();
  }

  pause(): void {
    this.#gunzip.pause();
  }

  #start(): void {
    this.#isStarted = true;
    if (this.#encoding !== "gzip" && this.#encoding !== "x-gzip") return this.#refuse(notRead(this.#encoding));
    this.#gunzip.once("error", () => this.#refuse(notGzip()));
    const whole = this.#request.takeWhole?.();
    if (whole !== undefined) return void this.#gunzip.end(whole);
    this.#request.on("data", (piece) => this.#feed(piece));
    this.#request.once("end", () => void this.#gunzip.end());
    this.#request.once("close", () => {
      // "close" follows a complete body too.
      if (!this.#request.complete) this.#gunzip.destroy();
    });
    this.#request.resume();
  }

  #feed(piece: Buffer): void {
    if (this.#gunzip.destroyed || this.#gunzip.write(piece)) return;
    this.#request.pause();
    this.#gunzip.once("drain", () => this.#request.resume());
  }

  #refuse(error: RelayError): void {
    this.#stop();
    this.#refused(error);
  }

  #stop(): void {
    this.#gunzip.destroy();
    this.#request.resume();
  }
}

function notRead(encoding: string): RelayError {
  return new RelayError({
    status: 415,
    type: "invalid_request_error",
    code: "unsupported_encoding",
    message: `Bodies are read as they are or with Content-Encoding: gzip, not ${encoding.slice(0, 64)}.`,
    headers: { "accept-encoding": "gzip" },
  });
}

function notGzip(): RelayError {
  return new RelayError({
    status: 400,
    type: "invalid_request_error",
    code: "invalid_gzip",
    message: "The body is not what Content-Encoding: gzip says: it cannot be unpacked to its end.",
  });
}
