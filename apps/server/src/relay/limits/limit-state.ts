import type { LimitedSubject, Rule } from "../../features/limits/index.ts";

export interface LimitState {
  readonly subject: LimitedSubject;
  readonly rule: Rule;
  /** Requests or model tokens that this server may admit of the limit: all, or its share. */
  readonly allowed: number;
  readonly used: number;
  /** Seconds until one more fits. 0: now, or once a running request ends. */
  readonly resetSeconds: number;
}

/** Counts of a request. */
export interface Need {
  /** Models whose limits apply: several for an alias. */
  readonly models: readonly string[];
  /** Upper bound of its model tokens. */
  readonly modelTokens: number;
  readonly isForImages: boolean;
}

/** Writes the headers of limits. `nowMs` is wall-clock time. */
export type WriteLimits = (states: readonly LimitState[], nowMs: number) => LimitHeaders;

export type LimitHeaders = Readonly<Record<string, string>>;

/** Returns the first limit that refuses the request. */
export function findReached(states: readonly LimitState[], { isForImages }: Need): LimitState | undefined {
  return states.find(({ rule, used, allowed }) => used >= allowed && (rule.kind !== "images" || isForImages));
}

/** Returns the limit of each kind with the least left, in the order of kinds. */
export function nearestLimits(states: readonly LimitState[]): readonly LimitState[] {
  const nearest = new Map<string, LimitState>();
  for (const state of states) {
    const known = nearest.get(state.rule.kind);
    if (known === undefined || leftOf(state) < leftOf(known)) nearest.set(state.rule.kind, state);
  }
  return [...nearest.values()];
}

/** Remainder of a limit; never below 0. */
export function leftOf({ allowed, used }: LimitState): number {
  return Math.max(0, allowed - used);
}
