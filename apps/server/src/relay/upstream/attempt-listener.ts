import type { Failure } from "@one-api/providers/failure";
import type { Usage } from "@one-api/providers/usage";
import type { MemoryClaim } from "../../platform/memory/memory-budget.ts";
import type { AnswerStream } from "../translate/index.ts";

/** A whole answer that may go to the caller, and the usage in it. */
export interface UpstreamAnswer {
  readonly status: number;
  readonly bytes: Buffer;
  /** Undefined when the provider reports none. */
  readonly usage: Usage | undefined;
  /** Undefined: JSON. */
  readonly contentType?: string | undefined;
  /** By which the provider keeps it; undefined where it does not. */
  readonly storedId?: string | undefined;
  /** See `ReadAnswer`. */
  readonly writeUsage?: ((usage: Usage) => Buffer) | undefined;
  /** Its claim on the budget of answers, released when it has left. */
  readonly memory: MemoryClaim | undefined;
}

/** Events of an attempt. None may throw. */
export interface AttemptListener {
  answered(answer: UpstreamAnswer): void;
  /** A piece of a stream for the caller, from the first content on. */
  streamed(stream: AnswerStream, bytes: Buffer): void;
  /** A stream with content ended, with its last bytes; with the failure unless it is whole. */
  streamEnded(stream: AnswerStream, bytes: Buffer | undefined, failure: Failure | undefined): void;
  /** The attempt failed before any content. */
  failed(failure: Failure): void;
  /** Opens an empty memory claim for a long answer. `goOn` is called when a claim that had to wait may grow. */
  claimMemory(goOn: () => void): MemoryClaim;
}
