import type { OfferedPrice } from "@one-api/contract/prices/pricing";
import type { ReactNode } from "react";
import { type Fact, Facts } from "../../../components/boxes/facts.tsx";
import { TimeText } from "../../../components/time-text.tsx";
import { formatInteger, formatNumber, formatPrice } from "../../../lib/format.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { hasNoOutput, MORE_PRICES } from "../sort-prices.ts";
import type { ComingOffer } from "./model-queries.ts";
import classes from "./model-body.module.css";

function Price({ children, unit }: { children: ReactNode; unit?: string }) {
  return (
    <>
      <span className="numbers">{children}</span>
      {unit !== undefined && <span className={classes.quiet}> {unit}</span>}
    </>
  );
}

/** The price of an offer's input and output, or of its input alone. */
function bothOf(offer: OfferedPrice, input: number, output: number): string {
  return hasNoOutput(offer) ? formatPrice(input) : `${formatPrice(input)} / ${formatPrice(output)}`;
}

function useMainPrices(offer: OfferedPrice): (Fact | false)[] {
  const { t } = useTranslation("pricing");
  const { unit_price: unitPrice } = offer;
  if (unitPrice !== undefined) {
    const value = <Price unit={t(`units.${unitPrice.unit}`)}>{formatPrice(unitPrice.dollars)}</Price>;
    return [{ label: t("model.price"), value }];
  }
  return [
    { label: t("columns.input"), value: <Price>{formatPrice(offer.input)}</Price> },
    !hasNoOutput(offer) && { label: t("columns.output"), value: <Price>{formatPrice(offer.output)}</Price> },
    ...MORE_PRICES.map((part): Fact | false => {
      const dollars = offer[part] ?? null;
      const unit = part === "web_search" ? { unit: t("model.perSearch") } : {};
      return (
        dollars !== null && { label: t(`columns.${part}`), value: <Price {...unit}>{formatPrice(dollars)}</Price> }
      );
    }),
  ];
}

/** Prices of long prompts and of service tiers. */
function useFurtherPrices(offer: OfferedPrice): (Fact | false)[] {
  const { t, language } = useTranslation("pricing");
  const { long_prompt: long, tiers = {} } = offer;
  const steps = offer.long_prompts ?? (long === null ? [] : [long]);
  return [
    ...steps.map(({ above, input, output }) => ({
      label: t("model.longPrompt", { tokens: formatInteger(above, language) }),
      value: <Price unit={t("model.inputAndOutput")}>{bothOf(offer, input, output)}</Price>,
    })),
    ...Object.entries(tiers).map(([tier, factor]) => {
      const text = bothOf(offer, offer.input * factor, offer.output * factor);
      return {
        label: t("model.tier", { tier }),
        value: <Price unit={`×${formatNumber(factor, language)}`}>{text}</Price>,
      };
    }),
  ];
}

interface OfferPricesProps {
  offer: OfferedPrice;
  coming: readonly ComingOffer[];
}

/** Every price of an offer, a line each, in dollars per million tokens where no unit stands. Kinds of tokens without a price of their own are left out. */
export function OfferPrices({ offer, coming }: OfferPricesProps) {
  const { t } = useTranslation("pricing");
  const facts = [...useMainPrices(offer), ...useFurtherPrices(offer)];
  return (
    <>
      <Facts layout="lines" facts={facts} />
      {coming.map(({ at, unit, input, output }) => (
        <p key={at} className={classes.coming}>
          {t("model.from")} <TimeText time={at} />:{" "}
          {unit === "token" ? (
            <Price unit={t("model.inputAndOutput")}>{bothOf(offer, input, output)}</Price>
          ) : (
            <Price unit={t(`units.${unit}`)}>{formatPrice(input)}</Price>
          )}
        </p>
      ))}
    </>
  );
}
