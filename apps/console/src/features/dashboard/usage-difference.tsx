import type { Usage } from "@one-api/contract/usage/dashboard";
import { formatNumber, formatPercent } from "../../lib/format.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import type { DashboardMetric } from "./dashboard-search.ts";
import { metricOf, useMetricText } from "./usage-metrics.ts";
import classes from "./usage-tiles.module.css";

/** Whether more of a metric is worse or better; of the others it is neither. */
const TONE_OF_MORE: Partial<Record<DashboardMetric, "worse" | "better">> = {
  errors: "worse",
  first_byte: "worse",
  cache: "better",
};

const OPPOSITE = { worse: "better", better: "worse" } as const;

/** Metrics in percent, which are compared in percentage points. */
const RATES: ReadonlySet<DashboardMetric> = new Set(["errors", "cache"]);

/** Smaller differences show as none, in parts of one. */
const LEAST = 0.0005;

/** From here on tenths of a per cent say nothing. */
const WHOLE_FROM = 0.1;

/**
 * Returns the difference to the time before: relative to it, or of rates in percentage points, both 1 for 100. Null where there is nothing to
 * compare with.
 */
function differenceOf(metric: DashboardMetric, total: Usage, before: Usage): number | null {
  const [now, then] = [metricOf(metric, total), metricOf(metric, before)];
  if (now === null || then === null || before.requests === 0) return null;
  if (RATES.has(metric)) return now - then;
  return then > 0 ? (now - then) / then : null;
}

interface UsageDifferenceProps {
  metric: DashboardMetric;
  total: Usage;
  before: Usage;
}

/** The difference to the time before of the same length, with an arrow to see and in words to hear; nothing where there was nothing before. */
export function UsageDifference({ metric, total, before }: UsageDifferenceProps) {
  const { t, language } = useTranslation("dashboard");
  const text = useMetricText();
  const difference = differenceOf(metric, total, before);
  if (difference === null) return null;
  const was = t("difference.was", { value: text(metric, metricOf(metric, before)) });
  if (Math.abs(difference) < LEAST) {
    return (
      <span className={classes.difference} title={was}>
        {t("difference.same")} <span className="visually-hidden">{was}</span>
      </span>
    );
  }
  const digits = Math.abs(difference) < WHOLE_FROM ? 1 : 0;
  const isPoints = RATES.has(metric);
  const distance = Math.abs(difference);
  const size = isPoints ? formatNumber(distance * 100, language, digits) : formatPercent(distance, language, digits);
  const words = isPoints ? t("difference.points", { amount: size }) : size;
  const isMore = difference > 0;
  const toneOfMore = TONE_OF_MORE[metric];
  const tone = isMore || toneOfMore === undefined ? toneOfMore : OPPOSITE[toneOfMore];
  return (
    <span className={classes.difference} data-tone={tone} title={was}>
      <span aria-hidden="true">
        {isMore ? "↑" : "↓"} {isPoints ? t("difference.shortPoints", { amount: size }) : size}
      </span>
      <span className="visually-hidden">
        {t(isMore ? "difference.more" : "difference.less", { amount: words })} {was}
      </span>
    </span>
  );
}
