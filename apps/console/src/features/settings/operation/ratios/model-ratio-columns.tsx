import { OPTION_RATIOS, UNKNOWN_MODEL_RATIO } from "@one-api/contract/prices/ratios";
import type { ReactNode } from "react";
import type { DataColumn } from "../../../../components/data-table/data-column.ts";
import { ProviderLogo } from "../../../../components/logos/provider-name.tsx";
import { StatusBadge } from "../../../../components/status-badge.tsx";
import { formatPrice, roundToDigits } from "../../../../lib/format.ts";
import type { Translate } from "../../../../lib/i18n/text-keys.ts";
import { RatioCell } from "./ratio-cell.tsx";
import { usePricesText } from "../model-prices/use-price-text.ts";
import { dollarsOf, inForce, isDifferent, type ModelRow, ownPriceOf, ratioOf } from "./ratio-model.ts";
import classes from "./ratios.module.css";

/** Digits of a price that follows from ratios: $2.037037, not $2.03703703704. */
const MOST_DIGITS = 8;

interface ColumnParts {
  t: Translate<"settings">;
  quotaPerUnit: number;
  /** Undefined removes the own ratio, so the list's applies. */
  onModelRatio(model: string, ratio: number | undefined): void;
  onCompletionRatio(model: string, ratio: number | undefined): void;
}

/** Own prices in dollars, which win over the ratios of the row. */
function OwnPrices({ row: { prices } }: { row: ModelRow }) {
  const textOf = usePricesText();
  return <span className="numbers">{textOf(prices)}</span>;
}

/** Cells of ratios have no effect while an own price is in force. */
function unlessOwn(cell: (row: ModelRow) => ReactNode) {
  return function CellUnlessOwn(row: ModelRow) {
    return ownPriceOf(row) === undefined ? cell(row) : <span className={classes.none}>–</span>;
  };
}

function ListedPrice({ row, parts: { t, quotaPerUnit } }: { row: ModelRow; parts: ColumnParts }) {
  const { listedModelRatio, listedCompletionRatio = 1 } = row;
  if (listedModelRatio === undefined && row.modelRatio === undefined)
    return (
      <StatusBadge tone="warning" title={t("ratios.unpricedHint")}>
        {t("ratios.unpriced")}
      </StatusBadge>
    );
  if (listedModelRatio === undefined) return <span className={classes.none}>{t("ratios.notListed")}</span>;
  const listed = { input: listedModelRatio, output: listedModelRatio * listedCompletionRatio };
  const own = inForce(row, UNKNOWN_MODEL_RATIO);
  const { unit } = row;
  const money = (ratio: number) => formatPrice(dollarsOf(ratio, quotaPerUnit, unit));
  const percent = (part: "input" | "output") =>
    listed[part] === 0 ? undefined : Math.round((own[part] / listed[part] - 1) * 1_000) / 10;
  const differences = [percent("input"), percent("output")];
  const difference = differences.find((part) => part !== 0);
  return (
    <span className={classes.listed}>
      <span className="numbers">
        {unit === "token"
          ? `${money(listed.input)} / ${listed.output === 0 && listed.input > 0 ? "–" : money(listed.output)}`
          : `${money(listed.input)} ${t(`ratios.units.${unit}`)}`}
      </span>
      {isDifferent(row) && difference !== undefined && (
        <span className={classes.difference} data-is-dearer={difference > 0} title={t("ratios.differs")}>
          {`${difference > 0 ? "+" : "−"}${Math.abs(difference)} %`}
        </span>
      )}
    </span>
  );
}

