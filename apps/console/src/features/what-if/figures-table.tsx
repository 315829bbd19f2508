import { Card } from "../../components/boxes/card.tsx";
import { PlainTable } from "../../components/data-table/plain-table.tsx";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import type { WhatIfTraffic } from "@one-api/contract/usage/what-if";
import { FIGURES, useShownFigure } from "./figures.ts";

interface FiguresTableProps {
  title: string;
  note?: string;
  before: WhatIfTraffic | undefined;
  /** Undefined until a change is estimated. */
  after?: WhatIfTraffic;
}

/** Every figure as it was, and as the change would make it. */
export function FiguresTable({ title, note, before, after }: FiguresTableProps) {
  const { t } = useTranslation("what-if");
  const shown = useShownFigure();
  const rows = FIGURES.map((figure) => {
    const name = t(`figures.${figure}`);
    if (before === undefined) return { key: figure, cells: [name, "–", "–"] };
    const { was, would, tone } = shown(figure, { before, after: after ?? before });
    const estimate =
      was === would ? (
        would
      ) : (
        <strong key="would" data-tone={tone}>
          {would}
        </strong>
      );
    return { key: figure, cells: [name, was, after === undefined ? "–" : estimate] };
  });
  return (
    <Card title={title} description={note}>
      <PlainTable
        label={title}
        columns={[{ label: t("figure") }, { label: t("now"), isNumber: true }, { label: t("then"), isNumber: true }]}
        rows={rows}
      />
    </Card>
  );
}
