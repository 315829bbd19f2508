import { Alert } from "@mantine/core";
import type { ForeseenChange, WhatIfTraffic } from "@one-api/contract/usage/what-if";
import { IconAlertTriangle, IconArrowNarrowRight } from "@tabler/icons-react";
import { Card } from "../../components/boxes/card.tsx";
import { PlainTable } from "../../components/data-table/plain-table.tsx";
import { formatInteger, formatPercent, formatSeconds } from "../../lib/format.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { useFormatQuota } from "../../lib/use-format-quota.ts";
import classes from "./what-if.module.css";

type Figure = "spend" | "cost" | "margin" | "failed" | "firstByte";

const FIGURES: readonly Figure[] = ["spend", "cost", "margin", "failed", "firstByte"];

/** True if a larger value is good; of a spend it depends on who looks. */
const IS_MORE_BETTER: Readonly<Partial<Record<Figure, boolean>>> = {
  cost: false,
  margin: true,
  failed: false,
  firstByte: false,
};

function valueOf(figure: Figure, traffic: WhatIfTraffic): number | null {
  if (figure === "spend") return traffic.spend;
  if (figure === "cost") return traffic.cost;
  if (figure === "margin") return traffic.spend - traffic.cost;
  if (figure === "firstByte") return traffic.first_byte_ms;
  return traffic.requests === 0 ? null : traffic.errors / traffic.requests;
}

function toneOf(figure: Figure, before: number | null, after: number | null): "better" | "worse" | undefined {
  const isMoreBetter = IS_MORE_BETTER[figure];
  if (isMoreBetter === undefined || before === null || after === null || before === after) return undefined;
  return after > before === isMoreBetter ? "better" : "worse";
}

function useFigureText(): (figure: Figure, value: number | null) => string {
  const { language } = useTranslation();
  const money = useFormatQuota();
  return (figure, value) => {
    if (value === null) return "–";
    if (figure === "failed") return formatPercent(value, language, 1);
    return figure === "firstByte" ? formatSeconds(value) : money(value);
  };
}

function Tile({ figure, before, after }: { figure: Figure; before: WhatIfTraffic; after: WhatIfTraffic }) {
  const { t } = useTranslation("what-if");
  const text = useFigureText();
  const [was, would] = [valueOf(figure, before), valueOf(figure, after)];
  return (
    <div className={classes.tile}>
      <dt>{t(`figures.${figure}`)}</dt>
      <dd>
        <span className={classes.before}>{text(figure, was)}</span>
        <IconArrowNarrowRight size={16} role="img" aria-label={t("becomes")} />
        <strong data-tone={toneOf(figure, was, would)}>{text(figure, would)}</strong>
      </dd>
    </div>
  );
}

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
  const text = useFigureText();
  const cell = (figure: Figure, { before, after }: ForeseenChange["models"][number]) => {
    const [was, would] = [valueOf(figure, before), valueOf(figure, after)];
    if (text(figure, was) === text(figure, would)) return text(figure, was);
    return (
      <span key={figure} data-tone={toneOf(figure, was, would)}>
        {t("fromTo", { from: text(figure, was), to: text(figure, would) })}
      </span>
    );
  };
  return (
    <PlainTable
      label={t("models")}
      columns={[{ label: t("model") }, ...FIGURES.map((figure) => ({ label: t(`figures.${figure}`), isNumber: true }))]}
      rows={models.map((row) => ({
        key: row.model,
        cells: [row.model, ...FIGURES.map((figure) => cell(figure, row))],
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

export function WhatIfResults({ result, isOutdated }: { result: ForeseenChange; isOutdated: boolean }) {
  const { t, language } = useTranslation("what-if");
  const { before, after, models, channels, users, affected, unjudged } = result;
  return (
    <section className={classes.results} aria-label={t("result")} data-outdated={isOutdated}>
      {isOutdated && <p className={classes.note}>{t("outdated")}</p>}
      <dl className={classes.tiles}>
        {FIGURES.map((figure) => (
          <Tile key={figure} figure={figure} before={before} after={after} />
        ))}
      </dl>
      <p className={classes.note}>
        {t("basis", { requests: formatInteger(before.requests, language), count: users })}
        {after.unknown > 0 && ` ${t("unknownCost", { requests: formatInteger(after.unknown, language) })}`}
        {unjudged > 0 && ` ${t("unjudged", { requests: formatInteger(unjudged, language) })}`}
      </p>
      <LostModels models={models} />
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
