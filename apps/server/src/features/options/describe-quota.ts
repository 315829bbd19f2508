import type { OptionStore } from "../../core/option-store.ts";

/** An amount of quota as the texts of log entries show it: dollars with six decimals, or the number itself, as the settings say. */
export function describeQuota(options: OptionStore, quota: number): string {
  if (!options.flag("DisplayInCurrencyEnabled")) return String(quota);
  return `$${(quota / options.number("QuotaPerUnit")).toFixed(6)}`;
}
