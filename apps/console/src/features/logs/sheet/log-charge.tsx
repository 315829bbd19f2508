import type { Log } from "@one-api/contract/logs/log";
import type { LogDetail } from "@one-api/contract/logs/log-detail";
import { FEES_PER_DOLLAR } from "@one-api/contract/prices/pricing";
import { useState } from "react";
import { ChoiceButtons } from "../../../components/boxes/choice-buttons.tsx";
import { SheetSection } from "../../../components/dialogs/sheet-section.tsx";
import type { Translate } from "../../../lib/i18n/text-keys.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { CodeBlock } from "../../../components/content/code-block.tsx";
import { formatInteger, formatMoney, formatNumber, formatPrice } from "../../../lib/format.ts";
import { useStoredStatus } from "../../../lib/state/stored-status.ts";
import { billOf, formatBilled } from "./price-bill.ts";
import classes from "./log-sheet.module.css";

interface LogChargeProps {
  log: Log;
  /** Undefined when nothing was charged or it was not recorded. */
  charge: LogDetail["charge"];
  /** Undefined for a request that was made alone. */
  batch: LogDetail["batch"];
  /** Tokens came in alone. */
  isInputOnly: boolean;
}

const amountOf = (count: number, language: string) => ({ count, amount: formatNumber(count, language) });

function formulaText(charge: NonNullable<LogDetail["charge"]>, t: Translate<"logs">, language: string): string {
  const { model_ratio, group_ratio, formula_parts: parts } = charge;
  const terms = parts.terms.map(({ kind, count, factors }) => {
    const what = t(`charge.kinds.${kind}`, { ...amountOf(count, language), fee: 1 / FEES_PER_DOLLAR });
    return [what, ...factors].join(" × ");
  });
  return `ceil((${terms.join(" + ")}) × ${model_ratio} × ${group_ratio}) = ${parts.quota}`;
}

/** Remarks on the charge, after the formula if no bill shows it in dollars. */
function PriceFormula({ charge, isBill }: { charge: NonNullable<LogDetail["charge"]>; isBill: boolean }) {
  const { t, language } = useTranslation("logs");
  const { rule, units, formula_parts: parts } = charge;
  const longAbove = parts.long_above;
  return (
    <>
      {!isBill && (
        <>
          <div className={classes.label}>{t("charge.formula")}</div>
          <div className={classes.formula}>
            <CodeBlock code={formulaText(charge, t, language)} />
          </div>
        </>
      )}
      {(units === undefined || rule !== "usage") && <p className={classes.note}>{t(`charge.${rule}`)}</p>}
      {longAbove !== undefined && (
        <p className={classes.note}>{t("charge.long", { amount: formatInteger(longAbove, language) })}</p>
      )}
      {parts.source === "fallback" && <p className={classes.note}>{t("charge.unpriced")}</p>}
    </>
  );
}

type Bill = NonNullable<ReturnType<typeof billOf>>;

const decimalsOf = (amount: string) => amount.split(".")[1]?.length ?? 0;

function DollarLines({ bill: { lines, groupDollars }, groupRatio }: { bill: Bill; groupRatio: number }) {
  const { t, language } = useTranslation("logs");
  const decimals = Math.max(...lines.map(({ dollars }) => decimalsOf(formatBilled(dollars))));
  return (
    <>
      {lines.map(({ kind, count, price, dollars }) => (
        <div key={kind}>
          <dt>{t(`charge.kinds.${kind}`, { ...amountOf(count, language), fee: 1 / FEES_PER_DOLLAR })}</dt>
          <dd>
            {price !== undefined && (
              <span className={classes.exact}>
                × {formatPrice(price.dollars)}
                {price.per === "million" && " / 1M"}
              </span>
            )}
            <span className={classes.amount}>{formatBilled(dollars, decimals)}</span>
          </dd>
        </div>
      ))}
      {groupRatio !== 1 && (
        <div>
          <dt>{t("charge.groupRatio")}</dt>
          <dd>
            <span className={classes.exact}>× {groupRatio}</span>
            <span className={classes.amount}>{formatBilled(groupDollars)}</span>
          </dd>
        </div>
      )}
    </>
  );
}

function RatioLines({ log, charge, batch, isInputOnly }: LogChargeProps) {
  const { t, language } = useTranslation("logs");
  const amount = (value: number) => formatInteger(value, language);
  const isByTokens = charge?.units === undefined;
  const hasOutput = isByTokens && !isInputOnly;
  const lines: (readonly [label: string, value: string | number, isPart?: boolean] | false)[] = [
    batch !== undefined && [t("charge.batch.lines"), amount(batch.lines + batch.failed)],
    batch !== undefined && batch.failed > 0 && [t("charge.batch.failed"), amount(batch.failed), true],
    isByTokens && [t("charge.prompt"), amount(log.prompt_tokens)],
    charge !== undefined && charge.cached_tokens > 0 && [t("charge.cached"), amount(charge.cached_tokens), true],
    hasOutput && [t("charge.completion"), amount(log.completion_tokens)],
    // Omits parts without a price.
    charge?.units !== undefined && [t(`charge.units.${charge.units.unit}`), amount(charge.units.count)],
    charge !== undefined && [t("charge.modelRatio"), charge.model_ratio],
    charge !== undefined && hasOutput && [t("charge.completionRatio"), charge.completion_ratio],
    charge !== undefined && [t("charge.groupRatio"), charge.group_ratio],
    charge !== undefined && batch !== undefined && [t("charge.batch.price"), `× ${batch.factor}`],
  ];
  return lines
    .filter((line) => line !== false)
    .map(([label, value, isPart = false]) => (
      <div key={label} data-part={isPart}>
        <dt>{label}</dt>
        <dd>
          <span className={classes.amount}>{value}</span>
        </dd>
      </div>
    ));
}

export function LogCharge(props: LogChargeProps) {
  const { t, language } = useTranslation("logs");
  const { quota_per_unit: quotaPerUnit } = useStoredStatus();
  const [view, setView] = useState<"dollars" | "ratios">("dollars");
  const { log, charge, batch } = props;
  const bill = charge === undefined || batch !== undefined ? undefined : billOf(charge, quotaPerUnit);
  const isBill = bill !== undefined && view === "dollars";
  const choice = (
    <ChoiceButtons
      label={t("charge.views")}
      choices={[
        { value: "dollars", text: t("charge.dollars") },
        { value: "ratios", text: t("charge.asRatios") },
      ]}
      value={view}
      onChange={setView}
    />
  );
  return (
    <SheetSection title={t("charge.title")} actions={bill !== undefined && choice}>
      <dl className={classes.bill}>
        {isBill ? <DollarLines bill={bill} groupRatio={charge?.group_ratio ?? 1} /> : <RatioLines {...props} />}
        <div data-total="true">
          <dt>{t("charge.total")}</dt>
          <dd>
            <span className={classes.exact}>{t("charge.exact", { amount: formatInteger(log.quota, language) })}</span>
            <span className={classes.amount}>
              {isBill ? formatBilled(log.quota / quotaPerUnit) : formatMoney(log.quota / quotaPerUnit)}
            </span>
          </dd>
        </div>
        {log.cost !== undefined && (
          <div>
            <dt>{t("charge.cost")}</dt>
            <dd>
              <span className={classes.exact}>{t("charge.exact", { amount: formatInteger(log.cost, language) })}</span>
              <span className={classes.amount}>{formatBilled(log.cost / quotaPerUnit)}</span>
            </dd>
          </div>
        )}
      </dl>
      {charge !== undefined && <PriceFormula charge={charge} isBill={isBill} />}
    </SheetSection>
  );
}
