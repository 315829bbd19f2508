import type { CallerResponse } from "@one-api/http1/server/caller-exchange";
import { readServerSentEvent } from "@one-api/providers/framing/server-sent-event";
import type { Usage } from "@one-api/providers/usage";
import type { StoredExchange } from "../stored-bodies/index.ts";
import { answerForFailure, NotSettledError, type RelayError } from "../errors/index.ts";
import type { ReplyWriter } from "./reply-writer.ts";
import type { AnswerStream, WrittenRequest } from "../translate/index.ts";
import { type Interruption, type ReservedRequest, streamUnbooked } from "../charging/index.ts";
import {
  ARRAY_COMMENT,
  ARRAY_HEADERS,
  type Dialect,
  DROPPED_HEADER,
  responseHeaders,
  SERVED_MODEL_HEADER,
  STREAM_COMMENT,
  STREAM_HEADERS,
  TIMING_HEADER,
} from "../dialects/index.ts";

export interface ReplyTarget {
  readonly response: CallerResponse;
  readonly writer: ReplyWriter;
  readonly dialect: Dialect;
  explain(error: unknown): RelayError;
  /** Answers with an error where no content has left. Returns its text, empty without a caller. */
  refuse(error: unknown): string;
}

/** Silence after which a stream gets a comment, in ms. Streams are checked every 5 s, so none is silent for more than 15 s. */
const SILENT_MS = 10_000;

export interface ReplyHead {
  readonly written: Pick<WrittenRequest, "dropped"> | undefined;
  readonly model?: string | undefined;
  /** Time that the gateway added to a whole answer, in ms. */
  readonly gatewayMs?: number | undefined;
  readonly contentType?: string | undefined;
}

export interface StreamEnding {
  readonly cut: Interruption | undefined;
  /** Bytes that are held back until the charge is committed. */
  readonly last: Buffer | undefined;
}

/** The answer to a request with a reservation, in the caller's format. Stores it for tokens that store bodies. */
export class Reply {
  readonly #request: ReservedRequest;
  readonly #target: ReplyTarget;
  readonly #stored: StoredExchange | undefined;
  #hasBegun = false;
  #commentedMs = 0;

  constructor(request: ReservedRequest, target: ReplyTarget, stored: StoredExchange | undefined) {
    this.#request = request;
    this.#target = target;
    this.#stored = stored;
  }

  /** Content has left, or its head. The head of a stream that has comments only does not count. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  sendWhole(bytes: Buffer, head: ReplyHead): void {
    const { gatewayMs, contentType = "application/json" } = head;
    this.#hasBegun = true;
    this.#stored?.take(bytes);
    this.#target.response.writeHead(200, {
      ...this.#headers(head),
      ...(gatewayMs !== undefined && { [TIMING_HEADER]: `gateway;dur=${gatewayMs.toFixed(2)}` }),
      "content-type": contentType,
      "content-length": bytes.length,
    });
    this.#target.writer.end(bytes);
  }

  /** Sends the head of a stream, unless it has left. A stream of a known `length`, in bytes, needs no chunks. */
  begin(head: ReplyHead, length?: number): void {
    this.#hasBegun = true;
    this.#open(head, length);
  }

  get comment(): string | undefined {
    const { media, inArray } = this.#request.parsed;
    if (media?.kind === "speech") return undefined;
    return inArray ? ARRAY_COMMENT : STREAM_COMMENT;
  }

