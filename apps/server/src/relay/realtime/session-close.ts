import type { LogResult } from "@one-api/contract/logs/log";
import type { LogEnd } from "@one-api/contract/log-end";
import { type Failure, failureOf } from "@one-api/providers/failure";
import type { RelayError } from "../errors/index.ts";
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
const [NORMAL, GOING_AWAY, INVALID, REFUSED, FAILED, NO_STATUS] = [1000, 1001, 1007, 1008, 1011, 1005] as const;
/** Statuses of messages that are wrong in themselves. */
const MALFORMED: ReadonlySet<number> = new Set([400, 413, 422]);
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
  return cut.kind === "ended" ? (cut.error.code ?? cut.kind) : (cut.kind satisfies LogEnd);
}

/** The same as one of the results that the log knows. */
export function resultOfCut({ kind }: SessionCut): LogResult {
  return kind === "caller-gone" || kind === "caller-stalled" ? "caller-gone" : "cut";
}

/** How a caller is told of the error by the close itself: a code, and a word or, where nothing else can tell it, the message. */
export interface CloseFrame {
  readonly code: number;
  readonly reason: string;
}

/** The close that follows an error; without one it is the usual end. `isAlone`: no event has told of it. */
export function closeFrame(error: RelayError | undefined, isStopping: boolean, isAlone: boolean): CloseFrame {
  if (error === undefined) return { code: NORMAL, reason: "" };
  const code = codeOf(error, isAlone);
  return { code: isStopping ? GOING_AWAY : code, reason: isAlone ? error.message : (error.code ?? "") };
}

/** Google's codes tell what is wrong with a message from what is not allowed, and limits from both. */
function codeOf({ status }: RelayError, isAlone: boolean): number {
  if (status >= 500 || (isAlone && status === 429)) return FAILED;
  return isAlone && MALFORMED.has(status) ? INVALID : REFUSED;
}

/** Closes both sides; what does not close by itself is cut. */
export function closeEnds({ caller, provider, isGone, code, reason }: Closing): void {
  if (isGone) caller.socket.terminate();
  else if (code === NO_STATUS) caller.socket.close();
  else caller.socket.close(code, cutReason(reason));
  provider.socket.close(NORMAL);
  cutLater([caller, provider]);
}

/** Closes a caller's side that has no provider's yet. */
export function closeAlone(caller: SessionEnd, { code, reason }: CloseFrame): void {
  caller.socket.resume();
  caller.socket.close(code, cutReason(reason));
  cutLater([caller]);
}

/** What does not close by itself is cut. */
function cutLater(ends: readonly SessionEnd[]): void {
  setTimeout(() => {
    for (const { socket } of ends) if (socket.readyState !== socket.CLOSED) socket.terminate();
  }, CLOSE_TIMEOUT_MS).unref();
}

/** The reason without what is too much of it, and without half a letter at its end. */
function cutReason(reason: string): string {
  const bytes = Buffer.from(reason);
  if (bytes.length <= MAX_REASON_BYTES) return reason;
  return new TextDecoder().decode(bytes.subarray(0, MAX_REASON_BYTES), { stream: true });
}
