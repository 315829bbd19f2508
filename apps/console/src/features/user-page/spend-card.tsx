import type { Dashboard } from "@one-api/contract/usage/dashboard";
import type { ManagedUser } from "@one-api/contract/accounts/user-management";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { Card } from "../../components/boxes/card.tsx";
import { ChoiceButtons } from "../../components/boxes/choice-buttons.tsx";
import { NoLines } from "../../components/boxes/line-list.tsx";
import { useChartCursor } from "../../components/charts/chart-cursor.ts";
import { ListError } from "../../components/data-table/list-error.tsx";
import { LoadingPlaceholder } from "../../components/loading-placeholder.tsx";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { usageQuery } from "../dashboard/dashboard-queries.ts";
import { UsageChart } from "../dashboard/chart/usage-chart.tsx";
import classes from "./user-page.module.css";

const RANGES = ["week", "month", "year"] as const;

const KEYS = ["model", "token"] as const;

type SpendKey = (typeof KEYS)[number];

interface SpendChartProps {
  usage: Dashboard;
  by: SpendKey;
  user: ManagedUser;
}

/** A selected time opens in the dashboard. */
function SpendChart({ usage, by, user: { id, username } }: SpendChartProps) {
  const cursor = useChartCursor();
  const navigate = useNavigate();
  return (
    <UsageChart
      dashboard={usage}
      metric="spend"
      by={by}
      logFilter={{ username: [username] }}
      isAdded={false}
      isCompared={false}
      cursor={cursor}
      onZoom={(start, end) => void navigate({ to: "/dashboard", search: { user: id, start, end } })}
      openingOf={() => undefined}
      onOpen={() => undefined}
    />
  );
}

/** All rows are of one owner, so none needs the name. */
function withoutOwner(usage: Dashboard): Dashboard {
  return { ...usage, rows: usage.rows.map((row) => ({ ...row, owner: "" })) };
}

export function SpendCard({ user }: { user: ManagedUser }) {
  const { t } = useTranslation("user-page", "dashboard");
  const [range, setRange] = useState<(typeof RANGES)[number]>("month");
  const [by, setBy] = useState<SpendKey>("model");
  const split = by === "model" ? {} : { by };
  const asked = usageQuery({ range, user: user.id, ...split }, true);
  const usage = useQuery({ ...asked, select: withoutOwner, placeholderData: keepPreviousData });
  const choices = (
    <div className={classes.choices}>
      <ChoiceButtons
        label={t("dashboard:range.title")}
        choices={RANGES.map((value) => ({ value, text: t(`dashboard:range.${value}`) }))}
        value={range}
        onChange={setRange}
      />
      <ChoiceButtons
        label={t("dashboard:by.title")}
        choices={KEYS.map((value) => ({ value, text: t(`dashboard:by.${value}`) }))}
        value={by}
        onChange={setBy}
      />
    </div>
  );
  return (
    <Card title={t("spend")} actions={choices}>
      {usage.data === undefined && usage.error === null && <LoadingPlaceholder prompt={t("spend")} />}
      {usage.data === undefined && usage.error !== null && (
        <ListError error={usage.error} onRetry={() => void usage.refetch()} />
      )}
      {usage.data !== undefined && <SpendChart usage={usage.data} by={by} user={user} />}
      {usage.data?.is_complete === false && <NoLines>{t("dashboard:notes.incomplete")}</NoLines>}
    </Card>
  );
}
