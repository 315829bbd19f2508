import type { Usage } from "@one-api/providers/usage";
import type { AnswerStream } from "../translate/index.ts";

const NOTHING = Buffer.alloc(0);

/** An answer without any output yet, whose caller has disconnected. Later output is read for its usage report only. */
export class AwaitedAnswer implements AnswerStream {
  readonly state = "running";
  readonly failure = undefined;
  readonly closing = NOTHING;
  readonly sawContent = false;
  statusCode = 0;
  #usage: Usage | undefined;
  #stream: AnswerStream | undefined;

  answered(usage: Usage | undefined): void {
    this.statusCode = 200;
    this.#usage = usage;
  }

  begin(stream: AnswerStream): void {
    this.statusCode = 200;
    this.#stream = stream;
  }

  push(): undefined {
    return undefined;
  }

  finish(): undefined {
    return undefined;
  }

  get usage(): Usage | undefined {
    return this.#stream === undefined ? this.#usage : this.#stream.usage;
  }

  deliveredTokens(): number {
    return this.#stream?.deliveredTokens() ?? 0;
  }

  get beside(): AnswerStream["beside"] {
    return this.#stream?.beside;
  }
}
