import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Card } from "../../../components/boxes/card.tsx";
import { EmptyState } from "../../../components/data-table/empty-state.tsx";
import { ListError } from "../../../components/data-table/list-error.tsx";
import { TextLink } from "../../../components/text-link.tsx";
import { formatInteger, formatPercent, formatSeconds } from "../../../lib/format.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { useFormatQuota } from "../../../lib/use-format-quota.ts";
import type { LogFilter } from "../breakdown/dashboard-scope.ts";
import classes from "../breakdown/usage-breakdown.module.css";
import { aliasQuery } from "../dashboard-queries.ts";
import type { DashboardSearch } from "../dashboard-search.ts";
import { Difference } from "../usage-difference.tsx";
import { type AliasFigures, type ComparedModel, figuresOf, LEAST_REQUESTS, smallSamples } from "./alias-figures.ts";

interface AliasComparisonProps {
  search: DashboardSearch;
  /** Start of each interval of the page, and the end of the last one, in Unix seconds. */
  edges: readonly number[];
  logFilter: LogFilter;
}

interface Row {
  readonly of: ComparedModel;
  readonly figures: AliasFigures;
}

interface Column {
  readonly id: string;
  readonly header: string;
  text(row: Row): string;
  more(row: Row): string;
  /** Value that is compared with the first model; absent for none. */
  readonly compared?: (figures: AliasFigures) => number | null;
  /** A rate is compared in percentage points. */
  readonly isRate?: boolean;
  readonly toneOfMore?: "worse";
}

const nothing = () => "";

function orDash(value: number | null, text: (known: number) => string): string {
  return value === null ? "–" : text(value);
}

function useServiceColumns(): readonly Column[] {
  const { t, language } = useTranslation("dashboard");
  const percent = (part: number, digits: number) => formatPercent(part, language, digits);
  return [
    {
      id: "requests",
      header: t("metrics.requests"),
      text: ({ of }) => formatInteger(of.usage.requests, language),
      more: ({ of: { weight }, figures: { share } }) => {
        const parts = [
          share !== null && t("alias.share", { share: percent(share, 1) }),
          weight !== null && t("alias.set", { share: percent(weight, 1) }),
        ];
        return parts.filter((part) => part !== false).join(", ");
      },
    },
    {
      id: "errors",
      header: t("alias.errors"),
      text: ({ figures }) => orDash(figures.errors, (rate) => percent(rate, 2)),
      more: ({ of: { failed_over: count } }) =>
        count === 0 ? "" : t("alias.failedOver", { count, number: formatInteger(count, language) }),
      compared: ({ errors }) => errors,
      isRate: true,
      toneOfMore: "worse",
    },
    {
      id: "first_byte",
      header: t("metrics.first_byte"),
      text: ({ figures }) => orDash(figures.firstTokenMs, formatSeconds),
      more: ({ of }) => {
        const { first_byte_p95_ms: p95 } = of.usage;
        return p95 === null ? "" : t("breakdown.p95", { time: formatSeconds(p95) });
      },
      compared: ({ firstTokenMs }) => firstTokenMs,
      toneOfMore: "worse",
    },
  ];
}

function useAmountColumns(): readonly Column[] {
  const { t, language } = useTranslation("dashboard");
  const quota = useFormatQuota();
  return [
    {
      id: "tokens_each",
      header: t("alias.tokens"),
      text: ({ figures }) => orDash(figures.tokens, (tokens) => formatInteger(Math.round(tokens), language)),
      more: nothing,
      compared: ({ tokens }) => tokens,
    },
    {
      id: "cost",
      header: t("alias.cost"),
      text: ({ figures }) => orDash(figures.cost, quota),
      more: nothing,
      compared: ({ cost }) => cost,
      toneOfMore: "worse",
    },
    {
      id: "spend",
      header: t("alias.spend"),
      text: ({ of }) => quota(of.usage.quota),
      more: ({ figures: { spend } }) => (spend === null ? "" : t("alias.perRequest", { amount: quota(spend) })),
      compared: ({ spend }) => spend,
    },
  ];
}

interface CellProps {
  column: Column;
  row: Row;
  first: Row | undefined;
}

function Cell({ column, row, first }: CellProps) {
  const { t } = useTranslation("dashboard");
  const { compared, isRate = false, toneOfMore } = column;
  const [now, base] = [compared?.(row.figures) ?? null, first && (compared?.(first.figures) ?? null)];
  const more = column.more(row);
  return (
    <td data-column={column.id} data-align="right">
      <span className={classes.label}>{column.header}</span>
      {column.text(row)}
      {more !== "" && <small className={classes.compared}> {more}</small>}
      {first !== undefined && now !== null && base !== null && base !== undefined && (
        <small className={classes.compared}>
          <Difference
            {...{ now, base, isRate, toneOfMore }}
            was={t("alias.was", { model: first.of.model, value: column.text(first) })}
            same={t("alias.same")}
            inWords={(isMore, amount) => t(isMore ? "alias.more" : "alias.less", { amount, model: first.of.model })}
          />
        </small>
      )}
    </td>
  );
}

function Table({ rows, filter }: { rows: readonly Row[]; filter: LogFilter }) {
  const { t } = useTranslation("dashboard");
  const columns = [...useServiceColumns(), ...useAmountColumns()];
  const [first] = rows;
  return (
    <table className={classes.table} data-look="compared">
      <thead>
        <tr>
          <th scope="col">{t("alias.model")}</th>
          {columns.map(({ id, header }) => (
            <th key={id} scope="col" data-align="right">
              {header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.of.model}>
            <th scope="row">
              <span className={classes.name}>
                <TextLink to="/log" search={{ ...filter, model_name: [row.of.model] }} title={t("breakdown.logs")}>
                  {row.of.model}
                </TextLink>
                {!row.of.is_listed && <span className={classes.quiet}>{t("alias.former")}</span>}
              </span>
            </th>
            {columns.map((column) => (
              <Cell key={column.id} column={column} row={row} first={row === first ? undefined : first} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Content({ search, edges, logFilter }: AliasComparisonProps): ReactNode {
  const { t, language } = useTranslation("dashboard");
  const { data, error, refetch } = useQuery(aliasQuery(search, edges));
  if (data === undefined) return error === null ? null : <ListError error={error} onRetry={() => void refetch()} />;
  const { models } = data;
  const requests = models.reduce((sum, { usage }) => sum + usage.requests, 0);
  if (requests === 0) return <EmptyState title={t("alias.none")} text={t("empty.text")} />;
  const rows = models.map((of) => ({ of, figures: figuresOf(of, requests) }));
  const small = smallSamples(models);
  const filter = { ...logFilter, start_timestamp: edges[0] ?? 0, end_timestamp: (edges.at(-1) ?? 1) - 1 };
  return (
    <>
      <Table rows={rows} filter={filter} />
      {small.length > 0 && (
        <p className={classes.rest}>
          {t("alias.small", {
            count: small.length,
            models: new Intl.ListFormat(language).format(small),
            number: formatInteger(LEAST_REQUESTS, language),
          })}
        </p>
      )}
    </>
  );
}

export default function AliasComparison(props: AliasComparisonProps) {
  const { t } = useTranslation("dashboard");
  return (
    <Card title={t("alias.title", { alias: props.search.alias ?? "" })} description={t("alias.description")}>
      <Content {...props} />
    </Card>
  );
}
