import type { Failure } from "@one-api/providers/failure";
import type { StreamMeter } from "@one-api/providers/format";
import { readError } from "@one-api/providers/formats/openai/read-error";
import { EventSplitter } from "@one-api/providers/framing/event-splitter";
import type { Dispatcher } from "undici";
import {
  BodyCollector,
  failureOf,
  failureOfError,
  type BodyReader,
  exchange,
  type ExchangeControls,
  type UpstreamRequest,
} from "./exchange.ts";

/** How a provider's stream ended. */
export type StreamEnd = { readonly kind: "complete" } | { readonly kind: "failed"; readonly failure: Failure };

/** What takes the events of a stream that has begun well. */
export interface EventSink {
  events(events: readonly Buffer[]): void;
  ended(end: StreamEnd): void;
}

/** A stream whose first event is there. */
export interface OpenedStream {
  readonly controls: ExchangeControls;
  /** Starts the flow; what came before is delivered at once. */
  flow(sink: EventSink): void;
}

export type OpenStreamResult =
  | { readonly ok: true; readonly stream: OpenedStream }
  | { readonly ok: false; readonly failure: Failure };

/**
 * Asks a provider for a stream and resolves with it at its first event, or with a failure before that: until then nothing has been sent to the
 * caller, and another channel may be tried. `signalControls` hands out how to close the exchange as soon as it runs.
 */
export function openStream(
  client: Dispatcher,
  request: UpstreamRequest,
  meter: StreamMeter,
  signalControls: (controls: ExchangeControls) => void,
): Promise<OpenStreamResult> {
  return new Promise((resolve) => {
    const controls = exchange(
      client,
      request,
      (status, headers) => {
        const fail = (failure: Failure) => resolve({ ok: false, failure });
        if (status < 200 || status > 299) {
          return new BodyCollector(
            (body) => fail(readError(status, toText(headers), body)),
            (error) => fail(failureOfError(error, true)),
          );
        }
        if (!/^text\/event-stream\b/i.test(headers["content-type"] ?? "")) {
          return new BodyCollector(
            (body) => fail(failureInBody(status, toText(headers), body)),
            (error) => fail(failureOfError(error, true)),
          );
        }
        return new StreamReader(meter, () => controls, resolve);
      },
      (error) => resolve({ ok: false, failure: failureOfError(error, false) }),
    );
    signalControls(controls);
  });
}

/** A good status with a body that is no stream: an error in disguise, or not what was asked for. */
function failureInBody(status: number, headers: Readonly<Record<string, string>>, body: string): Failure {
  const failure = readError(status, headers, body);
  return { ...failure, kind: failure.kind === "bad-request" ? "bad-answer" : failure.kind };
}

/** Headers as plain texts; repeated ones are joined. */
export function toText(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : (value ?? "")]),
  );
}

/** Reads a stream's events, holds them until somebody takes them, and knows how the stream ended. */
class StreamReader implements BodyReader, OpenedStream {
  readonly #splitter = new EventSplitter();
  readonly #meter: StreamMeter;
  readonly #controls: () => ExchangeControls;
  readonly #opened: (result: OpenStreamResult) => void;
  #sink: EventSink | undefined;
  #early: Buffer[] = [];
  #end: StreamEnd | undefined;

  constructor(meter: StreamMeter, controls: () => ExchangeControls, opened: (result: OpenStreamResult) => void) {
    this.#meter = meter;
    this.#controls = controls;
    this.#opened = opened;
  }

  get controls(): ExchangeControls {
    return this.#controls();
  }

  flow(sink: EventSink): void {
    this.#sink = sink;
    if (this.#early.length > 0) sink.events(this.#early);
    this.#early = [];
    if (this.#end !== undefined) sink.ended(this.#end);
  }

  data(chunk: Buffer): void {
    if (this.#end !== undefined) return;
    if (this.#splitter.isWhole(chunk) && this.#meter.passes(chunk)) {
      this.#deliver([chunk]);
      return;
    }
    let events: Buffer[];
    try {
      events = this.#splitter.push(chunk);
    } catch {
      this.#controls().abort();
      this.#finish({
        kind: "failed",
        failure: failureOf("too-large", 200, "The provider sent an event longer than 1 MiB."),
      });
      return;
    }
    this.#take(events);
  }

  end(): void {
    if (this.#end !== undefined) return;
    const rest = this.#splitter.flush();
    if (rest.length > 0) this.#take([Buffer.concat([rest, Buffer.from("\n\n")])]);
    this.#finish(
      this.#meter.finished
        ? { kind: "complete" }
        : {
            kind: "failed",
            failure: failureOf("broken-stream", 200, "The provider ended the stream before the answer was whole."),
          },
    );
  }

  failed(error: Error): void {
    this.#finish({ kind: "failed", failure: failureOfError(error, true) });
  }

  #take(events: readonly Buffer[]): void {
    const forward: Buffer[] = [];
    for (const event of events) {
      const verdict = this.#meter.look(event);
      if (verdict.kind === "forward") forward.push(event);
      if (verdict.kind === "end" || verdict.kind === "error") {
        this.#deliver(forward);
        this.#finish(verdict.kind === "end" ? { kind: "complete" } : { kind: "failed", failure: verdict.failure });
        return;
      }
    }
    this.#deliver(forward);
  }

  #deliver(events: readonly Buffer[]): void {
    if (events.length === 0) return;
    if (this.#sink !== undefined) this.#sink.events(events);
    else this.#early.push(...events);
    this.#opened({ ok: true, stream: this });
  }

  #finish(end: StreamEnd): void {
    if (this.#end !== undefined) return;
    this.#end = end;
    if (end.kind === "failed" && !this.#meter.sawContent) this.#opened({ ok: false, failure: end.failure });
    else this.#opened({ ok: true, stream: this });
    this.#sink?.ended(end);
  }
}
