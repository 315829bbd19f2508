import { useQuery } from "@tanstack/react-query";
import { callApi } from "../../../../lib/api/api-client.ts";
import { useTranslation } from "../../../../lib/i18n/use-translation.ts";
import { useFormatQuota } from "../../../../lib/use-format-quota.ts";
import { ChangeLine, ChangeList } from "../change-list.tsx";
import { pricesOf, ratiosOf, type RatioTexts } from "./ratio-model.ts";
import classes from "./ratios.module.css";

/** Estimated charges of the last 7 days with the edited ratios. */
export function PriceEffect({ texts }: { texts: RatioTexts }) {
  const { t } = useTranslation("settings");
  const money = useFormatQuota();
  const body = {
    model_ratios: Object.fromEntries(ratiosOf(texts.ModelRatio) ?? []),
    completion_ratios: Object.fromEntries(ratiosOf(texts.CompletionRatio) ?? []),
    model_prices: Object.fromEntries([...(pricesOf(texts.ModelPrices) ?? [])].map(([name, all]) => [name, [...all]])),
  };
  const { data: effect } = useQuery({
    queryKey: ["pricing", "effect", body],
    queryFn: ({ signal }) => callApi("POST /api/pricing/effect", { body, signal }),
    meta: { quiet: true },
  });
  if (effect === undefined) return null;
  const title = t("ratios.effect.title");
  const others = effect.changed - effect.models.length;
  return (
    <section aria-label={title}>
      <h3 className={classes.part}>{title}</h3>
      <p className={classes.note}>{t(effect.changed === 0 ? "ratios.effect.none" : "ratios.effect.text")}</p>
      {effect.changed > 0 && (
        <ChangeList label={title}>
          <ChangeLine name={t("ratios.effect.total")} before={money(effect.before)} after={money(effect.after)} />
          {effect.models.map(({ model, before, after }) => (
            <ChangeLine key={model} name={model} before={money(before)} after={money(after)} />
          ))}
        </ChangeList>
      )}
      {others > 0 && <p className={classes.note}>{t("ratios.effect.others", { count: others })}</p>}
    </section>
  );
}
