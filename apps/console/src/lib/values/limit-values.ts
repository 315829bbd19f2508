import type { FURTHER_LIMITS, LimitField, LimitValues } from "@one-api/contract/limits/limit-constants";
import { typedNumber } from "./typed-number.ts";

/** Limits in a form. A number field holds a text while it is empty. */
export type LimitFormValues = Record<LimitField, number | string>;
export type FurtherLimitValues = Pick<LimitFormValues, (typeof FURTHER_LIMITS)[number]>;

const numberOf = (value: number | string | undefined): number => (typeof value === "number" ? value : 0);

/** Returns the limits beyond those of a minute; an empty field is 0. */
export function furtherLimits(values: Partial<FurtherLimitValues>) {
  return {
    concurrent_limit: numberOf(values.concurrent_limit),
    requests_5h_limit: numberOf(values.requests_5h_limit),
    tokens_5h_limit: numberOf(values.tokens_5h_limit),
    requests_day_limit: numberOf(values.requests_day_limit),
    tokens_day_limit: numberOf(values.tokens_day_limit),
  };
}

/** Returns all limits; an empty field is 0. */
export function allLimits(values: Partial<LimitFormValues>) {
  return {
    rpm_limit: numberOf(values.rpm_limit),
    dpm_limit: numberOf(values.dpm_limit),
    tpm_limit: numberOf(values.tpm_limit),
    ...furtherLimits(values),
  };
}

/** Returns the limits that differ from the stored ones. A value that is no number is kept, so that the schema refuses it. */
export function changedLimits<Field extends LimitField>(
  fields: readonly Field[],
  values: Readonly<Record<Field, number | string>>,
  stored: LimitValues,
): LimitValues {
  const changed = fields.filter((field) => values[field] !== (stored[field] ?? 0));
  return Object.fromEntries(changed.map((field) => [field, typedNumber(values[field])]));
}
