import type { ChartCursor } from "../../../components/charts/chart-cursor.ts";
import type { DashboardRow } from "@one-api/contract/usage/dashboard";
import { formatPercent } from "../../../lib/format.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import type { Opening } from "../breakdown/dashboard-scope.ts";
import type { DashboardKey, DashboardMetric } from "../dashboard-search.ts";
import { useMetricText } from "../usage-metrics.ts";
import { type UsageOverTime, type UsageSeries, useSeriesName } from "./usage-series.ts";
import classes from "./usage-legend.module.css";

interface UsageLegendProps {
  usage: UsageOverTime;
  by: DashboardKey;
  metric: DashboardMetric;
  cursor: ChartCursor;
  openingOf(row: DashboardRow): Opening | undefined;
  onOpen(opening: Opening): void;
}

interface SeriesNameProps extends Pick<UsageLegendProps, "openingOf" | "onOpen"> {
  series: UsageSeries;
  name: string;
}

function SeriesName({ series: { row, colour }, name, openingOf, onOpen }: SeriesNameProps) {
  const { t } = useTranslation("dashboard");
  const opening = row === undefined ? undefined : openingOf(row);
  return (
    <th scope="row">
      <span className={classes.swatch} style={{ background: colour }} aria-hidden="true" />
      {opening === undefined ? (
        name
      ) : (
        <button
          type="button"
          className={classes.open}
          title={t(`breakdown.open.${opening.next}`)}
          onClick={() => onOpen(opening)}
        >
          {name}
        </button>
      )}
    </th>
  );
}

function LegendHead({ by }: { by: DashboardKey | undefined }) {
  const { t } = useTranslation("dashboard");
  return (
    <thead>
      <tr>
        <th scope="col">{t(by === undefined ? "legend.series" : `by.${by}`)}</th>
        <th scope="col">{t("legend.atCursor")}</th>
        <th scope="col">{t("legend.total")}</th>
        <th scope="col">{t("legend.share")}</th>
      </tr>
    </thead>
  );
}

export function UsageLegend({
  usage: { series, before, beforeTotal },
  by,
  metric,
  cursor,
  ...opening
}: UsageLegendProps) {
  const { t, language } = useTranslation("dashboard");
  const text = useMetricText();
  const nameOf = useSeriesName(by);
  const index = cursor.use();
  if (series.length === 0 && before === null) return null;
  const whole = series.reduce((sum, { total }) => sum + total, 0);
  const atCursor = (values: readonly (number | null)[]) =>
    index === undefined ? "" : text(metric, values[index] ?? null);
  return (
    <table className={classes.legend}>
      <LegendHead by={series.length > 0 ? by : undefined} />
      <tbody>
        {series.map((one) => (
          <tr key={one.key}>
            <SeriesName series={one} name={nameOf(one)} {...opening} />
            <td>{atCursor(one.values)}</td>
            <td>
              <strong>{text(metric, one.total)}</strong>
            </td>
            <td>{whole > 0 ? formatPercent(one.total / whole, language, 0) : ""}</td>
          </tr>
        ))}
        {before !== null && (
          <tr>
            <th scope="row">
              <span className={classes.dashes} aria-hidden="true" />
              {t("legend.before")}
            </th>
            <td>{atCursor(before)}</td>
            <td>{text(metric, beforeTotal)}</td>
            <td>–</td>
          </tr>
        )}
      </tbody>
    </table>
  );
}
