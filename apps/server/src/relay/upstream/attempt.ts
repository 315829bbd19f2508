import type { IncomingHttpHeaders } from "node:http";
import { Exchange } from "@one-api/http1/client/exchange";
import { failureOf } from "@one-api/providers/failure";
import type { FetchPicture } from "@one-api/providers/provider-io";
import type { Dispatcher } from "undici";
import type { ParsedRequest } from "../body/index.ts";
import { type AnswerStream, beginsAsEvents, type Translation } from "../translate/index.ts";
import type { MemoryClaim } from "../../platform/memory/memory-budget.ts";
import { Deadline } from "./deadline.ts";
import type { AttemptListener } from "./attempt-listener.ts";
import { ALIAS_DEADLINE, failureOfError } from "./read-failure.ts";
import { codingOf, readRefusal } from "./read-refusal.ts";
import { type AttemptDeadlines, toDispatchOptions, type UpstreamRequest } from "./upstream-request.ts";
import { joinPieces } from "../../platform/memory/buffers.ts";

const MAX_ANSWER_BYTES = 32 * 1024 * 1024;
const REFUSAL_BYTES = 64 * 1024;
/** Time limit of a refusal's body, in ms: another channel is tried after it. */
const REFUSAL_MS = 2_000;

/** Time for a provider to close the connection after the end of a stream, in ms. */
const LINGER_MS = 1_000;
/** Shorter answers take no memory claim, in bytes. */
const UNCOUNTED_BYTES = 64 * 1024;

const EVENTS_TYPE = /^text\/event-stream/i;
const BRACE = 0x7b;

/**
 * States of an attempt:
 *
 * | state   | meaning                                                                        | next                           |
 * |---------|--------------------------------------------------------------------------------|--------------------------------|
 * | sent    | the request is sent, or still being sent                                       | answer, stream, whole, refusal |
 * | answer  | a whole answer is received                                                     | ended                          |
 * | stream  | a stream is received                                                           | ended, closed; refusal         |
 * | whole   | a body that is no stream by its type, though one was requested                 | as stream                      |
 * | refusal | the body of a refusal is received                                              | ended, closed                  |
 * | ended   | the provider has ended its answer; the listener has the result                 | –                              |
 * | closed  | the listener has the result, or the attempt was aborted; may still be open     | ended                          |
 */
type AttemptState = "sent" | "answer" | "stream" | "whole" | "refusal" | "ended" | "closed";

export interface AttemptParts {
  readonly translation: Translation;
  readonly parsed: ParsedRequest;
  readonly stream: boolean;
  /** Fetches images that a provider links to and the caller requested inline. */
  readonly fetchPicture: FetchPicture;
}

const SERVER_SENT_EVENTS_TYPE = "text/event-stream";

/** One attempt at a provider: sends the request, reads the answer and reports to its listener. */
export class Attempt implements Dispatcher.DispatchHandler {
  readonly #parts: AttemptParts;
  readonly #listener: AttemptListener;
  #controller: Dispatcher.DispatchController | undefined;
  #state: AttemptState = "sent";
  /** The whole request was sent; reported by undici alone. */
  #isSent = false;
  #status = 0;
  #headers: IncomingHttpHeaders = {};
  #url = "";
  #stream: AnswerStream | undefined;
  /** The body is typed as events, and none of it has come. */
  #awaitsEvents = false;
  #chunks: Buffer[] = [];
  #length = 0;
  #claim: MemoryClaim | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Deadline of the first content, in ms of the process. */
  #contentDueMs = Number.POSITIVE_INFINITY;
  #firstContent: NodeJS.Timeout | undefined;
  #total: Deadline | undefined;

  constructor(parts: AttemptParts, listener: AttemptListener) {
    this.#parts = parts;
    this.#listener = listener;
  }

  send(client: Dispatcher, request: UpstreamRequest): void {
    this.#url = request.address.url;
    this.#contentDueMs = performance.now() + request.firstContentTimeoutMs;
    if (request.deadlines !== undefined) this.#startDeadlines(request.deadlines);
    client.dispatch(toDispatchOptions(request), this);
  }

