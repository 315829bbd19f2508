import type { Dashboard, DashboardRow } from "@one-api/contract/usage/dashboard";
import { EmptyState } from "../../../components/data-table/empty-state.tsx";
import { TextLink } from "../../../components/text-link.tsx";
import { formatInteger } from "../../../lib/format.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import type { LogFilter, Opening } from "./dashboard-scope.ts";
import type { DashboardKey, DashboardMetric } from "../dashboard-search.ts";
import { type UsageColumn, useUsageColumns } from "../usage-columns.tsx";
import { metricOf, useMetricText } from "../usage-metrics.ts";
import classes from "./usage-breakdown.module.css";

interface UsageBreakdownProps {
  dashboard: Dashboard;
  by: DashboardKey;
  metric: DashboardMetric;
  metrics: readonly DashboardMetric[];
  logFilter: LogFilter;
  openingOf(row: DashboardRow): Opening | undefined;
  onOpen(opening: Opening): void;
}

function filterOf(by: DashboardKey, { key, name, owner }: DashboardRow): LogFilter | undefined {
  if (name === "") return undefined;
  if (by === "model") return { model_name: [name] };
  if (by === "alias") return { alias: [name] };
  if (by === "token") return { token_name: [name], ...(owner === "" ? {} : { username: [owner] }) };
  return by === "channel" ? { channel: [Number(key)] } : { username: [name] };
}

/** Returns the name of a row. Deleted users and channels are named by their number. */
export function useRowName(by: DashboardKey): (row: DashboardRow) => string {
  const { t } = useTranslation("dashboard");
  return ({ key, name }) => {
    if (name !== "") return name;
    if (by === "channel") return key === "0" ? t("breakdown.noChannel") : t("breakdown.goneChannel", { id: key });
    if (by === "alias") return t("breakdown.noAlias");
    return by === "user" ? t("breakdown.goneUser", { id: key }) : t("breakdown.unnamed");
  };
}

interface RowProps extends Pick<UsageBreakdownProps, "by" | "metric" | "logFilter" | "openingOf" | "onOpen"> {
  row: DashboardRow;
  columns: readonly UsageColumn[];
  most: number;
}

function RowName({ row, by, logFilter, openingOf, onOpen }: Omit<RowProps, "columns" | "most" | "metric">) {
  const { t } = useTranslation("dashboard");
  const name = useRowName(by)(row);
  const filter = filterOf(by, row);
  const opening = openingOf(row);
  return (
    <span className={classes.name}>
      {filter === undefined ? (
        <span className={classes.quiet}>{name}</span>
      ) : (
        <TextLink to="/log" search={{ ...logFilter, ...filter }} title={t("breakdown.logs")}>
          {name}
        </TextLink>
      )}
      {row.owner !== "" && <span className={classes.quiet}>{row.owner}</span>}
      {opening !== undefined && (
        <button
          type="button"
          className={classes.open}
          aria-label={`${t(`breakdown.open.${opening.next}`)} ${name}`}
          onClick={() => onOpen(opening)}
        >
          {t(`breakdown.open.${opening.next}`)}
        </button>
      )}
    </span>
  );
}

function BreakdownRow({ row, columns, most, metric, ...shown }: RowProps) {
  const value = metricOf(metric, row) ?? 0;
  return (
    <tr>
      <th scope="row">
        <RowName row={row} {...shown} />
        <span className={classes.track} aria-hidden="true">
          <span
            className={classes.fill}
            data-below={value < 0}
            style={{ width: `${most === 0 ? 0 : (100 * Math.abs(value)) / most}%` }}
          />
        </span>
      </th>
      {columns.map(({ id, header, text, more }) => (
        <td key={id} data-column={id} data-align="right" data-chosen={id === metric}>
          <span className={classes.label}>{header}</span>
          {text(row)}
          {more(row) !== "" && <small className={classes.more}> {more(row)}</small>}
        </td>
      ))}
    </tr>
  );
}

/** Usage by model, token, channel or user: a row each, which leads to its log entries and can be opened. */
export function UsageBreakdown({
  dashboard: { rows, rest, edges },
  metrics,
  logFilter,
  ...shown
}: UsageBreakdownProps) {
  const { t, language } = useTranslation("dashboard");
  const text = useMetricText();
  const columns = useUsageColumns(metrics);
  const { by, metric } = shown;
  if (rows.length === 0) return <EmptyState title={t("empty.title")} text={t("empty.text")} />;
  const most = Math.max(...rows.map((row) => Math.abs(metricOf(metric, row) ?? 0)));
  const filter = { ...logFilter, start_timestamp: edges[0] ?? 0, end_timestamp: (edges.at(-1) ?? 1) - 1 };
  return (
    <>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{t(`by.${by}`)}</th>
            {columns.map(({ id, header }) => (
              <th key={id} scope="col" data-column={id} data-align="right">
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <BreakdownRow key={row.key} row={row} columns={columns} most={most} logFilter={filter} {...shown} />
          ))}
        </tbody>
      </table>
      {rest !== null && (
        <p className={classes.rest}>
          {t("breakdown.rest", { count: rest.count, number: formatInteger(rest.count, language) })}{" "}
          <strong className="numbers">{text(metric, metricOf(metric, rest))}</strong>
        </p>
      )}
    </>
  );
}
