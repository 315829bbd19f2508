import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { FIGURES, useShownFigure } from "./figures.ts";
import { presentQuery } from "./what-if-queries.ts";
import classes from "./what-if.module.css";

/** The period as it was, until a change is estimated on it. */
export function PresentPeriod({ days }: { days: "7" | "30" }) {
  const { t } = useTranslation("what-if");
  const { data } = useQuery(presentQuery(days === "30" ? 30 : 7));
  const shown = useShownFigure();
  const traffic = data && { before: data.before, after: data.before };
  return (
    <section className={classes.results} aria-label={t("present", { count: Number(days) })}>
      <h2 className={classes.heading}>{t("present", { count: Number(days) })}</h2>
      <dl className={classes.tiles}>
        {FIGURES.map((figure) => (
          <div key={figure} className={classes.tile}>
            <dt>{t(`figures.${figure}`)}</dt>
            <dd>{traffic === undefined ? "–" : shown(figure, traffic).was}</dd>
          </div>
        ))}
      </dl>
      <p className={classes.note}>
        {data !== undefined && t("ofRequests", { count: data.before.requests })} {t("empty")}
      </p>
    </section>
  );
}
