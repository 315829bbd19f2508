import type { LimitField, LimitValues } from "@one-api/contract/limits/limit-constants";

/** Returns the limits of a row. */
export function pickLimits(row: Readonly<Record<LimitField, number>>): Record<LimitField, number> {
  return {
    rpm_limit: row.rpm_limit,
    dpm_limit: row.dpm_limit,
    tpm_limit: row.tpm_limit,
    concurrent_limit: row.concurrent_limit,
    requests_5h_limit: row.requests_5h_limit,
    tokens_5h_limit: row.tokens_5h_limit,
    requests_day_limit: row.requests_day_limit,
    tokens_day_limit: row.tokens_day_limit,
  };
}

/** Returns the limits of an edit; undefined for those that stay. */
export function pickChangedLimits(input: LimitValues): Record<LimitField, number | undefined> {
  return {
    rpm_limit: input.rpm_limit,
    dpm_limit: input.dpm_limit,
    tpm_limit: input.tpm_limit,
    concurrent_limit: input.concurrent_limit,
    requests_5h_limit: input.requests_5h_limit,
    tokens_5h_limit: input.tokens_5h_limit,
    requests_day_limit: input.requests_day_limit,
    tokens_day_limit: input.tokens_day_limit,
  };
}
