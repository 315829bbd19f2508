import { NAMES_OF_64, type NameRule } from "./name-rule.ts";

/** Limits of a provider's format. The request is adapted to them, and the answer restored. */
export interface RequestLimits {
  readonly toolNames: NameRule;
  /** Undefined: any. */
  readonly callIds: NameRule | undefined;
  readonly hasObjectTools: boolean;
  readonly hasObjectAnswers: boolean;
}

/** For providers that document no limits. */
export const USUAL_LIMITS: RequestLimits = {
  toolNames: NAMES_OF_64,
  callIds: undefined,
  hasObjectTools: true,
  hasObjectAnswers: false,
};
