import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useChartCursor } from "../../components/charts/chart-cursor.ts";
import { LoadProblem } from "../../components/load-problem.tsx";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { usageQuery } from "../dashboard/dashboard-queries.ts";
import { ErrorsChart } from "../dashboard/wall/errors-chart.tsx";
import { FirstTokenChart, RequestsChart } from "../dashboard/wall/usage-wall.tsx";
import { useIntervalTimes } from "../dashboard/wall/wall-queries.ts";
import type { TrafficRange } from "./page-queries.ts";
import classes from "./traffic-cards.module.css";

/** The traffic of a channel over time. A selected time opens in the dashboard. */
export default function TrafficCharts({ channelId, range }: { channelId: number; range: TrafficRange }) {
  const { t } = useTranslation("channel-page");
  const navigate = useNavigate();
  const cursor = useChartCursor();
  const scope = { channel: channelId };
  const { data: dashboard, error, refetch } = useQuery(usageQuery({ range, split: 0, ...scope }, true));
  const source = useIntervalTimes(scope, dashboard?.edges ?? []);
  if (dashboard === undefined) return error && <LoadProblem error={error} onRetry={() => void refetch()} />;
  const shared = {
    dashboard,
    scope,
    cursor,
    hidesTotal: true,
    onZoom: (start: number, end: number) => void navigate({ to: "/dashboard", search: { ...scope, start, end } }),
  };
  return (
    <section className={classes.plots} aria-label={t("charts")}>
      <RequestsChart {...shared} />
      <ErrorsChart {...shared} username={undefined} />
      <FirstTokenChart {...shared} source={source} />
    </section>
  );
}
