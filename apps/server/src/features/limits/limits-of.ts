import { type LimitField, type LimitKind, LIMITS, type LimitValues } from "@one-api/contract/limits";

/** A limit in force. */
export interface Rule {
  readonly field: LimitField;
  readonly kind: LimitKind;
  /** Length of the window; 0 for requests that run at the same time. */
  readonly seconds: number;
  /** Above 0, in requests or model tokens. */
  readonly limit: number;
}

/** A token, a user, or a user's requests to one model, with limits that count together. */
export interface LimitedSubject {
  /** Unique among all subjects of an installation. */
  readonly name: string;
  readonly of: "token" | "account" | "model";
  readonly rules: readonly Rule[];
}

/** Limits of a caller's requests. */
export interface CallerLimits {
  readonly subjects: readonly LimitedSubject[];
  /** A limit counts model tokens. */
  readonly hasTokens: boolean;
}

/** Returns the limits above 0. */
export function rulesOf(values: LimitValues): readonly Rule[] {
  return LIMITS.flatMap(({ field, kind, seconds, unit }) => {
    const limit = (values[field] ?? 0) * unit;
    return limit > 0 ? [{ field, kind, seconds, limit }] : [];
  });
}

/** Returns the limits of a token's requests; undefined without any. */
export function limitsOf(token: LimitValues & { readonly id: number }): CallerLimits | undefined {
  const rules = rulesOf(token);
  if (rules.length === 0) return undefined;
  const subjects = [{ name: `t${token.id}`, of: "token" as const, rules }];
  return { subjects, hasTokens: rules.some(({ kind }) => kind === "tokens") };
}
