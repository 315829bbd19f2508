import { type LimitField, type LimitKind, LIMITS, type LimitValues } from "@one-api/contract/limits/limit-constants";
import { type LimitsOfGroup } from "@one-api/contract/limits/limits";

export interface Rule {
  readonly field: LimitField;
  readonly kind: LimitKind;
  readonly seconds: number;
  /** Above 0, in requests or model tokens. */
  readonly limit: number;
}

/** A token, a user, or a user's requests to one model, with limits that count together. */
export interface LimitedSubject {
  readonly name: string;
  readonly of: "token" | "account" | "model";
  readonly model: string;
  readonly rules: readonly Rule[];
}

export interface CallerLimits {
  readonly subjects: readonly LimitedSubject[];
  readonly models: ReadonlyMap<string, LimitedSubject>;
  readonly hasTokens: boolean;
}

export interface LimitedUser {
  readonly id: number;
  readonly limits: LimitValues;
  readonly group: LimitsOfGroup | undefined;
}

export function limitsOf(token: LimitValues & { readonly id: number }, user?: LimitedUser): CallerLimits | undefined {
  const ofToken: LimitedSubject = { name: `t${token.id}`, of: "token", model: "", rules: rulesOf(token) };
  return joinLimits([ofToken, ...(user === undefined ? [] : [accountOf(user)])], user);
}

export function limitsOfAccount(user: LimitedUser): CallerLimits | undefined {
  return joinLimits([accountOf(user)], user);
}

function accountOf({ id, limits, group }: LimitedUser): LimitedSubject {
  return { name: `u${id}`, of: "account", model: "", rules: rulesOf(limits, group) };
}

function joinLimits(all: readonly LimitedSubject[], user: LimitedUser | undefined): CallerLimits | undefined {
  const ofModels = Object.entries(user?.group?.models ?? {}).map(([model, values]): LimitedSubject => ({
    name: `u${user?.id ?? 0} ${model}`,
    of: "model",
    model,
    rules: rulesOf(values),
  }));
  const [subjects, models] = [all.filter(hasRules), ofModels.filter(hasRules)];
  if (subjects.length + models.length === 0) return undefined;
  const hasTokens = [...subjects, ...models].some(({ rules }) => rules.some(({ kind }) => kind === "tokens"));
  return { subjects, models: new Map(models.map((subject) => [subject.model, subject])), hasTokens };
}

function hasRules({ rules }: LimitedSubject): boolean {
  return rules.length > 0;
}

/** Returns the limits above 0. A value of 0 leaves the fallback in force. */
function rulesOf(values: LimitValues, fallback: LimitValues = {}): readonly Rule[] {
  return LIMITS.flatMap(({ field, kind, seconds, unit }) => {
    const limit = (values[field] || (fallback[field] ?? 0)) * unit;
    return limit > 0 ? [{ field, kind, seconds, limit }] : [];
  });
}
