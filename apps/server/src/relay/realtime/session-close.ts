import type { RelayError } from "../relay-error.ts";
import type { SessionEnd } from "./message-pipe.ts";

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
