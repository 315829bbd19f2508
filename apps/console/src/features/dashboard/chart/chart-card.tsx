import { Button } from "@mantine/core";
import type { Dashboard } from "@one-api/contract/usage/dashboard";
import { useMemo, useState } from "react";
import { Card } from "../../../components/boxes/card.tsx";
import type { ChartCursor } from "../../../components/charts/chart-cursor.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { type LogFilter, type Opening, openingOf } from "../breakdown/dashboard-scope.ts";
import { type DashboardKey, type DashboardMetric, type DashboardSearch, keysFor } from "../dashboard-search.ts";
import classes from "../dashboard-page.module.css";
import { AlertButton } from "../alerts/alert-button.tsx";
import { linesOf, useRulesOf } from "../alerts/rules-of-chart.ts";
import { ChartMenu } from "./chart-menu.tsx";
import { KeyChoice } from "./key-choice.tsx";
import { lazyPart } from "../../../lib/loading/later-part.ts";
import { UsageChart } from "./usage-chart.tsx";
import { isSplittable } from "./usage-series.ts";
import { UsageTable } from "./usage-table.tsx";

const ChartAlerts = lazyPart(() => import("../alerts/chart-alerts.tsx"), ["notifications"]);

interface ChartCardProps {
  dashboard: Dashboard;
  search: DashboardSearch;
  isAdmin: boolean;
  metrics: readonly DashboardMetric[];
  logFilter: LogFilter;
  cursor: ChartCursor;
  /** Key whose button gets the focus. */
  focused: DashboardKey | undefined;
  change(changes: DashboardSearch): void;
  onZoom(from: number, to: number): void;
  open(opening: Opening): void;
}

export function ChartCard({ dashboard, search, isAdmin, metrics, focused, change, open, ...shown }: ChartCardProps) {
  const { t } = useTranslation("dashboard");
  const [asTable, setAsTable] = useState(false);
  const { metric = "spend", sum, compare } = search;
  const { by } = keysFor(search, isAdmin);
  const isAdded = sum !== undefined && isSplittable(metric);
  const rules = useRulesOf(metric, search);
  const lines = useMemo(() => (isAdded ? [] : linesOf(rules, dashboard.edges)), [rules, isAdded, dashboard.edges]);
  const actions = (
    <div className={classes.tools}>
      <KeyChoice search={search} isAdmin={isAdmin} focused={focused} change={change} />
      <Button variant="default" size="compact-sm" onClick={() => setAsTable(!asTable)}>
        {t(asTable ? "chart.asChart" : "chart.asTable")}
      </Button>
      <AlertButton metric={metric} scope={search} />
      <ChartMenu edges={dashboard.edges} search={search} change={change} />
    </div>
  );
  return (
    <Card title={t("chart.title", { metric: t(`metrics.${metric}`) })} actions={actions}>
      {asTable ? (
        <UsageTable dashboard={dashboard} by={by} metric={metric} metrics={metrics} />
      ) : (
        <UsageChart
          dashboard={dashboard}
          by={by}
          metric={metric}
          isAdded={isAdded}
          lines={lines}
          isCompared={compare === undefined}
          openingOf={(row) => openingOf(row, by, search, isAdmin)}
          onOpen={open}
          {...shown}
        />
      )}
      {rules.length > 0 && <ChartAlerts rules={rules} />}
    </Card>
  );
}
