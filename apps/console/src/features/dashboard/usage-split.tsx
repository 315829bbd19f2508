import type { Dashboard } from "@one-api/contract/usage/dashboard";
import { ScrollBox } from "../../components/boxes/scroll-box.tsx";
import { partText } from "../../components/charts/part-text.ts";
import { coloursOf, REST_COLOUR } from "../../lib/values/colour-of-name.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import type { DashboardKey, DashboardMetric } from "./dashboard-search.ts";
import { useRowName } from "./breakdown/usage-breakdown.tsx";
import { metricOf, useMetricText } from "./usage-metrics.ts";
import classes from "./usage-split.module.css";

/** Metrics whose parts add up to the whole. */
const SPLITTABLE: ReadonlySet<DashboardMetric> = new Set(["spend", "requests", "tokens"]);

/** Whether a metric can be told by what it is of in each part of the time. */
export const isSplittable = (metric: DashboardMetric) => SPLITTABLE.has(metric);

/** Usage of one row in each interval. */
export interface Series {
  readonly key: string;
  readonly name: string;
  readonly colour: string;
  /** One for each part. */
  readonly values: readonly number[];
  readonly total: number;
}

const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

/** The largest rows in parts of the time, and after them all others together; empty where the dashboard does not tell rows in parts. */
export function useSeries(dashboard: Dashboard, by: DashboardKey, metric: DashboardMetric): readonly Series[] {
  const { t } = useTranslation("dashboard");
  const nameOf = useRowName(by);
  const rows = dashboard.rows.filter(({ parts }) => parts !== undefined);
  if (rows.length === 0 || !isSplittable(metric)) return [];
  const colours = coloursOf(rows.map(({ key }) => key));
  const series = rows.map((row) => {
    const values = (row.parts ?? []).map((part) => metricOf(metric, part) ?? 0);
    const name = row.owner === "" ? nameOf(row) : `${nameOf(row)} · ${row.owner}`;
    return { key: row.key, name, colour: colours.get(row.key) ?? REST_COLOUR, values, total: sumOf(values) };
  });
  const others = dashboard.parts.map((part, index) =>
    series.reduce((left, { values }) => left - (values[index] ?? 0), metricOf(metric, part) ?? 0),
  );
  const name = t("split.others");
  const rest = { key: "/rest", name, colour: REST_COLOUR, values: others, total: sumOf(others) };
  return others.some((value) => value > 0) ? [...series, rest] : series;
}

interface SplitLegendProps {
  series: readonly Series[];
  metric: DashboardMetric;
  /** The part of the time that is looked at; undefined for all of it. */
  part: number | undefined;
}

export function SplitLegend({ series, metric, part }: SplitLegendProps) {
  const text = useMetricText();
  return (
    <ul className={classes.legend}>
      {series.map(({ key, name, colour, values, total }) => (
        <li key={key}>
          <span className={classes.swatch} style={{ background: colour }} aria-hidden="true" />
          <span className={classes.name} title={name}>
            {name}
          </span>
          <span className="numbers">{text(metric, part === undefined ? total : (values[part] ?? 0))}</span>
        </li>
      ))}
    </ul>
  );
}

interface SplitTableProps {
  dashboard: Dashboard;
  series: readonly Series[];
  metric: DashboardMetric;
  looks: { readonly frame: string | undefined; readonly table: string | undefined };
}

/** The same as a table: the parts of the time, and what each row used in them. */
export function SplitTable({ dashboard: { edges, parts }, series, metric, looks }: SplitTableProps) {
  const { t } = useTranslation("dashboard");
  const text = useMetricText();
  return (
    <ScrollBox label={t(`metrics.${metric}`)} className={looks.frame}>
      <table className={looks.table}>
        <thead>
          <tr>
            <th scope="col">{t("chart.time")}</th>
            {series.map(({ key, name }) => (
              <th key={key} scope="col" data-align="right">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {parts.map((_part, index) => {
            const [from = 0, to = 0] = [edges[index], edges[index + 1]];
            return (
              <tr key={from}>
                <th scope="row">{partText(from, to)}</th>
                {series.map(({ key, values }) => (
                  <td key={key} data-align="right">
                    {text(metric, values[index] ?? 0)}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </ScrollBox>
  );
}
