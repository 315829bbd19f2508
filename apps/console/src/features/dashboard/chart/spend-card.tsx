import type { Dashboard } from "@one-api/contract/usage/dashboard";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { Card } from "../../../components/boxes/card.tsx";
import { ChoiceButtons } from "../../../components/boxes/choice-buttons.tsx";
import { NoLines } from "../../../components/boxes/line-list.tsx";
import { useChartCursor } from "../../../components/charts/chart-cursor.ts";
import { ListError } from "../../../components/data-table/list-error.tsx";
import { LoadingPlaceholder } from "../../../components/loading-placeholder.tsx";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { usageQuery } from "../dashboard-queries.ts";
import classes from "./spend-card.module.css";
import { UsageChart } from "./usage-chart.tsx";

const RANGES = ["week", "month", "year"] as const;

const KEYS = ["model", "token"] as const;

type SpendKey = (typeof KEYS)[number];

interface SpendCardProps {
  title: string;
  /** For administrators; undefined is the own account. */
  user?: { readonly id: number; readonly username: string };
}

interface SpendChartProps extends Pick<SpendCardProps, "user"> {
  usage: Dashboard;
  by: SpendKey;
}

/** A selected time opens in the dashboard. */
function SpendChart({ usage, by, user }: SpendChartProps) {
  const cursor = useChartCursor();
  const navigate = useNavigate();
  const scope = user === undefined ? {} : { user: user.id };
  return (
    <UsageChart
      dashboard={usage}
      metric="spend"
      by={by}
      logFilter={user === undefined ? {} : { username: [user.username] }}
      isAdded={false}
      isCompared={false}
      cursor={cursor}
      hasShortLegend
      onZoom={(start, end) => void navigate({ to: "/dashboard", search: { ...scope, start, end } })}
      openingOf={() => undefined}
      onOpen={() => undefined}
    />
  );
}

/** All rows are of one owner, so none needs the name. */
function withoutOwner(usage: Dashboard): Dashboard {
  return { ...usage, rows: usage.rows.map((row) => ({ ...row, owner: "" })) };
}

/** Spend of one account over time, by model or token. */
export function SpendCard({ title, user }: SpendCardProps) {
  const { t } = useTranslation("dashboard");
  const [range, setRange] = useState<(typeof RANGES)[number]>("month");
  const [by, setBy] = useState<SpendKey>("model");
  const split = by === "model" ? {} : { by };
  const isOthers = user !== undefined;
  const asked = usageQuery({ range, ...(isOthers && { user: user.id }), ...split }, isOthers);
  const usage = useQuery({ ...asked, select: withoutOwner, placeholderData: keepPreviousData });
  const choices = (
    <div className={classes.choices}>
      <ChoiceButtons
        label={t("range.title")}
        choices={RANGES.map((value) => ({ value, text: t(`range.${value}`) }))}
        value={range}
        onChange={setRange}
      />
      <ChoiceButtons
        label={t("by.title")}
        choices={KEYS.map((value) => ({ value, text: t(`by.${value}`) }))}
        value={by}
        onChange={setBy}
      />
    </div>
  );
  return (
    <Card title={title} actions={choices}>
      {usage.data === undefined && usage.error === null && <LoadingPlaceholder prompt={title} />}
      {usage.data === undefined && usage.error !== null && (
        <ListError error={usage.error} onRetry={() => void usage.refetch()} />
      )}
      {usage.data !== undefined && <SpendChart usage={usage.data} by={by} {...(isOthers && { user })} />}
      {usage.data?.is_complete === false && <NoLines>{t("notes.incomplete")}</NoLines>}
    </Card>
  );
}
