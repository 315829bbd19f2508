import type { Failure } from "@one-api/providers/failure";

/** Kinds of failure that every channel would repeat. */
const FAULT_OF_THE_REQUEST: ReadonlySet<Failure["kind"]> = new Set(["bad-request"]);

export interface RetrySituation {
  readonly failure: Failure;
  /** Attempts so far, including the failed one. */
  readonly attempts: number;
  /** Option RetryTimes: attempts after the first. */
  readonly retryTimes: number;
  /** Something of the answer has left. */
  readonly answerBegan: boolean;
  /** The caller named the channel. */
  readonly channelPinned: boolean;
  readonly callerGone: boolean;
}

/** True when another candidate is to be tried. Never after content has left. */
export function shouldTryAnother(situation: RetrySituation): boolean {
  if (situation.answerBegan || situation.channelPinned || situation.callerGone) return false;
  if (FAULT_OF_THE_REQUEST.has(situation.failure.kind)) return false;
  return situation.attempts <= situation.retryTimes;
}
