import { collectYoungAfter } from "../../platform/runtime-tuning.ts";
import type { CallerResponse } from "@one-api/http1/server/caller-exchange";
import type { Clock } from "../../platform/clock.ts";

/** Longer bodies are sent in slices of this many bytes, which show whether the caller reads. */
const SLICE_BYTES = 64 * 1024;

/** Bodies up to this many bytes are written as texts, a letter for each byte. */
const SHORT_BYTES = 8 * 1024;

/** Bytes that a slow caller must read to count as reading. The system accepts a few for one that does not read. */
const TAKEN_BYTES = 128 * 1024;
/** Time of keeping up after which the next lag counts from zero, in ms. */
const KEPT_UP_MS = 1_000;

/** Pieces of a stream from this size on, in bytes, are reported to V8 as freed memory once they are sent. */
const LONG_BYTES = 16 * 1024;

/** Writes an answer with backpressure, and measures how long the caller has stalled. */
export class ReplyWriter {
  readonly #response: CallerResponse;
  readonly #clock: Clock;
  #isWaiting = false;
  /** Since when it has taken less than `TAKEN_BYTES`, and how much. */
  #slowSinceMs = 0;
  #takenBytes = 0;
  #drainedMs = Number.NEGATIVE_INFINITY;
  #drained: (() => void) | undefined;
  #rest: Buffer | undefined;

  constructor(response: CallerResponse, clock: Clock) {
    this.#response = response;
    this.#clock = clock;
  }

  write(bytes: Buffer, drained: () => void): boolean {
    this.#takenBytes += bytes.length;
    if (bytes.length >= LONG_BYTES) collectYoungAfter(bytes.length);
    if (this.#response.write(bytes)) return true;
    this.#drained = drained;
    this.#waitForCaller();
    return false;
  }

  end(bytes: Buffer): void {
    this.#sendRest(bytes);
  }

  /** Time since the caller last received data, in ms; 0 while it receives. */
  stalledMs(nowMs: number): number {
    return this.#isWaiting ? nowMs - this.#slowSinceMs : 0;
  }

  /** Listens for `drain` only if the caller is slow. */
  #waitForCaller(): void {
    if (this.#isWaiting) return;
    this.#lag();
    this.#response.once("drain", () => {
      this.#isWaiting = false;
      this.#drainedMs = this.#clock.monotonicMs();
      if (this.#rest === undefined) this.#drained?.();
      else this.#sendRest(this.#rest);
    });
  }

  #lag(): void {
    this.#isWaiting = true;
    const nowMs = this.#clock.monotonicMs();
    if (this.#takenBytes < TAKEN_BYTES && nowMs - this.#drainedMs < KEPT_UP_MS) return;
    this.#slowSinceMs = nowMs;
    this.#takenBytes = 0;
  }

  #sendRest(bytes: Buffer): void {
    let from = 0;
    while (bytes.length - from > SLICE_BYTES) {
      const slice = bytes.subarray(from, from + SLICE_BYTES);
      from += SLICE_BYTES;
      this.#takenBytes += SLICE_BYTES;
      if (this.#response.write(slice)) continue;
      this.#rest = bytes.subarray(from);
      return this.#waitForCaller();
    }
    this.#rest = undefined;
    // A short text is put behind the headers and leaves in one write with them; bytes would be a second piece of it, which costs more.
    if (bytes.length <= SHORT_BYTES) this.#response.end(bytes.toString("latin1"), "latin1");
    else this.#response.end(from === 0 ? bytes : bytes.subarray(from));
    if (this.#response.writableLength > 0) this.#lag();
  }
}
