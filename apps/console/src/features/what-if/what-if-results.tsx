import { Alert } from "@mantine/core";
import type { ForeseenChange } from "@one-api/contract/usage/what-if";
import { IconAlertTriangle, IconInfoCircle } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Card } from "../../components/boxes/card.tsx";
import { PlainTable } from "../../components/data-table/plain-table.tsx";
import { formatInteger } from "../../lib/format.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { FiguresTable } from "./figures-table.tsx";
import { type Figure, FIGURES, type ForeseenTraffic, useShownFigure } from "./figures.ts";
import classes from "./what-if.module.css";

function LostModels({ models }: { models: ForeseenChange["models"] }) {
  const { t } = useTranslation("what-if", "common");
  const lost = models.filter(({ lost_in: groups }) => groups.length > 0);
  if (lost.length === 0) return null;
  const names = lost.map(({ model, lost_in: groups }) => t("lostIn", { model, groups: groups.join(", ") }));
  return (
    <Alert color="warning" icon={<IconAlertTriangle size={18} />} title={t("lost", { count: lost.length })}>
      {names.join(t("common:listSeparator"))}
    </Alert>
  );
}

function ModelTable({ models }: { models: ForeseenChange["models"] }) {
  const { t } = useTranslation("what-if");
  const shown = useShownFigure();
  const cell = (figure: Figure, row: ForeseenTraffic) => {
    const { was, would, tone } = shown(figure, row);
    if (was === would) return was;
    return (
      <span key={figure} data-tone={tone}>
        {t("fromTo", { from: was, to: would })}
      </span>
    );
  };
  const isChanged = (figure: Figure) =>
    models.some((row) => {
      const { was, would } = shown(figure, row);
      return was !== would;
    });
  // Figures that stay as they are would only push the others out of sight.
  const figures = FIGURES.filter((figure) => figure === "spend" || isChanged(figure));
  return (
    <PlainTable
      label={t("models")}
      columns={[{ label: t("model") }, ...figures.map((figure) => ({ label: t(`figures.${figure}`), isNumber: true }))]}
      rows={models.map((row) => ({
        key: row.model,
        cells: [row.model, ...figures.map((figure) => cell(figure, row))],
      }))}
    />
  );
}

function ChannelTable({ channels }: { channels: ForeseenChange["channels"] }) {
  const { t, language } = useTranslation("what-if");
  return (
    <PlainTable
      label={t("channelRequests")}
      columns={[{ label: t("channel") }, { label: t("now"), isNumber: true }, { label: t("then"), isNumber: true }]}
      rows={channels.map(({ id, name, before, after }) => ({
        key: id,
        cells: [name, formatInteger(before, language), formatInteger(after, language)],
      }))}
    />
  );
}

/** Requests that the estimate knows less of, one line each. */
function Doubts({ result: { after, unjudged } }: { result: ForeseenChange }) {
  const { t, language } = useTranslation("what-if");
  const doubts = [
    after.unknown > 0 && t("unknownCost", { requests: formatInteger(after.unknown, language) }),
    unjudged > 0 && t("unjudged", { requests: formatInteger(unjudged, language) }),
  ].filter((doubt) => doubt !== false);
  return doubts.map((doubt) => (
    <p key={doubt} className={classes.doubt}>
      <IconInfoCircle size={16} aria-hidden="true" />
      {doubt}
    </p>
  ));
}

interface WhatIfResultsProps {
  result: ForeseenChange;
  /** Length of the period. */
  days: number;
  isOutdated: boolean;
  /** Stands between the totals and the tables. */
  children: ReactNode;
}

export function WhatIfResults({ result, days, isOutdated, children }: WhatIfResultsProps) {
  const { t, language } = useTranslation("what-if");
  const { before, after, models, channels, users, affected } = result;
  return (
    <section className={classes.results} aria-label={t("result")} data-outdated={isOutdated}>
      <FiguresTable title={t("present", { count: days })} before={before} after={after} />
      <div className={classes.notes}>
        <p className={classes.note}>
          {t("basis", { requests: formatInteger(before.requests, language), count: users })}
        </p>
        <Doubts result={result} />
      </div>
      <LostModels models={models} />
      {children}
      {models.length > 0 && (
        <Card
          title={t("models")}
          description={affected > models.length ? t("more", { count: affected - models.length }) : undefined}
        >
          <ModelTable models={models} />
        </Card>
      )}
      {channels.length > 0 && (
        <Card title={t("channelRequests")}>
          <ChannelTable channels={channels} />
        </Card>
      )}
    </section>
  );
}
