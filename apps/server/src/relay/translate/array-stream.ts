import { EventSplitter } from "@one-api/providers/framing/event-splitter";
import { readServerSentEvent } from "@one-api/providers/framing/server-sent-event";
import type { Usage } from "@one-api/providers/usage";
import { AroundStream } from "./around-stream.ts";

/** A stream whose events are elements of one JSON list, as Google's clients may request. */
export class ArrayStream extends AroundStream {
  readonly #splitter = new EventSplitter(Number.POSITIVE_INFINITY);
  #isOpen = false;

  override get closing(): Buffer {
    return Buffer.from(this.#isOpen ? "]" : "[]");
  }

  override push(chunk: Buffer): Buffer | undefined {
    return this.#reframe(this.events.push(chunk));
  }

  override finish(): Buffer | undefined {
    return this.#reframe(this.events.finish());
  }

  /** A list cannot contain comments or pings. */
  override saysSomething(piece: Buffer): boolean {
    return piece.length > 0;
  }

  override writeUsage(usage: Usage): Buffer {
    return this.#reframe(super.writeUsage(usage)) ?? Buffer.alloc(0);
  }

  closeWithError(event: string): string {
    const { data } = readServerSentEvent(Buffer.from(event));
    return `${this.#element(data)}]`;
  }

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
