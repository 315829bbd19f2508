import type { IncomingHttpHeaders } from "node:http";
import { Exchange } from "@one-api/http1/client/exchange";
import { type Failure, failureOf } from "@one-api/providers/failure";
import type { UpstreamAddress } from "@one-api/providers/provider";
import type { FetchPicture } from "@one-api/providers/provider-io";
import type { Usage } from "@one-api/providers/usage";
import type { Dispatcher } from "undici";
import type { ParsedRequest } from "../body/index.ts";
import { type AnswerStream, beginsAsEvents, type Translation } from "../translate/index.ts";
import type { MemoryClaim } from "../../platform/memory/memory-budget.ts";
import { failureOfError, failureOfRedirect } from "./read-failure.ts";
import { joinPieces } from "../../platform/memory/buffers.ts";

/** One request to a provider. */
export interface UpstreamRequest {
  /** Default: POST. */
  readonly method?: "GET";
  readonly address: UpstreamAddress;
  readonly body: Buffer;
  /** What the body is; absent: JSON. */
  readonly contentType?: string | undefined;
  /** Further headers beside the address's. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Until the headers, in ms. */
  readonly firstByteTimeoutMs: number;
  /** Until the first content of a stream, in ms: some providers send comments for as long as they have nothing to say. */
  readonly firstContentTimeoutMs: number;
  /** Between two pieces of the body, in ms; not counted while the caller is slower. */
  readonly idleTimeoutMs: number;
}

/** A whole answer that may go to the caller, and the usage in it. */
export interface UpstreamAnswer {
  readonly status: number;
  readonly bytes: Buffer;
  /** Undefined when the provider reports none. */
  readonly usage: Usage | undefined;
  /** What the bytes are; undefined: JSON. */
  readonly contentType?: string | undefined;
  /** By which the provider keeps it; undefined where it does not. */
  readonly keptId?: string | undefined;
  /** See `ReadAnswer`. */
  readonly tellUsage?: ((usage: Usage) => Buffer) | undefined;
  /** The room that it takes among all answers in memory: released when it has left. */
  readonly room: MemoryClaim | undefined;
}

/** Who asked, and hears how it went. None of these may throw. */
export interface AttemptListener {
  answered(answer: UpstreamAnswer): void;
  /** What may go to the caller of a stream, from its first content on. */
  streamed(stream: AnswerStream, bytes: Buffer): void;
  /** A stream whose content has begun is over: with its last bytes, and the failure unless it is whole. */
  streamEnded(stream: AnswerStream, bytes: Buffer | undefined, failure: Failure | undefined): void;
  /** Nothing of an answer came. */
  failed(failure: Failure): void;
  /** Makes room for a whole answer that is long, none at first; `goOn` is called when it may take more after it had to wait. */
  claimMemory(goOn: () => void): MemoryClaim;
}

/** Largest answer that is taken whole, in bytes. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;
/** So much of a refusal's body is read, in bytes. */
const REFUSAL_BYTES = 64 * 1024;
/** A refusal's body may take this long, in ms: another channel waits for its turn. */
const REFUSAL_MS = 2_000;

/** A provider that leaves the connection open after a stream's end has this long to close it, in ms. */
const LINGER_MS = 1_000;
/** Answers up to this many bytes are too small to be counted against the room for all of them. */
const UNCOUNTED_BYTES = 64 * 1024;

const EVENTS_TYPE = /^text\/event-stream/i;
const BRACE = 0x7b;

/** What the body that comes is; `whole`: an answer that is no stream by its type, though one was asked for. */
type BodyKind = "answer" | "stream" | "whole" | "refusal";

/** What an attempt is made with. */
export interface AttemptParts {
  readonly translation: Translation;
  readonly ask: ParsedRequest;
  /** A stream is wanted, not a whole answer. */
  readonly stream: boolean;
  /** Fetches the pictures that a provider names and the caller wants as they are. */
  readonly fetchPicture: FetchPicture;
}

const SERVER_SENT_EVENTS_TYPE = "text/event-stream";

/** One attempt at a provider: sends the request, reads what comes and tells its listener how it went. */
export class Attempt implements Dispatcher.DispatchHandler {
  readonly #parts: AttemptParts;
  readonly #listener: AttemptListener;
  #controller: Dispatcher.DispatchController | undefined;
  /** The listener has heard everything. */
  #isOver = false;
  #hasEnded = false;
  #isSent = false;
  #status = 0;
  #headers: IncomingHttpHeaders = {};
  #url = "";
  #body: BodyKind | undefined;
  #stream: AnswerStream | undefined;
  /** The body calls itself events, and nothing of it has come. */
  #awaitsEvents = false;
  #chunks: Buffer[] = [];
  #length = 0;
  #claim: MemoryClaim | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** When the first content has to be there, in ms of the process. */
  #contentDueMs = Number.POSITIVE_INFINITY;

