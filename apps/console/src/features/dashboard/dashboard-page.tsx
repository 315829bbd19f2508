import { Button } from "@mantine/core";
import { DASHBOARD_KEYS, DASHBOARD_METRICS } from "@one-api/contract/usage/dashboard";
import { IconRefresh, IconX } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { Card } from "../../components/boxes/card.tsx";
import { ListError } from "../../components/data-table/list-error.tsx";
import { LoadingPlaceholder } from "../../components/loading-placeholder.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { formatInteger } from "../../lib/format.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { useIsAdmin } from "../../lib/state/session.ts";
import { useDelayed } from "../../lib/use-delayed.ts";
import { useFormatQuota } from "../../lib/use-format-quota.ts";
import { LogStoreNotice } from "../logs/store/log-store-notice.tsx";
import { ViewsButton } from "../views/views-button.tsx";
import { userQuery } from "../users/user-queries.ts";
import { ChartMenu } from "./chart-menu.tsx";
import { DASHBOARD_KEY, useDashboard } from "./dashboard-queries.ts";
import { type DashboardSearch, readDashboardSearch } from "./dashboard-search.ts";
import { RangePicker } from "./range-picker.tsx";
import { TroublesCard } from "./troubles.tsx";
import { type LogFilter, UsageBreakdown } from "./usage-breakdown.tsx";
import { UsageChart, UsageTable } from "./usage-chart.tsx";
import { isSplittable, useSeries } from "./usage-split.tsx";
import { UsageTiles } from "./usage-tiles.tsx";
import classes from "./dashboard-page.module.css";

type Usage = NonNullable<ReturnType<typeof useDashboard>["data"]>;

const metricsFor = (isAdmin: boolean) => DASHBOARD_METRICS.filter((metric) => isAdmin || metric !== "margin");

/** What stands above the numbers: whose they are and of which time. */
function DashboardBar({ search, username, change }: Pick<ViewProps, "search" | "change"> & { username?: string }) {
  const { t } = useTranslation("dashboard");
  const { user, token } = search;
  const chip = (label: string, without: DashboardSearch) => (
    <Button size="compact-sm" variant="light" rightSection={<IconX size={14} />} onClick={() => change(without)}>
      {label}
    </Button>
  );
  return (
    <div className={classes.bar}>
      <RangePicker search={search} onChange={change} />
      {user !== undefined &&
        chip(t("onlyUser", { name: username ?? `#${user}` }), { user: undefined, token: undefined })}
      {token !== undefined && chip(t("onlyToken", { name: token }), { token: undefined })}
    </div>
  );
}

interface ViewProps {
  dashboard: Usage;
  search: DashboardSearch;
  isAdmin: boolean;
  /** Leaves the one user's rows of the log. */
  logFilter: LogFilter;
  change(changes: DashboardSearch): void;
}

/** What the details may be by, and what they are by. */
function keysFor({ by, user }: DashboardSearch, isAdmin: boolean) {
  const keys = DASHBOARD_KEYS.filter((key) => key === "model" || key === "token" || (isAdmin && user === undefined));
  return { keys, by: keys.find((key) => key === by) ?? "model" };
}

function ChartCard({ dashboard, search, isAdmin, logFilter, change }: ViewProps) {
  const { t } = useTranslation("dashboard");
  const [asTable, setAsTable] = useState(false);
  const { metric = "spend", split, sum } = search;
  const { by } = keysFor(search, isAdmin);
  const series = useSeries(dashboard, by, metric);
  const actions = (
    <div className={classes.choices}>
      {isSplittable(metric) && (
        <Button
          variant={split === undefined ? "default" : "light"}
          size="compact-sm"
          aria-pressed={split !== undefined}
          onClick={() => change({ split: split === undefined ? 1 : undefined })}
        >
          {t(`split.${by}`)}
        </Button>
      )}
      <Button variant="default" size="compact-sm" onClick={() => setAsTable(!asTable)}>
        {t(asTable ? "chart.asChart" : "chart.asTable")}
      </Button>
      <ChartMenu edges={dashboard.edges} search={search} change={change} />
    </div>
  );
  const shown = { dashboard, metric, series };
  return (
    <Card title={t("chart.title", { metric: t(`metrics.${metric}`) })} actions={actions}>
      {asTable ? (
        <UsageTable {...shown} metrics={metricsFor(isAdmin)} />
      ) : (
        <UsageChart {...shown} logFilter={logFilter} isAdded={sum !== undefined && isSplittable(metric)} />
      )}
    </Card>
  );
}

