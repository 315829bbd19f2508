import type { LogResult } from "@one-api/contract/logs/log";
import type { LogEnd } from "@one-api/contract/logs/log-end";
import { type Failure, failureOf } from "@one-api/providers/failure";
import type { RelayError } from "../errors/index.ts";
import type { SessionEnd } from "./message-pipe.ts";

export type SessionEnding =
  | { readonly kind: "caller-gone" | "caller-stalled" }
  | { readonly kind: "ended"; readonly error: RelayError }
  | { readonly kind: "failed"; readonly failure: Failure }
  | { readonly kind: "closed"; readonly code: number; readonly reason: string };

interface Closing {
  readonly caller: SessionEnd;
  readonly provider: SessionEnd;
  readonly isGone: boolean;
  readonly code: number;
  readonly reason: string;
}

/** Time until a side that does not answer a close is terminated, in ms. */
const CLOSE_TIMEOUT_MS = 2_000;
const [NORMAL, GOING_AWAY, INVALID, REFUSED, FAILED, NO_STATUS] = [1000, 1001, 1007, 1008, 1011, 1005] as const;
const MALFORMED: ReadonlySet<number> = new Set([400, 413, 422]);
const MAX_REASON_BYTES = 123;
/** Code of a WebSocket that ended without a close frame (RFC 6455, 7.1.5). */
export const NO_CLOSE_FRAME = 1006;

export function toEnding(code: number, reason: string): SessionEnding {
  if (code !== NO_CLOSE_FRAME) return { kind: "closed", code, reason };
  return { kind: "failed", failure: failureOf("broken-stream", 0, "The provider broke off the session.") };
}

export function failureOfEnding(ending: SessionEnding, isInAnswer: boolean): Failure | undefined {
  if (ending.kind === "failed") return ending.failure;
  const isBroken = ending.kind === "closed" && isInAnswer;
  return isBroken ? failureOf("broken-stream", 0, "The provider closed the session in an answer.") : undefined;
}

export function nameOfEnding(ending: SessionEnding, failure: Failure | undefined): string {
  if (failure !== undefined) return failure.kind;
  return ending.kind === "ended" ? (ending.error.code ?? ending.kind) : (ending.kind satisfies LogEnd);
}

export function resultOfEnding({ kind }: SessionEnding): LogResult {
  return kind === "caller-gone" || kind === "caller-stalled" ? "caller-gone" : "cut";
}

export interface CloseFrame {
  readonly code: number;
  readonly reason: string;
}

/** `isAlone`: no error event has been sent. */
export function closeFrame(error: RelayError | undefined, isStopping: boolean, isAlone: boolean): CloseFrame {
  if (error === undefined) return { code: NORMAL, reason: "" };
  const code = codeOf(error, isAlone);
  return { code: isStopping ? GOING_AWAY : code, reason: isAlone ? error.message : (error.code ?? "") };
}

/** Google's clients distinguish malformed messages, refusals and limits by these codes. */
function codeOf({ status }: RelayError, isAlone: boolean): number {
  if (status >= 500 || (isAlone && status === 429)) return FAILED;
  return isAlone && MALFORMED.has(status) ? INVALID : REFUSED;
}

export function closeEnds({ caller, provider, isGone, code, reason }: Closing): void {
  if (isGone) caller.socket.terminate();
  else if (code === NO_STATUS) caller.socket.close();
  else caller.socket.close(code, truncateReason(reason));
  provider.socket.close(NORMAL);
  terminateLater([caller, provider]);
}

export function closeAlone(caller: SessionEnd, { code, reason }: CloseFrame): void {
  caller.socket.resume();
  caller.socket.close(code, truncateReason(reason));
  terminateLater([caller]);
}

function terminateLater(ends: readonly SessionEnd[]): void {
  setTimeout(() => {
    for (const { socket } of ends) if (socket.readyState !== socket.CLOSED) socket.terminate();
  }, CLOSE_TIMEOUT_MS).unref();
}

function truncateReason(reason: string): string {
  const bytes = Buffer.from(reason);
  if (bytes.length <= MAX_REASON_BYTES) return reason;
  return new TextDecoder().decode(bytes.subarray(0, MAX_REASON_BYTES), { stream: true });
}
