import type { ChannelTimes, ChannelTraffic } from "@one-api/contract/usage/channel-traffic";
import { useState } from "react";
import type { DataColumn } from "../../components/data-table/data-column.ts";
import { CardsView } from "../../components/data-table/cards-view.tsx";
import { EmptyState } from "../../components/data-table/empty-state.tsx";
import { TableView } from "../../components/data-table/table-view.tsx";
import { QuotaText } from "../../components/quota-text.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { TimeText } from "../../components/time-text.tsx";
import { formatInteger, formatSeconds } from "../../lib/format.ts";
import type { Translate } from "../../lib/i18n/text-keys.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import type { Sort } from "../../lib/list/list-search.ts";
import { useCardScreen } from "../../lib/browser/use-narrow-screen.ts";
import classes from "./models-table.module.css";

type ModelTraffic = ChannelTraffic["models"][number];

interface ModelsTableProps {
  models: readonly ModelTraffic[];
  /** Undefined while they load. */
  times: ChannelTimes | undefined;
}

const TONES = { "rate-limited": "warning", failing: "danger", refused: "danger" } as const;

function ModelState({ model: { served, rest, until } }: { model: ModelTraffic }) {
  const { t } = useTranslation("channel-page");
  if (!served) return <StatusBadge tone="neutral">{t("rest.notServed")}</StatusBadge>;
  if (rest === "") return <StatusBadge tone="good">{t("rest.awake")}</StatusBadge>;
  return (
    <span className={classes.state}>
      <StatusBadge tone={TONES[rest]}>{t(`rest.${rest}`)}</StatusBadge>
      <span className={classes.until}>
        {t("until")} <TimeText time={until} />
      </span>
    </span>
  );
}

function timeColumn(
  id: "latency" | "duration",
  t: Translate<"channel-page">,
  timeOf: (model: ModelTraffic) => number | null | undefined,
): DataColumn<ModelTraffic> {
  return {
    id,
    isSortable: true,
    header: t(`columns.${id}`),
    hint: t(`columns.${id}Hint`),
    align: "right",
    cell: (model) => {
      const ms = timeOf(model);
      return <span className="numbers">{ms === null || ms === undefined ? "–" : formatSeconds(ms)}</span>;
    },
  };
}

/** Latency of models from their newest streams, else as the server has measured it. Columns without any value are left out. */
function timeColumns(
  models: readonly ModelTraffic[],
  times: ChannelTimes | undefined,
  t: Translate<"channel-page">,
): DataColumn<ModelTraffic>[] {
  const timesOf = new Map(times?.models.map((one) => [one.model, one]));
  const firstByteOf = ({ model, latency_ms: seen }: ModelTraffic) => timesOf.get(model)?.first_byte_p50_ms ?? seen;
  // Until the times are there, their columns stand where there will be some, so that nothing moves when they come.
  const isLikely = times === undefined && models.some(({ requests, errors }) => requests > errors);
  return [
    ...(isLikely || models.some((model) => firstByteOf(model) !== null) ? [timeColumn("latency", t, firstByteOf)] : []),
    ...(isLikely || models.some(({ model }) => timesOf.has(model))
      ? [timeColumn("duration", t, ({ model }) => timesOf.get(model)?.duration_p50_ms)]
      : []),
  ];
}

function modelColumns(
  { models, times }: ModelsTableProps,
  t: Translate<"channel-page">,
  language: string,
): DataColumn<ModelTraffic>[] {
  return [
    {
      id: "model",
      header: t("columns.model"),
      card: "title",
      cell: ({ model }) => <span className={classes.model}>{model || "–"}</span>,
    },
    { id: "state", header: t("columns.state"), card: "plain", cell: (model) => <ModelState model={model} /> },
    {
      id: "requests",
      header: t("requests"),
      isSortable: true,
      align: "right",
      cell: ({ requests }) => <span className="numbers">{formatInteger(requests, language)}</span>,
    },
    {
      id: "errors",
      header: t("errors"),
      isSortable: true,
      align: "right",
      cell: ({ errors }) => (
        <span className={`numbers ${classes.errors ?? ""}`} data-bad={errors > 0}>
          {formatInteger(errors, language)}
        </span>
      ),
    },
    ...timeColumns(models, times, t),
    {
      id: "spend",
      header: t("spend"),
      align: "right",
      isSortable: true,
      cell: ({ quota, requests }) => (quota === 0 && requests === 0 ? "–" : <QuotaText quota={quota} />),
    },
  ];
}

/** The busiest models first, until another column is chosen. Unknown times come last. */
function useSortedModels({ models, times }: ModelsTableProps) {
  const [sort, setSort] = useState<Sort>({ columnId: "requests", descending: true });
  const { columnId, descending } = sort;
  const timesOf = new Map(times?.models.map((one) => [one.model, one]));
  const valueOf = (row: ModelTraffic): number | null => {
    if (columnId === "spend") return row.quota;
    if (columnId === "latency") return timesOf.get(row.model)?.first_byte_p50_ms ?? row.latency_ms;
    if (columnId === "duration") return timesOf.get(row.model)?.duration_p50_ms ?? null;
    return columnId === "errors" ? row.errors : row.requests;
  };
  const place = (row: ModelTraffic) => valueOf(row) ?? (descending ? -1 : Number.POSITIVE_INFINITY);
  const rows = models.toSorted((one, other) => (descending ? place(other) - place(one) : place(one) - place(other)));
  const onSort = (id: string) => setSort({ columnId: id, descending: id !== columnId || !descending });
  return { rows, sort, onSort };
}

export function ModelsTable({ models, times }: ModelsTableProps) {
  const { t, language } = useTranslation("channel-page");
  const sorted = useSortedModels({ models, times });
  const View = useCardScreen() ? CardsView : TableView;
  if (models.length === 0) return <EmptyState title={t("noModels")} />;
  return (
    <View
      // The card around it has the other name already.
      label={t("modelsTable")}
      {...sorted}
      columns={modelColumns({ models, times }, t, language)}
      rowKey={({ model }) => model}
      rowName={({ model }) => model}
    />
  );
}
