import type { LimitField, LimitValues } from "@one-api/contract/limits/limit-constants";

export function pickLimits(row: Readonly<Record<LimitField, number>>): Record<LimitField, number> {
  return ofEachLimit((field) => row[field]);
}

export function pickChangedLimits(input: LimitValues): Record<LimitField, number | undefined> {
  return ofEachLimit((field) => input[field]);
}

function ofEachLimit<Value>(valueOf: (field: LimitField) => Value): Record<LimitField, Value> {
  return {
    rpm_limit: valueOf("rpm_limit"),
    dpm_limit: valueOf("dpm_limit"),
    tpm_limit: valueOf("tpm_limit"),
    concurrent_limit: valueOf("concurrent_limit"),
    requests_5h_limit: valueOf("requests_5h_limit"),
    tokens_5h_limit: valueOf("tokens_5h_limit"),
    requests_day_limit: valueOf("requests_day_limit"),
    tokens_day_limit: valueOf("tokens_day_limit"),
  };
}
