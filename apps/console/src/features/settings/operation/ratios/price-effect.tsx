import { IconArrowNarrowRight } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { ScrollBox } from "../../../../components/boxes/scroll-box.tsx";
import { callApi } from "../../../../lib/api/api-client.ts";
import { useTranslation } from "../../../../lib/i18n/use-translation.ts";
import { useFormatQuota } from "../../../../lib/use-format-quota.ts";
import { pricesOf, ratiosOf, type RatioTexts } from "./ratio-model.ts";
import classes from "./ratios.module.css";

interface ChargeLineProps {
  name: string;
  /** In quota. */
  before: number;
  after: number;
}

function ChargeLine({ name, before, after }: ChargeLineProps) {
  const { t } = useTranslation("settings");
  const money = useFormatQuota();
  return (
    <li className={classes.change}>
      <span className={classes.name}>{name}</span>
      <span className="numbers">
        {money(before)}
        <IconArrowNarrowRight size={16} role="img" aria-label={t("ratios.changes.becomes")} />
        <strong>{money(after)}</strong>
      </span>
    </li>
  );
}

/** Estimated charges of the last 7 days with the edited ratios. */
export function PriceEffect({ texts }: { texts: RatioTexts }) {
  const { t } = useTranslation("settings");
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
        <ScrollBox label={title} className={classes.changes}>
          <ul>
            <ChargeLine name={t("ratios.effect.total")} before={effect.before} after={effect.after} />
            {effect.models.map(({ model, before, after }) => (
              <ChargeLine key={model} name={model} before={before} after={after} />
            ))}
          </ul>
        </ScrollBox>
      )}
      {others > 0 && <p className={classes.note}>{t("ratios.effect.others", { count: others })}</p>}
    </section>
  );
}
