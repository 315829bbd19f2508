import type { OptionStore } from "../../core/option-store.ts";

/** Quota in dollars with six decimals, or the plain number if the options say so. */
export function describeQuota(options: OptionStore, quota: number): string {
  if (!options.flag("DisplayInCurrencyEnabled")) return String(quota);
  return `$${(quota / options.number("QuotaPerUnit")).toFixed(6)}`;
}
