/** In ms. */
export interface RelayTimeouts {
  readonly streamFirstByteMs: number;
  /** For the headers of a whole answer, and for the first content of a stream. */
  readonly answerFirstByteMs: number;
  /** Between two pieces of an answer. */
  readonly idleMs: number;
  /** For a caller that takes nothing of its stream. */
  readonly callerStallMs: number;
  /** In which a body that has begun must bring 32 KiB, or its end. */
  readonly bodyStallMs: number;
  /** For a commit; the answer is withheld meanwhile. */
  readonly settleMs: number;
  /** For the provider's report after the caller has disconnected from a stream; 0 aborts at once. */
  readonly reportMs: number;
  /** For a session that is silent on both sides. */
  readonly sessionIdleMs: number;
  /** For requests in flight to end once the server drains. */
  readonly drainMs: number;
}

/** Defaults. `streamFirstByteMs`, `answerFirstByteMs`, `reportMs` and `drainMs` are settings of the server. */
export const RELAY_TIMEOUTS: RelayTimeouts = {
  streamFirstByteMs: 120_000,
  answerFirstByteMs: 600_000,
  idleMs: 120_000,
  callerStallMs: 60_000,
  bodyStallMs: 20_000,
  settleMs: 30_000,
  reportMs: 15_000,
  drainMs: 30_000,
  sessionIdleMs: 900_000,
};
