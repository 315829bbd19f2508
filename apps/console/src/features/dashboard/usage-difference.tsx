import type { Usage } from "@one-api/contract/usage/dashboard";
import { formatNumber, formatPercent } from "../../lib/format.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import type { DashboardMetric } from "./dashboard-search.ts";
import { metricOf, useMetricText, useTotalText } from "./usage-metrics.ts";
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

const WHOLE_FROM = 0.1;

/** Smaller differences have no colour: in parts of one, and of rates. */
const NOTABLE = { relative: 0.1, rate: 0.01 } as const;

/** A multiple of a tiny base says nothing. In parts of one. */
const MOST = 9.99;

function sizeOf(distance: number, language: string, digits: number): string {
  return distance > MOST ? `>${formatPercent(MOST, language, 0)}` : formatPercent(distance, language, digits);
}

interface DifferenceProps {
  now: number;
  base: number;
  isRate: boolean;
  toneOfMore: "worse" | "better" | undefined;
  was: string;
  same: string;
  /** With what it is compared, after the amount. */
  than?: string | undefined;
  inWords(isMore: boolean, amount: string): string;
}

/** A difference with an arrow to see and in words to hear; nothing where there is nothing to compare with. */
export function Difference({ now, base, isRate, toneOfMore, was, same, than, inWords }: DifferenceProps) {
  const { t, language } = useTranslation("dashboard");
  if (!isRate && base <= 0) return null;
  const difference = isRate ? now - base : (now - base) / base;
  const distance = Math.abs(difference);
  if (distance < LEAST) {
    return (
      <span className={classes.difference} title={was}>
        {same} <span className="visually-hidden">{was}</span>
      </span>
    );
  }
  const digits = distance < WHOLE_FROM ? 1 : 0;
  const size = isRate ? formatNumber(distance * 100, language, digits) : sizeOf(distance, language, digits);
  const words = isRate ? t("difference.points", { amount: size }) : size;
  const isMore = difference > 0;
  const isNotable = distance >= (isRate ? NOTABLE.rate : NOTABLE.relative);
  const toneOfLess = toneOfMore && OPPOSITE[toneOfMore];
  const tone = isNotable ? (isMore ? toneOfMore : toneOfLess) : undefined;
  return (
    <span className={classes.difference} data-tone={tone} title={was}>
      <span aria-hidden="true">
        {isMore ? "↑" : "↓"} {isRate ? t("difference.shortPoints", { amount: size }) : size}
      </span>
      <span className="visually-hidden">
        {inWords(isMore, words)} {was}
      </span>
      {than !== undefined && <span aria-hidden="true"> {than}</span>}
    </span>
  );
}

/** Words for what a usage is compared with. */
export interface ComparedWith {
  readonly than: string;
  readonly same: string;
}

interface UsageDifferenceProps {
  metric: DashboardMetric;
  total: Usage;
  before: Usage;
  against?: ComparedWith | undefined;
}

export function UsageDifference({ metric, total, before, against }: UsageDifferenceProps) {
  const { t } = useTranslation("dashboard");
  const text = useTotalText();
  const nothing = useMetricText();
  const [now, base] = [metricOf(metric, total), metricOf(metric, before)];
  if (now === null || base === null || before.requests === 0) return null;
  const [shown, was] = [text(metric, total), text(metric, before)];
  // A value displayed as zero has no difference worth a percentage.
  if (now !== 0 && base !== 0 && shown === nothing(metric, 0)) return null;
  return (
    <Difference
      // A change that the figures do not show says nothing.
      now={shown === was ? base : now}
      base={base}
      isRate={RATES.has(metric)}
      toneOfMore={TONE_OF_MORE[metric]}
      was={t("difference.was", { value: was })}
      same={against?.same ?? t("difference.same")}
      than={against?.than}
      inWords={(isMore, amount) => t(isMore ? "difference.more" : "difference.less", { amount })}
    />
  );
}
