import { Button } from "@mantine/core";
import { DASHBOARD_METRICS } from "@one-api/contract/usage/dashboard";
import { IconRefresh } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type ComponentProps, useState } from "react";
import { Card } from "../../components/boxes/card.tsx";
import { useChartCursor } from "../../components/charts/chart-cursor.ts";
import { ListError } from "../../components/data-table/list-error.tsx";
import { LoadingPlaceholder } from "../../components/loading-placeholder.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { formatInteger } from "../../lib/format.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { lazyPart } from "../../lib/loading/later-part.ts";
import { useIsIdle } from "../../lib/loading/when-idle.ts";
import { useIsAdmin } from "../../lib/state/session.ts";
import { useDelayed } from "../../lib/use-delayed.ts";
import { useFormatQuota } from "../../lib/use-format-quota.ts";
import { LogStoreNotice } from "../logs/store/log-store-notice.tsx";
import { ViewsButton } from "../views/views-button.tsx";
import { ChartCard } from "./chart/chart-card.tsx";
import { MarkLines } from "./chart/chart-marks.tsx";
import { DASHBOARD_KEY, useDashboard } from "./dashboard-queries.ts";
import { type LogFilter, logFilterOf, type Opening, openingOf } from "./breakdown/dashboard-scope.ts";
import {
  type DashboardKey,
  type DashboardSearch,
  keysFor,
  ownDashboardSearch,
  readDashboardSearch,
} from "./dashboard-search.ts";
import { RangePicker } from "./range-picker.tsx";
import { ScopeChips, useUsername } from "./breakdown/scope-chips.tsx";
import { TroublesCard } from "./troubles.tsx";
import { UsageBreakdown } from "./breakdown/usage-breakdown.tsx";
import { UsageTiles } from "./usage-tiles.tsx";
import classes from "./dashboard-page.module.css";

const AliasComparison = lazyPart(() => import("./alias/alias-comparison.tsx"));
const UsageWall = lazyPart(() => import("./wall/usage-wall.tsx"));

type Usage = NonNullable<ReturnType<typeof useDashboard>["data"]>;

/** The focus after a step, as the pressed button is gone: on the chip of an opened row, or on the button of the key that is back. */
interface StepFocus {
  readonly opened?: DashboardKey;
  readonly left?: DashboardKey;
}

const metricsFor = (isAdmin: boolean) => DASHBOARD_METRICS.filter((metric) => isAdmin || metric !== "margin");

interface ViewProps {
  dashboard: Usage;
  search: DashboardSearch;
  isAdmin: boolean;
  logFilter: LogFilter;
  change(changes: DashboardSearch): void;
  open(opening: Opening): void;
}

function BreakdownCard({ dashboard, search, isAdmin, logFilter, open }: Omit<ViewProps, "change">) {
  const { t } = useTranslation("dashboard");
  const { metric = "spend" } = search;
  const { by } = keysFor(search, isAdmin);
  return (
    <Card title={t("breakdown.title", { metric: t(`metrics.${metric}`) })}>
      <UsageBreakdown
        dashboard={dashboard}
        by={by}
        metric={metric}
        metrics={metricsFor(isAdmin)}
        logFilter={logFilter}
        openingOf={(row) => openingOf(row, by, search, isAdmin)}
        onOpen={open}
      />
    </Card>
  );
}

/** Missing from the numbers: unknown costs, and entries while the log store is being rebuilt. */
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

/** Changes the address, and with it the page. The browser's Back button undoes a zoom, opening a row and leaving it. */
function useSteps() {
  const navigate = useNavigate();
  const [focus, setFocus] = useState<StepFocus>({});
  const go = (changes: DashboardSearch, replace: boolean) => {
    const patch: Record<string, unknown> = { ...changes };
    void navigate({ to: ".", search: (before) => ({ ...before, ...patch }), replace, resetScroll: false });
  };
  return {
    focus,
    change: (changes: DashboardSearch) => go(changes, true),
    zoom: (start: number, end: number) => go({ range: undefined, step: undefined, start, end }, false),
    open: ({ key, search }: Opening) => {
      setFocus({ opened: key });
      go(search, false);
    },
    leave: (key: DashboardKey, changes: DashboardSearch) => {
      setFocus({ left: key });
      go(changes, false);
    },
  };
}

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
  return <PageHeader title={t("title")} description={description} secondaryActions={actions} isDense />;
}

/** The charts below the first one. On a first visit they and their requests wait for it. */
function LowerCharts(props: Omit<ComponentProps<typeof UsageWall>, "marks">) {
  return useIsIdle() && <UsageWall {...props} marks={<MarkLines edges={props.dashboard.edges} />} />;
}

export default function DashboardPage() {
  const isAdmin = useIsAdmin();
  const search = ownDashboardSearch(useSearch({ strict: false }), isAdmin);
  const { metric = "spend" } = search;
  const { data, error, isPending, isFetching, isPlaceholderData, refetch } = useDashboard(search);
  const username = useUsername(search.user);
  const showLoading = useDelayed(isPending);
  const { focus, change, zoom, open, leave } = useSteps();
  const cursor = useChartCursor();
  // Rows of the last address are no rows of this one.
  const openRow = (opening: Opening) => (isPlaceholderData ? undefined : open(opening));
  const view = { search, isAdmin, change, open: openRow, logFilter: logFilterOf(search, username) };
  const chart = { cursor, onZoom: zoom };
  return (
    <>
      <Header isAdmin={isAdmin} isRefreshing={isFetching && !isPending} />
      <LogStoreNotice />
      <div className={classes.top}>
        {isAdmin && <TroublesCard />}
        <div className={classes.bar}>
          <RangePicker search={search} onChange={change} />
          <ScopeChips scope={search} username={username} opened={focus.opened} onLeave={leave} />
        </div>
      </div>
      <UsageTiles
        dashboard={data}
        scope={search}
        isPending={isPending}
        metrics={metricsFor(isAdmin)}
        chosen={metric}
        onChoose={(name) => change({ metric: name === "spend" ? undefined : name })}
      />
      {data === undefined && error !== null && <ListError error={error} onRetry={() => void refetch()} />}
      {isPending && <div className={classes.waiting}>{showLoading && <LoadingPlaceholder />}</div>}
      {data !== undefined && (
        <div className={classes.boxes} data-stale={isPlaceholderData}>
          <Notes dashboard={data} />
          {search.alias !== undefined && (
            <AliasComparison search={search} edges={data.edges} logFilter={view.logFilter} />
          )}
          <ChartCard dashboard={data} {...view} {...chart} metrics={metricsFor(isAdmin)} focused={focus.left} />
          <LowerCharts dashboard={data} username={username} {...view} {...chart}>
            <BreakdownCard dashboard={data} {...view} />
          </LowerCharts>
        </div>
      )}
    </>
  );
}
