import type { Failure } from "@one-api/providers/failure";

/** Kinds of failure that every channel would repeat. */
const FAULT_OF_THE_REQUEST: ReadonlySet<Failure["kind"]> = new Set(["bad-request"]);

export interface RetrySituation {
  readonly failure: Failure;
  /** Attempts with this model so far, including the failed one. */
  readonly attempts: number;
  readonly hasOtherModel: boolean;
  /** The model has used up the time that the alias gives it. */
  readonly isModelLate: boolean;
  readonly retryTimes: number;
  readonly answerBegan: boolean;
  readonly channelPinned: boolean;
  readonly callerGone: boolean;
}

/** Codes of requests that are too long for one model and may suit another. */
const FAULT_OF_THE_LENGTH: ReadonlySet<string> = new Set(["context_length_exceeded"]);

/** Says what to try after a failure. Never anything after content has left. */
export function shouldTryAnother(situation: RetrySituation): "another-channel" | "another-model" | "never" {
  const { failure, hasOtherModel } = situation;
  if (situation.answerBegan || situation.channelPinned || situation.callerGone) return "never";
  if (FAULT_OF_THE_REQUEST.has(failure.kind))
    return hasOtherModel && FAULT_OF_THE_LENGTH.has(failure.code) ? "another-model" : "never";
  if (situation.isModelLate && hasOtherModel) return "another-model";
  if (situation.attempts <= situation.retryTimes) return "another-channel";
  return hasOtherModel ? "another-model" : "never";
}