function moneyCell(parts: ColumnParts, part: "input" | "output") {
  return function MoneyCell(row: ModelRow) {
    const { t, quotaPerUnit, onModelRatio, onCompletionRatio } = parts;
    const { input, output } = inForce(row, UNKNOWN_MODEL_RATIO);
    const isSet = part === "input" ? row.modelRatio !== undefined : row.modelRatio !== undefined || row.completionRatio !== undefined; // prettier-ignore
    const { unit } = row;
    const dollars = roundToDigits(dollarsOf(part === "input" ? input : output, quotaPerUnit, unit), MOST_DIGITS);
    const change = (typed: number | undefined) => {
      if (part === "input")
        onModelRatio(row.model, typed === undefined ? undefined : ratioOf(typed, quotaPerUnit, unit));
      else if (typed === undefined) onCompletionRatio(row.model, undefined);
      else onCompletionRatio(row.model, roundToDigits(ratioOf(typed, quotaPerUnit) / input, 12));
    };
    // A model priced by other units has one price.
    if (unit !== "token" && part === "output") return <span className={classes.none}>–</span>;
    const what =
      unit === "token" ? t(`ratios.${part}Price`) : t("ratios.unitPrice", { unit: t(`ratios.units.${unit}`) });
    const cell = (
      <RatioCell
        label={t("ratios.of", { what, name: row.model })}
        sign="$"
        value={isSet ? dollars : undefined}
        instead={dollars}
        max={dollarsOf(OPTION_RATIOS.max, quotaPerUnit, unit)}
        disabled={part === "output" && input === 0}
        onChange={change}
      />
    );
    // The column's head says it of tokens; outputs are priced by them alone.
    if (unit === "token") return cell;
    return (
      <span className={classes.perUnit}>
        {cell} {t(`ratios.units.${unit}`)}
      </span>
    );
  };
}

function completionCell({ t, onCompletionRatio }: ColumnParts) {
  return function CompletionCell({ model, unit, completionRatio, listedCompletionRatio }: ModelRow) {
    if (unit !== "token") return <span className={classes.none}>–</span>;
    return (
      <RatioCell
        label={t("ratios.of", { what: t("ratios.completion"), name: model })}
        value={completionRatio}
        instead={listedCompletionRatio ?? 1}
        onBack={() => onCompletionRatio(model, undefined)}
        onChange={(ratio) => onCompletionRatio(model, ratio)}
      />
    );
  };
}

function ratioCell({ t, onModelRatio }: ColumnParts) {
  return function ModelRatioCell({ model, modelRatio, listedModelRatio = UNKNOWN_MODEL_RATIO }: ModelRow) {
    return (
      <RatioCell
        label={t("ratios.of", { what: t("ratios.ratio"), name: model })}
        value={modelRatio}
        instead={listedModelRatio}
        onBack={() => onModelRatio(model, undefined)}
        onChange={(ratio) => onModelRatio(model, ratio)}
      />
    );
  };
}

function OtherPrices({ row, parts }: { row: ModelRow; parts: ColumnParts }) {
  return (
    <>
      {row.prices.length > 0 && <OwnPrices row={row} />}
      {ownPriceOf(row) === undefined && <ListedPrice row={row} parts={parts} />}
    </>
  );
}

export function modelRatioColumns(parts: ColumnParts): DataColumn<ModelRow>[] {
  const { t } = parts;
  return [
    {
      id: "model",
      header: t("ratios.model"),
      card: "title",
      cell: ({ model, type }) => (
        <span className={classes.model}>
          {type !== null && <ProviderLogo type={type} size={16} />}
          <span className={classes.name}>{model}</span>
        </span>
      ),
    },
    {
      id: "ratio",
      header: t("ratios.ratio"),
      hint: t("hints.ModelRatio"),
      cell: unlessOwn(ratioCell(parts)),
    },
    {
      id: "input",
      header: t("ratios.inputPrice"),
      hint: t("ratios.priceHint"),
      cell: unlessOwn(moneyCell(parts, "input")),
    },
    {
      id: "completion",
      header: t("ratios.completion"),
      hint: t("hints.CompletionRatio"),
      cell: unlessOwn(completionCell(parts)),
    },
    {
      id: "output",
      header: t("ratios.outputPrice"),
      hint: t("ratios.perMillion"),
      cell: unlessOwn(moneyCell(parts, "output")),
    },
    {
      id: "listed",
      header: t("ratios.listed"),
      hint: t("ratios.listedHint"),
      cell: (row) => <OtherPrices row={row} parts={parts} />,
    },
  ];
}
