import type { OptionStore } from "../../core/option-store.ts";

export function describeQuota(options: OptionStore, quota: number): string {
  if (!options.flag("DisplayInCurrencyEnabled")) return String(quota);
  return `$${(quota / options.number("QuotaPerUnit")).toFixed(6)}`;
}