  constructor(parts: AttemptParts, listener: AttemptListener) {
    this.#parts = parts;
    this.#listener = listener;
  }

  /** Asks the provider. */
  send(client: Dispatcher, request: UpstreamRequest): void {
    this.#url = request.address.url;
    const { origin, path } = splitUrl(this.#url);
    this.#contentDueMs = performance.now() + request.firstContentTimeoutMs;
    client.dispatch(
      {
        origin,
        path,
        method: request.method ?? "POST",
        headers: {
          ...request.address.headers,
          ...request.headers,
          "content-type": request.contentType ?? "application/json",
          "accept-encoding": "identity",
        },
        body: request.method === "GET" ? null : request.body,
        headersTimeout: request.firstByteTimeoutMs,
        bodyTimeout: request.idleTimeoutMs,
      },
      this,
    );
  }

  /** The provider has said everything, and nothing more is sent to it. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** A stream that the provider has begun and not ended; its content may not have begun. */
  get openStream(): AnswerStream | undefined {
    return this.#isOver ? undefined : this.#stream;
  }

  /** The provider has the whole request and has neither refused nor answered it. */
  get isTaken(): boolean {
    if (this.#isOver || this.#body === "refusal") return false;
    const controller = this.#controller;
    return this.#isSent || this.#body !== undefined || (controller instanceof Exchange && controller.isSent);
  }

  pause(): void {
    this.#controller?.pause();
  }

  resume(): void {
    this.#controller?.resume();
  }

  /** Closes the connection to the provider; the listener hears nothing afterwards. */
  abort(): void {
    this.#claim?.release();
    this.#close();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isOver) controller.abort(new AbortedError());
  }

  /** Undici tells so; of the client's own exchanges it is asked. */
  onRequestSent(): void {
    this.#isSent = true;
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (this.#isOver || status < 200) return;
    this.#status = status;
    const { ask, stream, translation } = this.#parts;
    // What is compressed, though nothing was asked to be, cannot be read.
    const isGood = status <= 299 && codingOf(headers) === undefined;
    const isStream = isGood && stream && translation.streamType.test(headers["content-type"] ?? "");
    // Of a stream, which may stay for long, nobody asks for the headers.
    if (!isStream) this.#headers = headers;
    if (isGood && !isStream && (!stream || translation.takesWhole === true)) {
      this.#body = "answer";
    } else if (isGood && !isStream && translation.openWhole !== undefined) {
      this.#body = "whole";
    } else if (isStream) {
      this.#body = "stream";
      this.#stream = translation.openStream(ask, String(headers["content-type"]));
      this.#awaitsEvents = EVENTS_TYPE.test(String(headers["content-type"]));
      if (this.#awaitsEvents) this.#headers = headers;
    } else {
      this.#takeRefusal();
    }
  }

  #takeRefusal(): void {
    this.#body = "refusal";
    this.#timer = setTimeout(() => this.#refused(), REFUSAL_MS);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isOver) return;
    if (this.#awaitsEvents) this.#seeBeginning(chunk);
    if (this.#body === "whole") this.#stream ??= this.#openUnnamed(chunk);
    if (this.#stream !== undefined) this.#gather(chunk);
    else if (this.#body === "answer") this.#keepAnswer(chunk);
    else this.#keepRefusal(chunk);
  }

  onResponseEnd(): void {
    this.#hasEnded = true;
    if (this.#isOver) return clearTimeout(this.#timer);
    if (this.#stream !== undefined) this.#finishStream(this.#stream);
    else if (this.#body === "answer") this.#answered();
    else this.#refused();
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    this.#hasEnded = true;
    this.#passGathered();
    if (this.#isOver) return clearTimeout(this.#timer);
    if (this.#body === "refusal" && this.#length > 0) return this.#refused();
    this.#isOver = true;
    this.#claim?.release();
    const failure = failureOfError(error, this.#body !== undefined);
    const stream = this.#stream;
    if (stream?.sawContent === true) this.#listener.streamEnded(stream, undefined, failure);
    else this.#listener.failed(failure);
  }

  /** A document that calls itself events is a whole answer, or a refusal: no event begins with a brace. */
  #seeBeginning(chunk: Buffer): void {
    this.#awaitsEvents = false;
    if (chunk[0] !== BRACE) {
      this.#headers = {};
      return;
    }
    const { ask, translation } = this.#parts;
    this.#stream = translation.openWhole?.(ask, this.#status, this.#headers);
    if (this.#stream === undefined) this.#takeRefusal();
  }

  /** Opens a stream by its first bytes where its type does not say that it is one. */
  #openUnnamed(firstBytes: Buffer): AnswerStream | undefined {
    const { ask, translation } = this.#parts;
    if (beginsAsEvents(firstBytes)) return translation.openStream(ask, SERVER_SENT_EVENTS_TYPE);
    return translation.openWhole?.(ask, this.#status, this.#headers);
  }

  /** A provider's small pieces that came in one read are looked at, and leave, together. */
  #gather(chunk: Buffer): void {
    if (this.#chunks.push(chunk) === 1) process.nextTick(Attempt.#passLater, this);
  }

  static #passLater(this: void, attempt: Attempt): void {
    attempt.#passGathered();
  }

  #passGathered(): void {
    const stream = this.#stream;
    if (stream === undefined || this.#isOver || this.#chunks.length === 0) return;
    this.#pass(stream, stream.push(this.#takeChunks()));
  }

  #finishStream(stream: AnswerStream): void {
    this.#passGathered();
    if (!this.#isOver) this.#pass(stream, stream.finish());
  }

  #takeChunks(): Buffer {
    const chunks = this.#chunks;
    this.#chunks = [];
    return joinPieces(chunks);
  }

  /** Hands on what a stream let through. */
  #pass(stream: AnswerStream, bytes: Buffer | undefined): void {
    if (stream.state === "running") {
      if (bytes !== undefined) this.#listener.streamed(stream, bytes);
      else if (!stream.sawContent && performance.now() > this.#contentDueMs) this.#gaveUp();
      return;
    }
    this.#isOver = true;
    // Most providers close with the end itself; those that do not would keep a connection each.
    if (!this.#hasEnded) this.#timer = setTimeout(() => this.#controller?.abort(new AbortedError()), LINGER_MS);
    const { failure } = stream;
    if (failure !== undefined && !stream.sawContent) this.#listener.failed(failure);
    else this.#listener.streamEnded(stream, bytes, failure);
  }

  #gaveUp(): void {
    this.#close();
    this.#listener.failed(failureOf("timeout", this.#status, "The provider sent comments and no answer for too long."));
  }

  #keepAnswer(chunk: Buffer): void {
    this.#length += chunk.length;
    const { maxAnswerBytes = MAX_ANSWER_BYTES } = this.#parts.translation;
    if (this.#length > maxAnswerBytes) {
      this.abort();
      const message = `The provider's answer is larger than ${maxAnswerBytes / 1024 / 1024} MiB.`;
      return this.#listener.failed(failureOf("too-large", this.#status, message));
    }
    this.#chunks.push(chunk);
    if (this.#length <= UNCOUNTED_BYTES) return;
    this.#claim ??= this.#listener.claimMemory(() => this.resume());
    if (!this.#claim.take(chunk.length)) this.pause();
  }

  #answered(): void {
    this.#isOver = true;
    const status = this.#status;
    const { ask, translation, fetchPicture } = this.#parts;
    const read = translation.readAnswer(ask, status, this.#headers, this.#takeChunks());
    if (read.ok) {
      const { usage, contentType, keptId, complete, tellUsage } = read;
      const answered = (bytes: Buffer) =>
        this.#listener.answered({ status, bytes, usage, contentType, keptId, tellUsage, room: this.#claim });
      if (complete === undefined) return answered(read.bytes);
      return void complete(fetchPicture).then((bytes) => {
        this.#claim ??= this.#listener.claimMemory(() => undefined);
        this.#claim.take(bytes.length);
        answered(bytes);
      });
    }
    this.#claim?.release();
    this.#listener.failed(read.failure);
  }

  #keepRefusal(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    if (this.#length < REFUSAL_BYTES) return;
    this.#refused();
  }

  /** Reads a refusal from what came of it. */
  #refused(): void {
    const text = Buffer.concat(this.#chunks).subarray(0, REFUSAL_BYTES).toString();
    this.#close();
    this.#listener.failed(this.#readRefusal(text));
  }

  /** What a refusal says, or why it cannot be read. */
  #readRefusal(text: string): Failure {
    const [status, headers] = [this.#status, this.#headers];
    const { translation } = this.#parts;
    const coding = codingOf(headers);
    if (coding !== undefined) {
      const message = `The provider's answer is compressed (${coding}), although it was asked for as it is. Look at what stands between.`;
      if (status <= 299) return failureOf("bad-answer", status, message);
      return { ...translation.readError(status, headers, ""), message };
    }
    return failureOfRedirect(status, headers.location, this.#url) ?? translation.readError(status, headers, text);
  }

  #close(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    clearTimeout(this.#timer);
    if (!this.#hasEnded) this.#controller?.abort(new AbortedError());
  }
}

/** How an answer is compressed; undefined where it is not. */
function codingOf(headers: IncomingHttpHeaders): string | undefined {
  const coding = headers["content-encoding"];
  return coding === undefined || coding === "" || coding === "identity" ? undefined : coding.slice(0, 40);
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
