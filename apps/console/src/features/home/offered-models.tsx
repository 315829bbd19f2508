import { ButtonLink } from "../../components/buttons/button-link.tsx";
import { Card } from "../../components/boxes/card.tsx";
import { ProviderLogo } from "../../components/logos/provider-name.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { formatPrice } from "../../lib/format.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { usePrices } from "../pricing/pricing-queries.ts";
import classes from "./offered-models.module.css";

const MOST_MODELS = 8;

/** Some of the offered models with their prices; nothing without any. */
export default function OfferedModels() {
  const { t } = useTranslation("home");
  const prices = (usePrices().data ?? []).filter(({ unit_price: unitPrice }) => unitPrice === undefined);
  if (prices.length === 0) return null;
  return (
    <Card
      title={t("models.heading")}
      description={t("models.text", { count: prices.length })}
      actions={
        <ButtonLink to="/pricing" variant="default">
          {t("models.all")}
        </ButtonLink>
      }
    >
      <ul className={classes.models}>
        {prices
          .slice(0, MOST_MODELS)
          .map(({ model, types, input, output, input_only: isInputOnly, is_unpriced: isUnpriced }) => (
            <li key={`${model} ${types.join()}`} className={classes.model}>
              <ProviderLogo type={types[0] ?? 0} />
              <span className={classes.name} title={model}>
                {model}
              </span>
              {isUnpriced === true && (
                <StatusBadge tone="warning" title={t("models.unpricedHint")}>
                  {t("models.unpriced")}
                </StatusBadge>
              )}
              <span className={`${classes.price} numbers`}>
                {formatPrice(input)}
                {isInputOnly === true ? "" : ` / ${formatPrice(output)}`}
              </span>
            </li>
          ))}
      </ul>
    </Card>
  );
}
