import type { LogResult } from "@one-api/contract/log";
import type { Failure } from "@one-api/providers/failure";
import type { RelayError } from "../relay-error.ts";
import { failureOf } from "../upstream/failure-answer.ts";
import type { SessionEnd } from "./message-pipe.ts";

/** Why a session ended. */
export type SessionCut =
  | { readonly kind: "caller-gone" | "caller-stalled" }
  | { readonly kind: "ended"; readonly error: RelayError }
  | { readonly kind: "failed"; readonly failure: Failure }
  /** The provider has closed it. */
  | { readonly kind: "closed"; readonly code: number; readonly reason: string };

/** How both sides of a session are closed. */
interface Closing {
  readonly caller: SessionEnd;
  readonly provider: SessionEnd;
  /** The caller hears nothing any more. */
  readonly isGone: boolean;
  /** RFC 6455, 7.4. */
  readonly code: number;
  readonly reason: string;
}

/** Whoever does not answer a close is closed after this, in ms. */
const CLOSE_TIMEOUT_MS = 2_000;
const [NORMAL, GOING_AWAY, REFUSED, FAILED, NO_STATUS] = [1000, 1001, 1008, 1011, 1005] as const;
/** Bytes of a reason at the most. */
const MAX_REASON_BYTES = 123;
/** What a WebSocket tells that has ended without a word (RFC 6455, 7.1.5). */
const NO_CLOSE_FRAME = 1006;

/** What the provider's closing of a session means: it has closed it in its own words, or broken it off. */
export function toCut(code: number, reason: string): SessionCut {
  if (code !== NO_CLOSE_FRAME) return { kind: "closed", code, reason };
  return { kind: "failed", failure: failureOf("broken-stream", 0, "The provider broke off the session.") };
}

/** What the provider has done wrong; undefined where nothing. */
export function failureOfCut(cut: SessionCut, isInAnswer: boolean): Failure | undefined {
  if (cut.kind === "failed") return cut.failure;
  const isBroken = cut.kind === "closed" && isInAnswer;
  return isBroken ? failureOf("broken-stream", 0, "The provider closed the session in an answer.") : undefined;
}

/** How a session ended, in a word for the log. */
export function nameOfCut(cut: SessionCut, failure: Failure | undefined): string {
  if (failure !== undefined) return failure.kind;
  return cut.kind === "ended" ? (cut.error.code ?? "ended") : cut.kind;
}

/** The same as one of the results that the log knows. */
export function resultOfCut({ kind }: SessionCut): LogResult {
  return kind === "caller-gone" || kind === "caller-stalled" ? "caller-gone" : "cut";
}

/** The code that tells a caller of the error; without one it is the usual end. */
export function codeOfError(error: RelayError | undefined, isStopping: boolean): number {
  if (error === undefined) return NORMAL;
  if (isStopping) return GOING_AWAY;
  return error.status >= 500 ? FAILED : REFUSED;
}

/** Closes both sides; what does not close by itself is cut. */
export function closeEnds({ caller, provider, isGone, code, reason }: Closing): void {
  if (isGone) caller.socket.terminate();
  else if (code === NO_STATUS) caller.socket.close();
  else caller.socket.close(code, Buffer.from(reason).subarray(0, MAX_REASON_BYTES));
  provider.socket.close(NORMAL);
  setTimeout(() => {
    for (const { socket } of [caller, provider]) if (socket.readyState !== socket.CLOSED) socket.terminate();
  }, CLOSE_TIMEOUT_MS).unref();
}
