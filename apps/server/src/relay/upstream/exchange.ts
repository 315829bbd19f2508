import type { IncomingHttpHeaders } from "node:http";
import type { Failure, FailureKind } from "@one-api/providers/failure";
import type { UpstreamAddress } from "@one-api/providers/provider";
import type { Dispatcher } from "undici";

/** One request to a provider. */
export interface UpstreamRequest {
  readonly address: UpstreamAddress;
  readonly body: Buffer;
  /** Until the headers, in ms. */
  readonly firstByteTimeoutMs: number;
  /** Between two pieces of the body, in ms; not counted while the caller is slower. */
  readonly idleTimeoutMs: number;
}

/** How a running exchange is steered. */
export interface ExchangeControls {
  pause(): void;
  resume(): void;
  /** Closes the connection to the provider. Nothing is reported afterwards. */
  abort(): void;
}

/** What takes the answer's body. */
export interface BodyReader {
  data(chunk: Buffer): void;
  end(): void;
  failed(error: Error): void;
}

/** Chooses who reads the body once the status and headers are there. */
export type BeginBody = (status: number, headers: IncomingHttpHeaders) => BodyReader;

/** Sends the request and feeds the answer to the reader that `begin` returns; `failed` hears of errors before the headers. */
export function exchange(
  client: Dispatcher,
  request: UpstreamRequest,
  begin: BeginBody,
  failed: (error: Error) => void,
): ExchangeControls {
  const { origin, path } = splitUrl(request.address.url);
  let controller: Dispatcher.DispatchController | undefined;
  let reader: BodyReader | undefined;
  let over = false;
  client.dispatch(
    {
      origin,
      path,
      method: "POST",
      headers: { ...request.address.headers, "content-type": "application/json", "accept-encoding": "identity" },
      body: request.body,
      headersTimeout: request.firstByteTimeoutMs,
      bodyTimeout: request.idleTimeoutMs,
    },
    {
      onRequestStart(started) {
        controller = started;
        if (over) started.abort(new AbortedError());
      },
      onResponseStart(_started, status, headers) {
        if (!over && status >= 200) reader = begin(status, headers);
      },
      onResponseData(_started, chunk) {
        if (!over) reader?.data(chunk);
      },
      onResponseEnd() {
        if (over) return;
        over = true;
        reader?.end();
      },
      onResponseError(_started, error) {
        if (over) return;
        over = true;
        if (reader === undefined) failed(error);
        else reader.failed(error);
      },
    },
  );
  return {
    pause: () => controller?.pause(),
    resume: () => controller?.resume(),
    abort() {
      if (over) return;
      over = true;
      controller?.abort(new AbortedError());
    },
  };
}

/** The gateway closed the exchange itself. */
class AbortedError extends Error {
  override name = "AbortedError";
}

interface UrlParts {
  readonly origin: string;
  readonly path: string;
}

/** Addresses repeat from request to request; a channel's edit brings a new one, so old ones must not pile up. */
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

/** Longest error text that is read, in bytes; what comes after is not looked at. */
const ERROR_TEXT_BYTES = 64 * 1024;

/** Collects the text of a short body, an error's mostly. */
export class BodyCollector implements BodyReader {
  readonly #done: (text: string) => void;
  readonly #failed: (error: Error) => void;
  #chunks: Buffer[] = [];
  #length = 0;

  constructor(done: (text: string) => void, failed: (error: Error) => void) {
    this.#done = done;
    this.#failed = failed;
  }

  data(chunk: Buffer): void {
    if (this.#length < ERROR_TEXT_BYTES) this.#chunks.push(chunk);
    this.#length += chunk.length;
  }

  end(): void {
    this.#done(Buffer.concat(this.#chunks).subarray(0, ERROR_TEXT_BYTES).toString());
  }

  failed(error: Error): void {
    this.#failed(error);
  }
}

/** Reads an error of the HTTP client as a failure. `answerBegan`: after the upstream's headers. */
export function failureOfError(error: Error, answerBegan: boolean): Failure {
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  const kind = kindOfCode(code, answerBegan);
  return {
    kind,
    status: 0,
    message: MESSAGES[kind] ?? "The connection to the provider failed.",
    code,
    type: "",
    param: null,
    retryAfterMs: null,
  };
}

/** Builds a failure that the gateway itself has found in an answer. */
export function failureOf(kind: FailureKind, status: number, message: string): Failure {
  return { kind, status, message, code: "", type: "", param: null, retryAfterMs: null };
}

const MESSAGES: Partial<Record<FailureKind, string>> = {
  timeout: "The provider did not answer in time.",
  tls: "The provider's TLS certificate is not good.",
  "broken-stream": "The provider broke off its answer.",
};

function kindOfCode(code: string, answerBegan: boolean): FailureKind {
  if (code.endsWith("_TIMEOUT") || code === "ETIMEDOUT") return "timeout";
  if (/CERT|TLS|SSL|UNABLE_TO_/.test(code)) return "tls";
  return answerBegan ? "broken-stream" : "connection";
}
