import type { Failure } from "@one-api/providers/failure";

/** Kinds of failure that another channel would answer in the same way. */
const FAULT_OF_THE_REQUEST: ReadonlySet<Failure["kind"]> = new Set(["bad-request"]);

export interface RetrySituation {
  readonly failure: Failure;
  /** Attempts made so far, the failed one included. */
  readonly attempts: number;
  /** Option RetryTimes: attempts after the first. */
  readonly retryTimes: number;
  /** The caller has been sent something already. */
  readonly answerBegan: boolean;
  /** The caller asked for this very channel. */
  readonly channelPinned: boolean;
  readonly callerGone: boolean;
}

/** True when another channel should be tried. Never after the first byte of an answer. */
export function shouldTryAnother(situation: RetrySituation): boolean {
  if (situation.answerBegan || situation.channelPinned || situation.callerGone) return false;
  if (FAULT_OF_THE_REQUEST.has(situation.failure.kind)) return false;
  return situation.attempts <= situation.retryTimes;
}