  #startDeadlines({ firstContentMs = Number.POSITIVE_INFINITY, aliasMs, totalMs }: AttemptDeadlines): void {
    const isOfAlias = aliasMs !== undefined && aliasMs < firstContentMs;
    const beginMs = isOfAlias ? aliasMs : firstContentMs;
    if (beginMs !== Number.POSITIVE_INFINITY)
      this.#firstContent = setTimeout(() => {
        const whose = isOfAlias ? "the deadline of the alias" : "the channel's deadline";
        const message = `The provider did not begin its answer within ${beginMs / 1_000} s, ${whose}.`;
        if (this.#stream?.sawContent !== true) this.#expire(message, isOfAlias ? ALIAS_DEADLINE : "");
      }, beginMs);
    if (totalMs !== undefined) {
      const within = `within ${totalMs / 1_000} s, the channel's deadline`;
      this.#total = new Deadline(totalMs, () => this.#expire(`The provider did not end its answer ${within}.`));
    }
  }

  /** Ends the attempt at a deadline. A stream with content keeps what was delivered. */
  #expire(message: string, code = ""): void {
    this.#passGathered("closed");
    if (this.#isOver) return;
    const stream = this.#stream;
    const failure = { ...failureOf("timeout", this.#status, message), code };
    this.abort();
    if (stream?.sawContent === true) this.#listener.streamEnded(stream, undefined, failure);
    else this.#listener.failed(failure);
  }

  /** Enters a final state. */
  #enter(state: "ended" | "closed"): void {
    this.#state = state;
    clearTimeout(this.#firstContent);
    this.#total?.stop();
  }

  /** The provider has ended its answer, and the request is not being sent any more. */
  get hasEnded(): boolean {
    return this.#state === "ended";
  }

  /** The listener has the result, or the attempt was aborted. */
  get #isOver(): boolean {
    return this.#state === "ended" || this.#state === "closed";
  }

  /** A stream that the provider has started and not ended, with or without content. */
  get openStream(): AnswerStream | undefined {
    return this.#isOver ? undefined : this.#stream;
  }

  /** The provider has the whole request and has not refused or answered it. */
  get isTaken(): boolean {
    if (this.#isOver || this.#state === "refusal") return false;
    const controller = this.#controller;
    return this.#isSent || this.#state !== "sent" || (controller instanceof Exchange && controller.isSent);
  }

  pause(): void {
    this.#total?.pause();
    this.#controller?.pause();
  }

  resume(): void {
    this.#total?.resume();
    this.#controller?.resume();
  }

  /** Closes the connection to the provider. No event follows. */
  abort(): void {
    this.#claim?.release();
    this.#close();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isOver) controller.abort(new AbortedError());
  }

  /** Called by undici; exchanges of the own client have a property for it. */
  onRequestSent(): void {
    this.#isSent = true;
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (this.#isOver || status < 200) return;
    this.#status = status;
    const { parsed, stream, translation } = this.#parts;
    // A compressed answer cannot be read; none was accepted.
    const isGood = status <= 299 && codingOf(headers) === undefined;
    const isStream = isGood && stream && translation.streamType.test(headers["content-type"] ?? "");
    // A stream may live for long, and nothing needs its headers.
    if (!isStream) this.#headers = headers;
    if (isGood && !isStream && (!stream || translation.takesWhole === true)) {
      this.#state = "answer";
    } else if (isGood && !isStream && translation.openWhole !== undefined) {
      this.#state = "whole";
    } else if (isStream) {
      this.#state = "stream";
      this.#stream = translation.openStream(parsed, String(headers["content-type"]));
      this.#awaitsEvents = EVENTS_TYPE.test(String(headers["content-type"]));
      if (this.#awaitsEvents) this.#headers = headers;
    } else {
      this.#takeRefusal();
    }
  }

  #takeRefusal(): void {
    this.#state = "refusal";
    this.#timer = setTimeout(() => this.#refused("closed"), REFUSAL_MS);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isOver) return;
    if (this.#awaitsEvents) this.#seeBeginning(chunk);
    if (this.#state === "whole") this.#stream ??= this.#openUnnamed(chunk);
    if (this.#stream !== undefined) this.#gather(chunk);
    else if (this.#state === "answer") this.#bufferAnswer(chunk);
    else this.#bufferRefusal(chunk);
  }

  onResponseEnd(): void {
    if (this.#isOver) return this.#ended();
    if (this.#stream !== undefined) this.#finishStream(this.#stream);
    else if (this.#state === "answer") this.#answered();
    else this.#refused("ended");
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: Error): void {
    this.#passGathered("ended");
    if (this.#isOver) return this.#ended();
    if (this.#state === "refusal" && this.#length > 0) return this.#refused("ended");
    const failure = failureOfError(error, this.#state !== "sent");
    this.#enter("ended");
    this.#claim?.release();
    const stream = this.#stream;
    if (stream?.sawContent === true) this.#listener.streamEnded(stream, undefined, failure);
    else this.#listener.failed(failure);
  }

  /** A document typed as events is a whole answer or a refusal: no event begins with a brace. */
  #seeBeginning(chunk: Buffer): void {
    this.#awaitsEvents = false;
    if (chunk[0] !== BRACE) {
      this.#headers = {};
      return;
    }
    const { parsed, translation } = this.#parts;
    this.#stream = translation.openWhole?.(parsed, this.#status, this.#headers);
    if (this.#stream === undefined) this.#takeRefusal();
  }

  /** Opens a stream by its first bytes where its type is not that of a stream. */
  #openUnnamed(firstBytes: Buffer): AnswerStream | undefined {
    const { parsed, translation } = this.#parts;
    if (beginsAsEvents(firstBytes)) return translation.openStream(parsed, SERVER_SENT_EVENTS_TYPE);
    return translation.openWhole?.(parsed, this.#status, this.#headers);
  }

  /** Small pieces of one read are parsed, and leave, together. */
  #gather(chunk: Buffer): void {
    if (this.#chunks.push(chunk) === 1) process.nextTick(Attempt.#passLater, this);
  }

  static #passLater(this: void, attempt: Attempt): void {
    attempt.#passGathered("closed");
  }

  #passGathered(next: "ended" | "closed"): void {
    const stream = this.#stream;
    if (stream === undefined || this.#isOver || this.#chunks.length === 0) return;
    this.#pass(stream, stream.push(this.#takeChunks()), next);
  }

  #finishStream(stream: AnswerStream): void {
    this.#passGathered("ended");
    if (!this.#isOver) this.#pass(stream, stream.finish(), "ended");
  }

  /** The provider ends an answer of which the listener has the result. */
  #ended(): void {
    this.#enter("ended");
    clearTimeout(this.#timer);
  }

  #takeChunks(): Buffer {
    const chunks = this.#chunks;
    this.#chunks = [];
    return joinPieces(chunks);
  }

  /** Passes the bytes that a stream let through. `next`: the state after the end of the stream. */
  #pass(stream: AnswerStream, bytes: Buffer | undefined, next: "ended" | "closed"): void {
    if (stream.state === "running") {
      if (bytes !== undefined) this.#listener.streamed(stream, bytes);
      else if (!stream.sawContent && performance.now() > this.#contentDueMs) this.#gaveUp();
      return;
    }
    this.#enter(next);
    // Most providers close with the end itself; those that do not would keep a connection each.
    if (next === "closed") this.#timer = setTimeout(() => this.#controller?.abort(new AbortedError()), LINGER_MS);
    const { failure } = stream;
    if (failure !== undefined && !stream.sawContent) this.#listener.failed(failure);
    else this.#listener.streamEnded(stream, bytes, failure);
  }

  #gaveUp(): void {
    this.#close();
    this.#listener.failed(failureOf("timeout", this.#status, "The provider sent comments and no answer for too long."));
  }

  #bufferAnswer(chunk: Buffer): void {
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
    this.#enter("ended");
    const status = this.#status;
    const { parsed, translation, fetchPicture } = this.#parts;
    const read = translation.readAnswer(parsed, status, this.#headers, this.#takeChunks());
    if (read.ok) {
      const { usage, contentType, storedId, complete, writeUsage } = read;
      const answered = (bytes: Buffer) =>
        this.#listener.answered({ status, bytes, usage, contentType, storedId, writeUsage, memory: this.#claim });
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

  #bufferRefusal(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#length += chunk.length;
    if (this.#length >= REFUSAL_BYTES) this.#refused("closed");
  }

  /** Reads a refusal from its bytes so far. */
  #refused(next: "ended" | "closed"): void {
    const text = Buffer.concat(this.#chunks).subarray(0, REFUSAL_BYTES).toString();
    if (next === "closed") this.#close();
    else this.#ended();
    const [status, headers, url] = [this.#status, this.#headers, this.#url];
    this.#listener.failed(readRefusal(this.#parts.translation, { status, headers, url, text }));
  }

  #close(): void {
    if (this.#isOver) return;
    this.#enter("closed");
    clearTimeout(this.#timer);
    this.#controller?.abort(new AbortedError());
  }
}

/** The gateway closed the exchange itself. */
class AbortedError extends Error {
  override name = "AbortedError";
}
