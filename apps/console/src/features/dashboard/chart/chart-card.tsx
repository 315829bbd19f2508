import { Button } from "@mantine/core";
import type { Dashboard } from "@one-api/contract/usage/dashboard";
import { useState } from "react";
import { Card } from "../../../components/boxes/card.tsx";
import type { ChartCursor } from "../../../components/charts/chart-cursor.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { type LogFilter, type Opening, openingOf } from "../breakdown/dashboard-scope.ts";
import { type DashboardMetric, type DashboardSearch, keysFor } from "../dashboard-search.ts";
import classes from "../dashboard-page.module.css";
import { ChartMenu } from "./chart-menu.tsx";
import { UsageChart } from "./usage-chart.tsx";
import { isSplittable } from "./usage-series.ts";
import { UsageTable } from "./usage-table.tsx";

interface ChartCardProps {
  dashboard: Dashboard;
  search: DashboardSearch;
  isAdmin: boolean;
  metrics: readonly DashboardMetric[];
  logFilter: LogFilter;
  cursor: ChartCursor;
  change(changes: DashboardSearch): void;
  onZoom(from: number, to: number): void;
  open(opening: Opening): void;
}

export function ChartCard({ dashboard, search, isAdmin, metrics, change, open, ...shown }: ChartCardProps) {
  const { t } = useTranslation("dashboard");
  const [asTable, setAsTable] = useState(false);
  const { metric = "spend", sum, split, compare } = search;
  const { by } = keysFor(search, isAdmin);
  const isSplit = isSplittable(metric) && split === undefined;
  const actions = (
    <div className={classes.choices}>
      {isSplittable(metric) && (
        <Button
          variant={isSplit ? "light" : "default"}
          size="compact-sm"
          aria-pressed={isSplit}
          onClick={() => change({ split: isSplit ? 0 : undefined })}
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
  return (
    <Card title={t("chart.title", { metric: t(`metrics.${metric}`) })} actions={actions}>
      {asTable ? (
        <UsageTable dashboard={dashboard} by={by} metric={metric} metrics={metrics} />
      ) : (
        <UsageChart
          dashboard={dashboard}
          by={by}
          metric={metric}
          isAdded={sum !== undefined && isSplittable(metric)}
          isCompared={compare === undefined}
          openingOf={(row) => openingOf(row, by, search, isAdmin)}
          onOpen={open}
          {...shown}
        />
      )}
    </Card>
  );
}
