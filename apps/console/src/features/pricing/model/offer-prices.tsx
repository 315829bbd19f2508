import type { OfferedPrice } from "@one-api/contract/prices/pricing";
import { PRICE_TIERS } from "@one-api/contract/prices/model-prices";
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

interface OfferPricesProps {
  offer: OfferedPrice;
  coming: readonly ComingOffer[];
}

/** Every price of an offer, a line each, in dollars per million tokens where no unit stands. Kinds of tokens without a price of their own are left out. */
export function OfferPrices({ offer, coming }: OfferPricesProps) {
  const { t, language } = useTranslation("pricing");
  const { unit_price: unitPrice, long_prompt: long, tiers = {} } = offer;
  const both = (input: number, output: number) =>
    hasNoOutput(offer) ? formatPrice(input) : `${formatPrice(input)} / ${formatPrice(output)}`;
  const main: (Fact | false)[] =
    unitPrice === undefined
      ? [
          { label: t("columns.input"), value: <Price>{formatPrice(offer.input)}</Price> },
          !hasNoOutput(offer) && {
            label: t("columns.output"),
            value: <Price>{formatPrice(offer.output)}</Price>,
          },
        ]
      : [
          {
            label: t("model.price"),
            value: <Price unit={t(`units.${unitPrice.unit}`)}>{formatPrice(unitPrice.dollars)}</Price>,
          },
        ];
  const more = MORE_PRICES.map((part): Fact | false => {
    const dollars = offer[part] ?? null;
    const unit = part === "web_search" ? { unit: t("model.perSearch") } : {};
    return dollars !== null && { label: t(`columns.${part}`), value: <Price {...unit}>{formatPrice(dollars)}</Price> };
  });
  const steps = offer.long_prompts ?? (long === null ? [] : [long]);
  const longPrompts = steps.map(({ above, input, output }) => ({
    label: t("model.longPrompt", { tokens: formatInteger(above, language) }),
    value: <Price unit={t("model.inputAndOutput")}>{both(input, output)}</Price>,
  }));
  const tierPrices = PRICE_TIERS.map((tier): Fact | false => {
    const factor = tiers[tier];
    return (
      factor !== undefined && {
        label: t("model.tier", { tier }),
        value: (
          <Price unit={`×${formatNumber(factor, language)}`}>{both(offer.input * factor, offer.output * factor)}</Price>
        ),
      }
    );
  });
  return (
    <>
      <Facts layout="lines" facts={[...main, ...more, ...longPrompts, ...tierPrices]} />
      {coming.map(({ at, unit, input, output }) => (
        <p key={at} className={classes.coming}>
          {t("model.from")} <TimeText time={at} />:{" "}
          {unit === "token" ? (
            <Price unit={t("model.inputAndOutput")}>{both(input, output)}</Price>
          ) : (
            <Price unit={t(`units.${unit}`)}>{formatPrice(input)}</Price>
          )}
        </p>
      ))}
    </>
  );
}
