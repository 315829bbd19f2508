import type { Usage } from "@one-api/contract/usage/dashboard";
import { Sparkline } from "../../components/charts/sparkline.tsx";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import type { DashboardMetric } from "./dashboard-search.ts";
import { metricOf } from "./usage-metrics.ts";

interface UsageTrendProps {
  parts: readonly Usage[];
  metric: DashboardMetric;
}

/** A metric over time, without axes; nothing where it is unknown. */
export function UsageTrend({ parts, metric }: UsageTrendProps) {
  const { t } = useTranslation("dashboard");
  const values = parts.map((part) => metricOf(metric, part));
  if (values.length < 2 || values.every((value) => value === null)) return null;
  return (
    <Sparkline
      values={values}
      label={t("chart.title", { metric: t(`metrics.${metric}`) })}
      tone={metric === "errors" && values.some((value) => value !== 0 && value !== null) ? "danger" : "accent"}
    />
  );
}
