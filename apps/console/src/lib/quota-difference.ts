import { ONE_CENT, type QuotaDisplay } from "./format.ts";
import { useQuotaDisplay } from "./use-format-quota.ts";

/** What is left of an amount without a part of it, in quota, so that the texts of all three add up: $0.45 − $0.36 = $0.09. */
export function quotaDifference(whole: number, part: number, display: QuotaDisplay): number {
  const dollars = [whole, part].map((quota) => quota / display.quotaPerUnit);
  // Amounts below one cent are shown with digits of their own.
  const isInCents = dollars.every((amount) => Math.abs(amount) >= ONE_CENT);
  if (!display.displayInCurrency || !isInCents) return whole - part;
  const [cents = 0, partCents = 0] = dollars.map((amount) => Math.round(amount * 100));
  // Less than a cent is left: its own digits say more than a zero.
  if (cents === partCents) return whole - part;
  return ((cents - partCents) / 100) * display.quotaPerUnit;
}

/** Returns quotaDifference with the settings of the public status. */
export function useQuotaDifference(): (whole: number, part: number) => number {
  const display = useQuotaDisplay();
  return (whole, part) => quotaDifference(whole, part, display);
}
