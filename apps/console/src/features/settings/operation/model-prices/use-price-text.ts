import { type DatedPrice, startOf, UNIT_PRICES } from "@one-api/contract/prices/model-prices";
import { formatPrice, formatTime } from "../../../../lib/format.ts";
import { useTranslation } from "../../../../lib/i18n/use-translation.ts";

/** Returns the text of a price: `$4.00 / $20.00`, or `$0.02 per request`. */
function usePriceText(): (price: DatedPrice) => string {
  const { t } = useTranslation("settings");
  return (price) => {
    const unit = UNIT_PRICES.find((name) => price[name] !== undefined);
    if (unit !== undefined)
      return t("modelPrices.ofUnit", { price: formatPrice(price[unit] ?? 0), unit: t(`modelPrices.by.${unit}`) });
    return `${formatPrice(price.input ?? 0)} / ${formatPrice(price.output ?? 0)}`;
  };
}

/** A day is one in UTC, and stays as it is written. */
function beginningOf({ from = "" }: DatedPrice): string {
  return from.includes("T") ? formatTime(startOf({ from }) / 1_000) : from;
}

/** Returns the text of all prices of a model, with the times from which they hold. */
export function usePricesText(): (prices: readonly DatedPrice[]) => string {
  const { t } = useTranslation("settings");
  const textOf = usePriceText();
  return (prices) =>
    prices
      .map((price) =>
        price.from === undefined
          ? textOf(price)
          : t("modelPrices.fromTime", { time: beginningOf(price), price: textOf(price) }),
      )
      .join(" · ");
}
