import { NAMES_OF_64, type NameRule } from "./name-rule.ts";

/** Names, ids and schemas that a provider's format takes of a request. All else is fitted to them, and restored in the answer. */
export interface RequestLimits {
  readonly toolNames: NameRule;
  /** Ids of calls; undefined: any. */
  readonly callIds: NameRule | undefined;
  /** Parameters of a tool must be an object at the top. */
  readonly hasObjectTools: boolean;
  /** So must the schema of an answer. */
  readonly hasObjectAnswers: boolean;
}

/** Of providers that name no limits of their own. */
export const USUAL_LIMITS: RequestLimits = {
  toolNames: NAMES_OF_64,
  callIds: undefined,
  hasObjectTools: true,
  hasObjectAnswers: false,
};
