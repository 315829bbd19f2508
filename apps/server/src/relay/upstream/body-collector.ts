import type { BodyReader } from "./exchange.ts";

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