  /** Sends a comment in a stream that has been silent for long. Another candidate may still be tried after it. */
  keepAlive(written: ReplyHead["written"], nowMs: number, lastPieceMs: number): void {
    const { format, media, inArray } = this.#request.parsed;
    if (media !== undefined || format.keepAlive === undefined) return;
    if (nowMs - Math.max(lastPieceMs, this.#commentedMs) < SILENT_MS) return;
    this.#commentedMs = nowMs;
    this.#open({ written });
    this.#target.response.write(inArray ? ARRAY_COMMENT : format.keepAlive);
  }

  #open(head: ReplyHead, length?: number): void {
    const { contentType } = head;
    const { response } = this.#target;
    if (response.headersSent) return;
    const framing = length === undefined ? undefined : { "content-length": length };
    const kind = this.#request.parsed.inArray ? ARRAY_HEADERS : STREAM_HEADERS;
    const type = contentType === undefined ? undefined : { "content-type": contentType };
    response.writeHead(200, { ...kind, ...type, ...framing, ...this.#headers(head) });
  }

  /** Sends a piece of a stream. False for a slow caller: the next piece should wait until `goOn` is called. */
  pass(bytes: Buffer, goOn: () => void): boolean {
    this.#stored?.take(bytes);
    return this.#target.writer.write(bytes, goOn);
  }

  passLast(bytes: Buffer): void {
    this.#stored?.take(bytes);
    this.#target.response.write(bytes);
  }

  /** Ends a stream after the commit. A whole stream contains the usage if its caller asked for that and the provider did not report it. */
  endStream(stream: AnswerStream, head: ReplyHead, { cut, last }: StreamEnding, usage: Usage | undefined): void {
    if (cut === undefined) {
      const told = usage === undefined ? undefined : stream.writeUsage?.(usage);
      this.#close(head, [...(last ? [last] : []), ...(told?.length ? [told] : []), stream.closing]);
    } else if (cut.kind === "ended" || cut.kind === "failed") {
      this.#closeWithError(stream, cut.kind === "ended" ? cut.error : answerForFailure(cut.failure));
    } else {
      this.breakOff();
    }
  }

  /** Ends a stream whose charge could not be committed. */
  endUnbooked(stream: AnswerStream, { last }: StreamEnding, unbooked: Error): void {
    if (!this.hasBegun) return this.refuse(unbooked);
    if (last !== undefined && unbooked instanceof NotSettledError && unbooked.comesLater) this.passLast(last);
    this.#closeWithError(stream, streamUnbooked());
  }

  /** Ends a stream with the last pieces and its format's own end. */
  #close(head: ReplyHead, parts: readonly Buffer[]): void {
    const [first, ...others] = parts;
    const bytes = first !== undefined && others.length === 0 ? first : Buffer.concat(parts);
    this.#stored?.take(bytes);
    this.begin(head, bytes.length);
    this.#target.writer.end(bytes);
  }

  #closeWithError(stream: AnswerStream, error: RelayError): void {
    if (stream.contentType !== undefined) return this.breakOff();
    const event = this.#errorEvent(error.forToken(this.#request.caller.customContact, {}));
    const text = stream.closeWithError?.(event) ?? event;
    this.#stored?.take(Buffer.from(text));
    this.#target.response.end(text);
  }

  #errorEvent(error: RelayError): string {
    const { parsed, requestId } = this.#request;
    return parsed.format.errorEvent(this.#target.dialect.writeError(error, requestId));
  }

  refuse(error: unknown): void {
    const text = this.writeRefusal(error);
    this.#stored?.take(Buffer.from(text));
  }

  /** Answers with an error that is not stored, and returns its text. Where the head of a stream has left, the error is an event in it. */
  writeRefusal(error: unknown): string {
    const { response } = this.#target;
    if (this.#hasBegun || !response.headersSent || response.writableEnded) return this.#target.refuse(error);
    const event = this.#errorEvent(this.#target.explain(error));
    const text = this.#request.parsed.inArray ? `[${readServerSentEvent(Buffer.from(event)).data}]` : event;
    response.end(text);
    return text;
  }

  breakOff(): void {
    this.#target.response.destroy();
  }

  finished(isLogged: boolean): void {
    if (isLogged) this.#stored?.end();
    else this.#stored?.drop();
  }

  #headers({ written, model }: ReplyHead): Record<string, string> {
    const headers = Object.assign(
      responseHeaders(this.#request.requestId, this.#target.dialect),
      this.#request.admission.headers(this.#target.dialect.writeLimits),
    );
    const dropped = written?.dropped ?? [];
    if (dropped.length > 0) headers[DROPPED_HEADER] = dropped.map(encodeURI).join(", ");
    const isOther = model !== undefined && model !== this.#request.parsed.model;
    if (isOther) headers[SERVED_MODEL_HEADER] = encodeURI(model);
    return headers;
  }
}
