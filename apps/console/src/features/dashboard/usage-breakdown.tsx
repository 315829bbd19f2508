import type { Dashboard, DashboardRow } from "@one-api/contract/usage/dashboard";
import { EmptyState } from "../../components/data-table/empty-state.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { formatInteger } from "../../lib/format.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import type { DashboardKey, DashboardMetric, DashboardSearch } from "./dashboard-search.ts";
import { metricOf, useMetricText } from "./usage-metrics.ts";
import classes from "./usage-breakdown.module.css";

export type LogFilter = Readonly<Record<string, string | number>>;

/** Whose usage is shown alone. */
type Scope = Pick<DashboardSearch, "user" | "token">;

interface UsageBreakdownProps {
  dashboard: Dashboard;
  by: DashboardKey;
  metric: DashboardMetric;
  metrics: readonly DashboardMetric[];
  logFilter: LogFilter;
  /** Shows one user or token alone. */
  onOnly(scope: Scope): void;
}

/** What leaves the rows of the log behind a row; undefined where nothing does. */
function filterOf(by: DashboardKey, { key, name, owner }: DashboardRow): LogFilter | undefined {
  if (name === "") return undefined;
  if (by === "model") return { model_name: name };
  if (by === "token") return { token_name: name, ...(owner === "" ? {} : { username: owner }) };
  return by === "channel" ? { channel: Number(key) } : { username: name };
}

/** The user or the token that a row is about; undefined for other rows, and where it is gone. */
function scopeOf(by: DashboardKey, { key, name, owner }: DashboardRow): Scope | undefined {
  if (name === "") return undefined;
  if (by === "user") return { user: Number(key) };
  if (by !== "token") return undefined;
  return owner === "" ? { token: name } : { user: Number(key.split("/", 1)[0]), token: name };
}

/** What is gone or was none is called by its number, or by what it is. */
export function useRowName(by: DashboardKey): (row: DashboardRow) => string {
  const { t } = useTranslation("dashboard");
  return ({ key, name }) => {
    if (name !== "") return name;
    if (by === "channel") return key === "0" ? t("breakdown.noChannel") : t("breakdown.goneChannel", { id: key });
    return by === "user" ? t("breakdown.goneUser", { id: key }) : t("breakdown.unnamed");
  };
}

interface RowProps extends Omit<UsageBreakdownProps, "dashboard"> {
  row: DashboardRow;
  /** What the longest bar stands for. */
  most: number;
}

/** A name with its bar, and every number. */
function BreakdownRow({ row, most, by, metric, metrics, logFilter, onOnly }: RowProps) {
  const { t } = useTranslation("dashboard");
  const text = useMetricText();
  const name = useRowName(by)(row);
  const filter = filterOf(by, row);
  const scope = scopeOf(by, row);
  const value = metricOf(metric, row) ?? 0;
  return (
    <tr>
      <th scope="row">
        <span className={classes.name}>
          {filter === undefined ? (
            <span className={classes.quiet}>{name}</span>
          ) : (
            <TextLink to="/log" search={{ ...logFilter, ...filter }} title={t("breakdown.logs")}>
              {name}
            </TextLink>
          )}
          {row.owner !== "" && <span className={classes.quiet}>{row.owner}</span>}
          {scope !== undefined && (
            <button type="button" className={classes.only} onClick={() => onOnly(scope)}>
              {t(by === "user" ? "breakdown.only" : "breakdown.onlyToken")}
            </button>
          )}
        </span>
        <span className={classes.track} aria-hidden="true">
          <span
            className={classes.fill}
            data-below={value < 0}
            style={{ width: `${most === 0 ? 0 : (100 * Math.abs(value)) / most}%` }}
          />
        </span>
      </th>
      {metrics.map((column) => (
        <td key={column} data-align="right" data-chosen={column === metric}>
          <span className={classes.label}>{t(`metrics.${column}`)}</span>
          {text(column, metricOf(column, row))}
        </td>
      ))}
    </tr>
  );
}

/** What was used by model, token, channel or user: bars with their numbers, each of which leads to the rows of the log behind it. */
export function UsageBreakdown({ dashboard: { rows, rest, edges }, logFilter, ...shown }: UsageBreakdownProps) {
  const { t, language } = useTranslation("dashboard");
  const text = useMetricText();
  const { by, metric, metrics } = shown;
  if (rows.length === 0) return <EmptyState title={t("empty.title")} text={t("empty.text")} />;
  const most = Math.max(...rows.map((row) => Math.abs(metricOf(metric, row) ?? 0)));
  const filter = { ...logFilter, start_timestamp: edges[0] ?? 0, end_timestamp: (edges.at(-1) ?? 1) - 1 };
  return (
    <>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{t(`by.${by}`)}</th>
            {metrics.map((column) => (
              <th key={column} scope="col" data-align="right">
                {t(`metrics.${column}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <BreakdownRow key={row.key} row={row} most={most} logFilter={filter} {...shown} />
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
