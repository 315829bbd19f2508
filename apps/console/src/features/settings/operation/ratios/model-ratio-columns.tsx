import { OPTION_RATIOS, UNKNOWN_MODEL_RATIO } from "@one-api/contract/prices/ratios";
import type { ReactNode } from "react";
import type { DataColumn } from "../../../../components/data-table/data-column.ts";
import { ProviderLogo } from "../../../../components/logos/provider-name.tsx";
import { StatusBadge } from "../../../../components/status-badge.tsx";
import { formatPrice, roundToDigits } from "../../../../lib/format.ts";
import type { Translate } from "../../../../lib/i18n/text-keys.ts";
import { RatioCell } from "./ratio-cell.tsx";
import { usePricesText } from "../model-prices/use-price-text.ts";
import { dollarsOf, inForce, isDifferent, isOwn, type ModelRow, ownPriceOf, ratioOf } from "./ratio-model.ts";
import classes from "./ratios.module.css";

/** Digits of a price that follows from ratios: $2.037037, not $2.03703703704. */
const MOST_DIGITS = 8;

interface ColumnParts {
  t: Translate<"settings">;
  quotaPerUnit: number;
  /** Without them a row has its prices alone, which are the ratios in dollars. */
  hasRatios: boolean;
  /** Undefined removes the own ratio, so the list's applies. */
  onModelRatio(model: string, ratio: number | undefined): void;
  onCompletionRatio(model: string, ratio: number | undefined): void;
}

/** The price list's input and output, or its price of a unit; undefined for a model that it does not have. */
function listTextOf(row: ModelRow, { t, quotaPerUnit }: ColumnParts): string | undefined {
  const { listedModelRatio, listedCompletionRatio = 1, unit } = row;
  if (listedModelRatio === undefined) return undefined;
  const money = (ratio: number) => formatPrice(dollarsOf(ratio, quotaPerUnit, unit));
  if (unit !== "token") return `${money(listedModelRatio)} ${t(`ratios.units.${unit}`)}`;
  const output = listedModelRatio * listedCompletionRatio;
  return `${money(listedModelRatio)} / ${output === 0 && listedModelRatio > 0 ? "–" : money(output)}`;
}

/** Percent by which a price in force differs from the list's: of the input, else of the output. */
function Difference({ row, t }: { row: ModelRow; t: ColumnParts["t"] }) {
  const { listedModelRatio = 0, listedCompletionRatio = 1 } = row;
  const listed = { input: listedModelRatio, output: listedModelRatio * listedCompletionRatio };
  const own = inForce(row, UNKNOWN_MODEL_RATIO);
  const percent = (part: "input" | "output") =>
    listed[part] === 0 ? undefined : Math.round((own[part] / listed[part] - 1) * 1_000) / 10;
  const difference = [percent("input"), percent("output")].find((part) => part !== 0);
  if (difference === undefined) return null;
  return (
    <span className={classes.difference} data-is-dearer={difference > 0} title={t("ratios.differs")}>
      {`${difference > 0 ? "+" : "−"}${Math.abs(difference)}%`}
    </span>
  );
}

/** Where the price of a row comes from: the price list, an own price beside the list's, or the fallback. */
function PriceSource({ row, parts }: { row: ModelRow; parts: ColumnParts }) {
  const { t } = parts;
  const textOf = usePricesText();
  const listText = listTextOf(row, parts);
  if (!isOwn(row) && listText !== undefined) return <span className={classes.none}>{t("ratios.listed")}</span>;
  if (!isOwn(row))
    return (
      <StatusBadge tone="warning" title={t("ratios.unpricedHint")}>
        {t("ratios.unpriced")}
      </StatusBadge>
    );
  // A price of tokens that is in force stands in the cells.
  const inForceNow = ownPriceOf(row);
  const inDollars = row.prices.length > 0;
  const told = row.prices.filter((price) => price !== inForceNow || price.input === undefined);
  return (
    <span className={classes.source}>
      <StatusBadge tone="info">{t("ratios.ownPrice")}</StatusBadge>
      {told.length > 0 && <span className="numbers">{textOf(told)}</span>}
      {!inDollars && isDifferent(row) && listText !== undefined && <Difference row={row} t={t} />}
      <span className={classes.none}>
        {listText === undefined ? t("ratios.notListed") : t("ratios.listIs", { price: listText })}
      </span>
    </span>
  );
}