function BreakdownCard({ dashboard, search, isAdmin, logFilter, change }: ViewProps) {
  const { t } = useTranslation("dashboard");
  const { metric = "spend" } = search;
  const { keys, by } = keysFor(search, isAdmin);
  const choices = (
    <div className={classes.choices} role="group" aria-label={t("by.title")}>
      {keys.map((key) => (
        <Button
          key={key}
          size="compact-sm"
          variant={key === by ? "light" : "default"}
          aria-pressed={key === by}
          onClick={() => change({ by: key === "model" ? undefined : key })}
        >
          {t(`by.${key}`)}
        </Button>
      ))}
    </div>
  );
  return (
    <Card title={t("breakdown.title", { metric: t(`metrics.${metric}`) })} actions={choices}>
      <UsageBreakdown
        dashboard={dashboard}
        by={by}
        metric={metric}
        metrics={metricsFor(isAdmin)}
        logFilter={logFilter}
        onOnly={(scope) => change({ ...scope, by: undefined })}
      />
    </Card>
  );
}

/** What is not in the numbers: costs that nobody knows, and entries that are still being added up. */
function Notes({ dashboard }: { dashboard: Usage }) {
  const { t, language } = useTranslation("dashboard");
  const quota = useFormatQuota();
  const { unknown_cost_requests: requests = 0, unknown_cost_quota: charged = 0 } = dashboard.total;
  return (
    <>
      {requests > 0 && (
        <p className={classes.note}>
          {t("notes.unknown", { count: requests, number: formatInteger(requests, language), amount: quota(charged) })}
        </p>
      )}
      {!dashboard.is_complete && <p className={classes.note}>{t("notes.incomplete")}</p>}
    </>
  );
}

/** What the address names, as far as the viewer may see it. */
function useOwnSearch(isAdmin: boolean): DashboardSearch {
  const search = readDashboardSearch(useSearch({ strict: false }));
  if (isAdmin) return search.user === undefined ? { ...search, token: undefined } : search;
  return { ...search, user: undefined, metric: search.metric === "margin" ? undefined : search.metric };
}

/** The page's name, the views of it that have one, and the refresh. */
function Header({ isAdmin, isRefreshing }: { isAdmin: boolean; isRefreshing: boolean }) {
  const { t } = useTranslation("dashboard", "common");
  const client = useQueryClient();
  const actions = (
    <>
      <ViewsButton page="dashboard" read={readDashboardSearch} />
      <Button
        variant="default"
        leftSection={<IconRefresh size={16} />}
        loading={isRefreshing}
        onClick={() => void client.invalidateQueries({ queryKey: DASHBOARD_KEY })}
      >
        {t("common:refresh")}
      </Button>
    </>
  );
  const description = t(isAdmin ? "description" : "ownDescription");
  return <PageHeader title={t("title")} description={description} secondaryActions={actions} />;
}

/** What things cost, who spent it, and what is broken. */
export default function DashboardPage() {
  const navigate = useNavigate();
  const isAdmin = useIsAdmin();
  const search = useOwnSearch(isAdmin);
  const { user, token, metric = "spend" } = search;
  const { data, error, isPending, isFetching, isPlaceholderData, refetch } = useDashboard(search);
  const username = useQuery({ ...userQuery(user ?? 0), enabled: user !== undefined }).data?.username;
  const showLoading = useDelayed(isPending);
  const change = (changes: DashboardSearch) => {
    const patch: Record<string, unknown> = { ...changes };
    void navigate({ to: ".", search: (before) => ({ ...before, ...patch }), replace: true, resetScroll: false });
  };
  const ofUser = username === undefined ? {} : { username };
  const logFilter: LogFilter = token === undefined ? ofUser : { ...ofUser, token_name: token };
  const view = { search, isAdmin, change, logFilter };
  return (
    <>
      <Header isAdmin={isAdmin} isRefreshing={isFetching && !isPending} />
      <LogStoreNotice />
      {isAdmin && <TroublesCard />}
      <DashboardBar search={search} change={change} {...ofUser} />
      <UsageTiles
        total={data?.total}
        isPending={isPending}
        before={data?.is_complete === true ? data.before : null}
        metrics={metricsFor(isAdmin)}
        chosen={metric}
        onChoose={(name) => change({ metric: name === "spend" ? undefined : name })}
      />
      {data === undefined && error !== null && <ListError error={error} onRetry={() => void refetch()} />}
      {isPending && <div className={classes.waiting}>{showLoading && <LoadingPlaceholder />}</div>}
      {data !== undefined && (
        <div className={classes.boxes} data-stale={isPlaceholderData}>
          <Notes dashboard={data} />
          <ChartCard dashboard={data} {...view} />
          <BreakdownCard dashboard={data} {...view} />
        </div>
      )}
    </>
  );
}
