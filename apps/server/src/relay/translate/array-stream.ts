import type { Failure } from "@one-api/providers/failure";
import { EventSplitter } from "@one-api/providers/framing/event-splitter";
import { readServerSentEvent } from "@one-api/providers/framing/server-sent-event";
import type { Usage } from "@one-api/providers/usage";
import type { AnswerStream } from "./translation.ts";

/** A stream whose events the caller gets as the elements of one JSON list, as Google's clients may ask for. */
export class ArrayStream implements AnswerStream {
  readonly #events: AnswerStream;
  readonly #splitter = new EventSplitter(Number.POSITIVE_INFINITY);
  #isOpen = false;

  constructor(events: AnswerStream) {
    this.#events = events;
  }

  get state(): AnswerStream["state"] {
    return this.#events.state;
  }

  get failure(): Failure | undefined {
    return this.#events.failure;
  }

  get sawContent(): boolean {
    return this.#events.sawContent;
  }

  get usage(): Usage | undefined {
    return this.#events.usage;
  }

  get closing(): Buffer {
    return Buffer.from(this.#isOpen ? "]" : "[]");
  }

  deliveredTokens(): number {
    return this.#events.deliveredTokens();
  }

  push(chunk: Buffer): Buffer | undefined {
    return this.#reframe(this.#events.push(chunk));
  }

  finish(): Buffer | undefined {
    return this.#reframe(this.#events.finish());
  }

  closeWithError(event: string): string {
    const { data } = readServerSentEvent(Buffer.from(event));
    return `${this.#element(data)}]`;
  }

  /** Whole events as elements. */
  #reframe(events: Buffer | undefined): Buffer | undefined {
    if (events === undefined) return undefined;
    const elements = this.#splitter.push(events).map((event) => this.#element(readServerSentEvent(event).data));
    return Buffer.from(elements.join(""));
  }

  #element(data: string): string {
    if (data === "") return "";
    const before = this.#isOpen ? ",\r\n" : "[";
    this.#isOpen = true;
    return before + data;
  }
}
