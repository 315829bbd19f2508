import type { LimitUse } from "@one-api/contract/limits/limit-use";
import { ShareBar } from "../../components/charts/share-bar.tsx";
import { formatInteger } from "../../lib/format.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import classes from "./limit-use-list.module.css";

export function LimitUseLine({ use }: { use: LimitUse }) {
  const { t, language } = useTranslation("limits");
  const { field, model, limit, used } = use;
  const amounts = { used: formatInteger(used, language), limit: formatInteger(limit, language) };
  return (
    <span className={classes.use} title={t("used", amounts)}>
      <span className={classes.text}>
        {model !== "" && <span className={classes.model}>{model} </span>}
        <span className={classes.amount}>
          {amounts.used} / {amounts.limit}
        </span>{" "}
        <span className={classes.unit}>{t(`unit.${field}`)}</span>
      </span>
      <ShareBar used={used} limit={limit} label={t("used", amounts)} />
    </span>
  );
}

interface LimitUseListProps {
  uses: readonly LimitUse[];
  /** Servers of which one alone was counted. */
  uncounted: number | undefined;
}

export function LimitUseList({ uses, uncounted }: LimitUseListProps) {
  const { t } = useTranslation("limits");
  if (uses.length === 0) return <span className={classes.unit}>{t("noneSet")}</span>;
  return (
    <div className={classes.list}>
      {uses.map((use) => (
        <LimitUseLine key={`${use.model} ${use.field}`} use={use} />
      ))}
      {uncounted !== undefined && <p className={classes.note}>{t("ofServer", { count: uncounted })}</p>}
    </div>
  );
}
