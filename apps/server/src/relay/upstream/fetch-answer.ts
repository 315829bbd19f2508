import type { IncomingHttpHeaders } from "node:http";
import type { Failure } from "@one-api/providers/failure";
import { carriesError, readError } from "@one-api/providers/formats/openai/read-error";
import { readUsage } from "@one-api/providers/formats/openai/read-usage";
import type { Usage } from "@one-api/providers/usage";
import type { Dispatcher } from "undici";
import { type FieldSpan, findFields } from "../body/json-fields.ts";
import {
  BodyCollector,
  failureOf,
  failureOfError,
  type BodyReader,
  exchange,
  type ExchangeControls,
  type UpstreamRequest,
} from "./exchange.ts";
import { toText } from "./open-stream.ts";

/** Largest answer that is taken whole, in bytes. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

/** A whole answer as the provider sent it, and the usage in it. */
export interface UpstreamAnswer {
  readonly status: number;
  readonly bytes: Buffer;
  /** Undefined when the provider reports none. */
  readonly usage: Usage | undefined;
}

export type FetchAnswerResult =
  | { readonly ok: true; readonly answer: UpstreamAnswer }
  | { readonly ok: false; readonly failure: Failure };

/** Asks a provider for a whole answer. `signalControls` hands out how to close the exchange as soon as it runs. */
export function fetchAnswer(
  client: Dispatcher,
  request: UpstreamRequest,
  signalControls: (controls: ExchangeControls) => void,
): Promise<FetchAnswerResult> {
  return new Promise((resolve) => {
    const fail = (failure: Failure) => resolve({ ok: false, failure });
    const controls = exchange(
      client,
      request,
      (status, headers) => {
        if (status < 200 || status > 299) {
          return new BodyCollector(
            (body) => fail(readError(status, toText(headers), body)),
            (error) => fail(failureOfError(error, true)),
          );
        }
        return new AnswerReader(
          () => {
            controls.abort();
            fail(failureOf("too-large", status, "The provider's answer is larger than 32 MiB."));
          },
          (bytes) => resolve(readAnswer(status, headers, bytes)),
          (error) => fail(failureOfError(error, true)),
        );
      },
      (error) => fail(failureOfError(error, false)),
    );
    signalControls(controls);
  });
}

/** Reads only the usage out of the answer's bytes: a large answer is never built as objects. */
function readAnswer(status: number, headers: IncomingHttpHeaders, bytes: Buffer): FetchAnswerResult {
  const fields = findFields(bytes);
  if (fields === undefined || fields.size === 0) return badAnswer(status, headers, bytes);
  if (carriesError(pickFields(bytes, fields, ["error", "base_resp"]))) return badAnswer(status, headers, bytes);
  const usage = readUsage(pickFields(bytes, fields, ["usage", "x_groq"]));
  return { ok: true, answer: { status, bytes, usage } };
}

/** The named fields of the answer, parsed; those that it lacks are left out. */
function pickFields(bytes: Buffer, fields: ReadonlyMap<string, FieldSpan>, names: readonly string[]): unknown {
  const parts = names.flatMap((name) => {
    const span = fields.get(name);
    return span === undefined ? [] : [`${JSON.stringify(name)}:${bytes.toString("utf8", span.start, span.end)}`];
  });
  if (parts.length === 0) return {};
  try {
    return JSON.parse(`{${parts.join(",")}}`);
  } catch {
    return {};
  }
}

function badAnswer(status: number, headers: IncomingHttpHeaders, bytes: Buffer): FetchAnswerResult {
  const failure = readError(status, toText(headers), bytes.toString());
  return { ok: false, failure: { ...failure, kind: failure.kind === "bad-request" ? "bad-answer" : failure.kind } };
}

class AnswerReader implements BodyReader {
  readonly #tooLarge: () => void;
  readonly #done: (bytes: Buffer) => void;
  readonly #failed: (error: Error) => void;
  #chunks: Buffer[] = [];
  #length = 0;

  constructor(tooLarge: () => void, done: (bytes: Buffer) => void, failed: (error: Error) => void) {
    this.#tooLarge = tooLarge;
    this.#done = done;
    this.#failed = failed;
  }

  data(chunk: Buffer): void {
    this.#length += chunk.length;
    if (this.#length > MAX_ANSWER_BYTES) this.#tooLarge();
    else this.#chunks.push(chunk);
  }

  end(): void {
    const [only] = this.#chunks;
    this.#done(this.#chunks.length === 1 && only !== undefined ? only : Buffer.concat(this.#chunks, this.#length));
  }

  failed(error: Error): void {
    this.#failed(error);
  }
}
