import type { Dashboard } from "@one-api/contract/usage/dashboard";
import { ScrollBox } from "../../../components/boxes/scroll-box.tsx";
import { partText } from "../../../components/charts/part-text.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import type { DashboardKey, DashboardMetric } from "../dashboard-search.ts";
import { useUsageColumns } from "../usage-columns.tsx";
import { useMetricText } from "../usage-metrics.ts";
import { usageSeries, useSeriesName } from "./usage-series.ts";
import classes from "./usage-table.module.css";

interface UsageTableProps {
  dashboard: Dashboard;
  by: DashboardKey;
  metric: DashboardMetric;
  metrics: readonly DashboardMetric[];
}

interface Column {
  readonly id: string;
  readonly header: string;
  text(interval: number): string;
  more(interval: number): string;
}

/** A column for each series of the chart, else for each metric. Intervals have times only while these are the metric. */
function useColumns({ dashboard, by, metric, metrics }: UsageTableProps): readonly Column[] {
  const text = useMetricText();
  const nameOf = useSeriesName(by);
  const columns = useUsageColumns(metrics).filter(({ isTime }) => !isTime || metric === "first_byte");
  const series = usageSeries(dashboard, metric);
  if (series.length > 0)
    return series.map((one) => ({
      id: one.key,
      header: nameOf(one),
      text: (interval) => text(metric, one.values[interval] ?? 0),
      more: () => "",
    }));
  const ofInterval = (read: (usage: Dashboard["total"]) => string) => (interval: number) => {
    const part = dashboard.parts[interval];
    return part === undefined ? "" : read(part);
  };
  return columns.map(({ id, header, ...read }) => ({
    id,
    header,
    text: ofInterval(read.text),
    more: ofInterval(read.more),
  }));
}

export function UsageTable(props: UsageTableProps) {
  const { t } = useTranslation("dashboard");
  const { dashboard, metric } = props;
  const columns = useColumns(props);
  return (
    <ScrollBox label={t(`metrics.${metric}`)} className={classes.frame}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{t("chart.time")}</th>
            {columns.map(({ id, header }) => (
              <th key={id} scope="col" data-align="right">
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {dashboard.edges.slice(0, -1).map((from, interval) => (
            <tr key={from}>
              <th scope="row">{partText(from, dashboard.edges[interval + 1] ?? from)}</th>
              {columns.map(({ id, text, more }) => (
                <td key={id} data-align="right">
                  {text(interval)}
                  {more(interval) !== "" && <small className={classes.more}> {more(interval)}</small>}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}
