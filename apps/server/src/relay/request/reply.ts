import { readServerSentEvent } from "@one-api/providers/framing/server-sent-event";
import type { Usage } from "@one-api/providers/usage";
import type { StoredExchange } from "../stored-bodies/index.ts";
import { answerForFailure, NotSettledError, type RelayError } from "../errors/index.ts";
import type { AnswerStream, WrittenRequest } from "../translate/index.ts";
import { type Interruption, type ReservedRequest, streamUnbooked } from "../charging/index.ts";
import type { JobOwner } from "./job-owner.ts";
import { ARRAY_HEADERS, DROPPED_HEADER, responseHeaders, STREAM_HEADERS } from "../dialects/index.ts";

/** What the head of an answer tells beside the request's own marks. */
export interface ReplyHead {
  readonly written: Pick<WrittenRequest, "dropped"> | undefined;
  /** Of a stream that is no list of events. */
  readonly contentType?: string | undefined;
}

/** How a stream ends. */
export interface StreamEnding {
  /** Undefined where it is whole. */
  readonly cut: Interruption | undefined;
  /** What is held back until the charge is booked. */
  readonly last: Buffer | undefined;
}

/** What leaves to the caller of a request that is served, in the caller's own form; the few tokens that keep what is said keep it, too. */
export class Reply {
  readonly #job: ReservedRequest;
  readonly #owner: JobOwner;
  readonly #kept: StoredExchange | undefined;
  #hasBegun = false;

  constructor(job: ReservedRequest, owner: JobOwner, kept: StoredExchange | undefined) {
    this.#job = job;
    this.#owner = owner;
    this.#kept = kept;
  }

  /** Something of the answer has left, or the head that it has alone. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** Sends a whole answer. */
  sendWhole(bytes: Buffer, { written, contentType = "application/json" }: ReplyHead): void {
    this.#hasBegun = true;
    this.#kept?.take(bytes);
    this.#owner.response.writeHead(200, {
      ...this.#headers(written),
      "content-type": contentType,
      "content-length": bytes.length,
    });
    this.#owner.writer.end(bytes);
  }

  /** Begins a stream, unless it has begun. `length`: of all that will follow, in bytes, which needs no chunks then. */
  begin(head: ReplyHead, length?: number): void {
    this.#hasBegun = true;
    this.#open(head, length);
  }

  /** Tells the caller that the stream goes on. Nothing of the answer has left by that, so that another channel may still be tried. */
  keepAlive(written: ReplyHead["written"], event: string): void {
    this.#open({ written });
    this.#owner.response.write(event);
  }

  #open({ written, contentType }: ReplyHead, length?: number): void {
    const { response } = this.#owner;
    if (response.headersSent) return;
    const framing = length === undefined ? undefined : { "content-length": length };
    const kind = this.#job.ask.inArray ? ARRAY_HEADERS : STREAM_HEADERS;
    const type = contentType === undefined ? undefined : { "content-type": contentType };
    response.writeHead(200, { ...kind, ...type, ...framing, ...this.#headers(written) });
  }

  /** Passes a piece of a stream on. False: the caller is slow, so nothing more should come until `goOn` is called. */
  pass(bytes: Buffer, goOn: () => void): boolean {
    this.#kept?.take(bytes);
    return this.#owner.writer.write(bytes, goOn);
  }

  /** Passes on what came of a stream behind which nothing comes any more. */
  passLast(bytes: Buffer): void {
    this.#kept?.take(bytes);
    this.#owner.response.write(bytes);
  }

  /** Ends a stream whose charge is booked; a whole one tells the usage where its caller asked for that and the provider did not say it. */
  endStream(stream: AnswerStream, head: ReplyHead, { cut, last }: StreamEnding, usage: Usage | undefined): void {
    if (cut === undefined) {
      const told = usage === undefined ? undefined : stream.tellUsage?.(usage);
      this.#close(head, [...(last ? [last] : []), ...(told?.length ? [told] : []), stream.closing]);
    } else if (cut.kind === "ended" || cut.kind === "failed") {
      this.#closeWithError(stream, cut.kind === "ended" ? cut.error : answerForFailure(cut.failure));
    } else {
      this.breakOff();
    }
  }

  /** Ends a stream whose charge could not be booked. */
  endUnbooked(stream: AnswerStream, { last }: StreamEnding, unbooked: Error): void {
    if (!this.hasBegun) return this.refuse(unbooked);
    if (last !== undefined && unbooked instanceof NotSettledError && unbooked.comesLater) this.passLast(last);
    this.#closeWithError(stream, streamUnbooked());
  }

  /** Ends a stream with its format's own end and what belongs before that. */
  #close(head: ReplyHead, parts: readonly Buffer[]): void {
    const [first, ...others] = parts;
    const bytes = first !== undefined && others.length === 0 ? first : Buffer.concat(parts);
    this.#kept?.take(bytes);
    this.begin(head, bytes.length);
    this.#owner.writer.end(bytes);
  }

  #closeWithError(stream: AnswerStream, error: RelayError): void {
    if (stream.contentType !== undefined) return this.breakOff();
    const event = this.#errorEvent(error.forToken(this.#job.caller.customContact, {}));
    const text = stream.closeWithError?.(event) ?? event;
    this.#kept?.take(Buffer.from(text));
    this.#owner.response.end(text);
  }

  #errorEvent(error: RelayError): string {
    const { ask, requestId } = this.#job;
    return ask.format.errorEvent(this.#owner.dialect.writeError(error, requestId));
  }

  /** Answers with an error where nothing of an answer has left. */
  refuse(error: unknown): void {
    const text = this.tellRefusal(error);
    this.#kept?.take(Buffer.from(text));
  }

  /** The same for a request of which nothing is kept. Returns what the caller is told: in its stream where that has its head already. */
  tellRefusal(error: unknown): string {
    const { response } = this.#owner;
    if (this.#hasBegun || !response.headersSent || response.writableEnded) return this.#owner.refuse(error);
    const event = this.#errorEvent(this.#owner.explain(error));
    const text = this.#job.ask.inArray ? `[${readServerSentEvent(Buffer.from(event)).data}]` : event;
    response.end(text);
    return text;
  }

  breakOff(): void {
    this.#owner.response.destroy();
  }

  /** All has left that will. `isLogged`: what was said is kept, as the request has its entry in the log. */
  finished(isLogged: boolean): void {
    if (isLogged) this.#kept?.end();
    else this.#kept?.drop();
  }

  #headers(written: ReplyHead["written"]): Record<string, string> {
    const { requestId, admission } = this.#job;
    const headers = Object.assign(responseHeaders(requestId, this.#owner.dialect), admission.headers);
    const dropped = written?.dropped ?? [];
    return dropped.length === 0 ? headers : { ...headers, [DROPPED_HEADER]: dropped.map(encodeURI).join(", ") };
  }
}
