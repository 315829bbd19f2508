import { ActionIcon } from "@mantine/core";
import { IconArrowBackUp } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Card } from "../../components/boxes/card.tsx";
import { PlainTable } from "../../components/data-table/plain-table.tsx";
import { formatInteger, formatPrice } from "../../lib/format.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import type { Estimate } from "./estimates.ts";
import { type Figure, useShownFigure } from "./figures.ts";
import { isPriced, whatIfInput, type WhatIfValues } from "./what-if-model.ts";
import { allChannelsQuery } from "./what-if-queries.ts";
import classes from "./what-if.module.css";

/** Returns the formatter of a change in a few words. */
function useChangeText(): (values: WhatIfValues) => string {
  const { t } = useTranslation("what-if", "common");
  const known = useQuery(allChannelsQuery).data ?? [];
  const channelText = ({ channel, state }: WhatIfValues["channels"][number]) => {
    const name = known.find(({ id }) => String(id) === channel)?.name ?? channel;
    return state === "same" ? name : `${name} ${t(`states.${state}`)}`;
  };
  return ({ prices, channels, poolMode, ...values }) => {
    const { group_ratios = {}, aliases = {} } = whatIfInput({ prices, channels, poolMode, ...values });
    return [
      ...Object.entries(group_ratios).map(([group, ratio]) => `${group} × ${ratio}`),
      ...prices
        .filter(isPriced)
        .map(({ model, input, output }) => `${model} ${formatPrice(Number(input))} / ${formatPrice(Number(output))}`),
      ...Object.keys(aliases),
      ...channels.filter(({ channel }) => channel !== "").map(channelText),
      ...(poolMode === "same" ? [] : [t(`modes.${poolMode}`)]),
    ].join(t("common:listSeparator"));
  };
}

const COMPARED: readonly Figure[] = ["spend", "margin", "failed", "firstByte"];

interface ChangeNameProps {
  name: string;
  /** The change in a few words. */
  text: string;
  isShown: boolean;
  restoreLabel: string;
  onRestore(): void;
}

function ChangeName({ name, text, isShown, restoreLabel, onRestore }: ChangeNameProps) {
  return (
    <span className={classes.change}>
      <span aria-current={isShown}>{name}</span>
      <ActionIcon size="sm" variant="subtle" aria-label={restoreLabel} data-tip={restoreLabel} onClick={onRestore}>
        <IconArrowBackUp size={16} />
      </ActionIcon>
      <small>{text}</small>
    </span>
  );
}

interface EstimateListProps {
  estimates: readonly Estimate[];
  shown: Estimate;
  onRestore(estimate: Estimate): void;
}

/** The estimates of the visit side by side, each period with its present values first. */
export function EstimateList({ estimates, shown, onRestore }: EstimateListProps) {
  const { t, language } = useTranslation("what-if");
  const figureOf = useShownFigure();
  const changeText = useChangeText();
  const periods = [...new Set(estimates.map(({ values }) => values.days))];
  const named = (name: string, { days }: WhatIfValues) =>
    periods.length === 1 ? name : t("ofPeriod", { name, period: t("days", { count: Number(days) }) });
  const nowRow = ({ values, result }: Estimate) => ({
    key: `now-${values.days}`,
    cells: [named(t("now"), values), ...COMPARED.map((figure) => figureOf(figure, result).was), "–"],
  });
  const changeRow = (estimate: Estimate) => {
    const { number, values, result } = estimate;
    const figures = COMPARED.map((figure) => {
      const { would, tone } = figureOf(figure, result);
      return (
        <span key={figure} data-tone={tone}>
          {would}
        </span>
      );
    });
    const name = (
      <ChangeName
        name={named(t("change", { number }), values)}
        text={changeText(values)}
        isShown={estimate === shown}
        restoreLabel={t("restore", { number })}
        onRestore={() => onRestore(estimate)}
      />
    );
    return { key: number, cells: [name, ...figures, formatInteger(result.users, language)] };
  };
  const rows = periods.flatMap((days) => {
    const ofPeriod = estimates.filter(({ values }) => values.days === days);
    return [...ofPeriod.slice(-1).map(nowRow), ...ofPeriod.map(changeRow)];
  });
  return (
    <Card title={t("estimates")}>
      <PlainTable
        label={t("estimates")}
        columns={[
          { label: t("changeHead") },
          ...COMPARED.map((figure) => ({ label: t(`figures.${figure}`), isNumber: true })),
          { label: t("users"), isNumber: true },
        ]}
        rows={rows}
      />
    </Card>
  );
}
