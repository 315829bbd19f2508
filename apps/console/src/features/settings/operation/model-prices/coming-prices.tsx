import type { ComingPrice } from "@one-api/contract/prices/pricing";
import { useQuery } from "@tanstack/react-query";
import { Card } from "../../../../components/boxes/card.tsx";
import { TimeText } from "../../../../components/time-text.tsx";
import { formatPrice } from "../../../../lib/format.ts";
import { useTranslation } from "../../../../lib/i18n/use-translation.ts";
import { useFormatQuota } from "../../../../lib/use-format-quota.ts";
import { ChangeLine, ChangeList } from "../change-list.tsx";
import { comingPricesQuery } from "../../../pricing/coming-prices-query.ts";
import classes from "./model-prices.module.css";

function ComingLine({ coming: { model, at, source, before, after, effect } }: { coming: ComingPrice }) {
  const { t } = useTranslation("settings");
  const money = useFormatQuota();
  const text = ({ unit, input, output }: ComingPrice["before"]) =>
    unit === "token"
      ? `${formatPrice(input)} / ${formatPrice(output)}`
      : `${formatPrice(input)} ${t(`ratios.units.${unit}`)}`;
  const name = (
    <>
      <TimeText time={at} />
      <span>{model}</span>
      {source === "list" && <span className={classes.effect}>{t("coming.listed")}</span>}
    </>
  );
  return (
    <ChangeLine name={name} before={text(before)} after={text(after)}>
      <span className={classes.effect}>
        {t("coming.effect", { before: money(effect.before), after: money(effect.after) })}
      </span>
    </ChangeLine>
  );
}

/** Prices that begin later, with what the last 7 days would have cost; nothing without any. */
export function ComingPrices() {
  const { t } = useTranslation("settings");
  const { data: coming = [] } = useQuery(comingPricesQuery);
  if (coming.length === 0) return null;
  return (
    <div className={classes.calendar}>
      <Card title={t("coming.title")} description={t("coming.text")}>
        <ChangeList label={t("coming.title")}>
          {coming.map((one) => (
            <ComingLine key={`${one.model} ${one.at}`} coming={one} />
          ))}
        </ChangeList>
      </Card>
    </div>
  );
}