/** Cells of ratios have no effect while an own price in dollars is in force. */
function unlessOwn(cell: (row: ModelRow) => ReactNode) {
  return function CellUnlessOwn(row: ModelRow) {
    return ownPriceOf(row) === undefined ? cell(row) : <span className={classes.none}>–</span>;
  };
}

/** The own price in dollars that is in force stands in the cell; a dialog edits it. */
function orOwn(part: "input" | "output", cell: (row: ModelRow) => ReactNode) {
  return function CellOrOwn(row: ModelRow) {
    const own = ownPriceOf(row);
    if (own === undefined) return cell(row);
    const dollars = own[part];
    return <span className={classes.own}>{dollars === undefined ? "–" : formatPrice(dollars)}</span>;
  };
}

function moneyCell(parts: ColumnParts, part: "input" | "output") {
  return function MoneyCell(row: ModelRow) {
    const { t, quotaPerUnit, onModelRatio, onCompletionRatio } = parts;
    const { input, output } = inForce(row, UNKNOWN_MODEL_RATIO);
    const isSet = part === "input" ? row.modelRatio !== undefined : row.modelRatio !== undefined || row.completionRatio !== undefined; // prettier-ignore
    const { unit } = row;
    const dollars = roundToDigits(dollarsOf(part === "input" ? input : output, quotaPerUnit, unit), MOST_DIGITS);
    const isFree = part === "output" && output === 0 && input > 0;
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
        isMoney
        value={isSet ? dollars : undefined}
        instead={isFree ? undefined : dollars}
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
    const hasNoOutput = listedCompletionRatio === 0 && completionRatio === undefined;
    if (unit !== "token" || hasNoOutput) return <span className={classes.none}>–</span>;
    return (
      <RatioCell
        label={t("ratios.of", { what: t("ratios.completion"), name: model })}
        value={completionRatio}
        instead={listedCompletionRatio ?? 1}
        onChange={(ratio) => onCompletionRatio(model, ratio)}
      />
    );
  };
}

function ratioCell({ t, onModelRatio }: ColumnParts) {
  return function ModelRatioCell({ model, modelRatio, listedModelRatio = UNKNOWN_MODEL_RATIO }: ModelRow) {
    return (
      <RatioCell
        label={t("ratios.of", { what: t("ratios.modelRatio"), name: model })}
        value={modelRatio}
        instead={listedModelRatio}
        onChange={(ratio) => onModelRatio(model, ratio)}
      />
    );
  };
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
      id: "input",
      header: t("ratios.inputPrice"),
      hint: t("ratios.priceHint"),
      cell: orOwn("input", moneyCell(parts, "input")),
      align: "right",
    },
    {
      id: "output",
      header: t("ratios.outputPrice"),
      hint: t("ratios.perMillion"),
      cell: orOwn("output", moneyCell(parts, "output")),
      align: "right",
    },
    {
      id: "source",
      header: t("ratios.source"),
      hint: t("ratios.listedHint"),
      card: "plain",
      cell: (row) => <PriceSource row={row} parts={parts} />,
    },
    ...(parts.hasRatios ? ratioColumns(parts) : []),
  ];
}

function ratioColumns(parts: ColumnParts): DataColumn<ModelRow>[] {
  const { t } = parts;
  return [
    {
      id: "ratio",
      header: t("ratios.modelRatio"),
      hint: t("hints.ModelRatio"),
      cell: unlessOwn(ratioCell(parts)),
      align: "right",
    },
    {
      id: "completion",
      header: t("ratios.completion"),
      hint: t("hints.CompletionRatio"),
      cell: unlessOwn(completionCell(parts)),
      align: "right",
    },
  ];
}
