import { useMemo } from "react";
import { formatCompact, formatNumber, formatPrice, formatQuota } from "../../lib/format.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { useStoredStatus } from "../../lib/state/stored-status.ts";
import type { DashboardMetric } from "./dashboard-search.ts";

/** Values are multiplied by `scale` on the axis, and its ticks have these texts. */
export interface MetricAxis {
  readonly scale: number;
  tickText(value: number): string;
}

/** Without a zero at the end of parts of cents: $0.005 stands above $0.01. */
const partTick = (dollars: number) => formatPrice(dollars).replace(/(?<=\.\d{3,})0+$/, "");

/** Ticks on an axis of dollars: whole ones without cents, long ones in short, parts of cents in full. */
function moneyTick(dollars: number, language: string): string {
  const amount = Math.abs(dollars);
  const text = Number.isInteger(amount) ? `$${formatCompact(amount, language)}` : partTick(amount);
  return dollars < 0 ? `-${text}` : text;
}

/** Returns the axis of a metric: dollars or quota, seconds, per cent, or counts. Stays the same between renders. */
export function useMetricAxis(metric: DashboardMetric | "speed"): MetricAxis {
  const { language } = useTranslation();
  const { display_in_currency: displayInCurrency, quota_per_unit: quotaPerUnit } = useStoredStatus();
  return useMemo((): MetricAxis => {
    if (metric === "spend" || metric === "margin") {
      if (displayInCurrency) return { scale: 1 / quotaPerUnit, tickText: (dollars) => moneyTick(dollars, language) };
      return { scale: 1, tickText: (quota) => formatQuota(quota, { displayInCurrency, quotaPerUnit }) };
    }
    if (metric === "first_byte")
      return { scale: 0.001, tickText: (seconds) => `${formatNumber(seconds, language, 2)} s` };
    if (metric === "errors" || metric === "cache")
      return { scale: 100, tickText: (percent) => `${formatNumber(percent, language, 2)}%` };
    return { scale: 1, tickText: (count) => (Number.isInteger(count) ? formatCompact(count, language) : "") };
  }, [metric, language, displayInCurrency, quotaPerUnit]);
}
