import type { Budget } from "@one-api/contract/budget";
import { useTranslation } from "../lib/i18n/use-translation.ts";
import classes from "./budget-text.module.css";
import { QuotaText } from "./quota-text.tsx";
import { TimeText } from "./time-text.tsx";

export function BudgetText({ budget }: { budget: Budget | null }) {
  const { t } = useTranslation("budgets");
  if (budget === null) return <span className={classes.quiet}>–</span>;
  const { quota, used, period, renews_at } = budget;
  return (
    <span className={classes.budget}>
      <span>
        <QuotaText quota={Math.max(0, quota - used)} />
        <span className={classes.quiet}>
          {" / "}
          <QuotaText quota={quota} /> {t(period)}
        </span>
      </span>
      <span className={classes.renews}>
        {t("renews")} <TimeText time={renews_at} dateOnly />
      </span>
    </span>
  );
}
