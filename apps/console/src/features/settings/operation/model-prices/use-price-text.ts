import { type DatedPrice, UNIT_PRICES } from "@one-api/contract/prices/model-prices";
import { formatPrice } from "../../../../lib/format.ts";
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

/** Returns the text of all prices of a model, with the times from which they hold. */
export function usePricesText(): (prices: readonly DatedPrice[]) => string {
  const { t } = useTranslation("settings");
  const textOf = usePriceText();
  return (prices) =>
    prices
      .map((price) =>
        price.from === undefined
          ? textOf(price)
          : t("modelPrices.fromTime", { time: price.from, price: textOf(price) }),
      )
      .join(" · ");
}
