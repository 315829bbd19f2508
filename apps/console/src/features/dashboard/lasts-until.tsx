import type { Dashboard } from "@one-api/contract/usage/dashboard";
import { formatDate } from "../../lib/format.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { balanceEnd } from "./balance-end.ts";
import classes from "./lasts-until.module.css";

const SOON_SECONDS = 7 * 86_400;
const YEAR_SECONDS = 365 * 86_400;

/** How long a balance lasts at the pace of the last 7 days of the usage. */
export function LastsUntil({ balance, usage }: { balance: number; usage: Dashboard }) {
  const { t } = useTranslation("dashboard");
  const now = Date.now() / 1_000;
  if (balance <= 0) {
    return (
      <span className={classes.lasts} data-soon="now">
        {t("lasts.empty")}
      </span>
    );
  }
  const end = balanceEnd(balance, usage, now);
  if (end === undefined) return <span>{t("lasts.unused")}</span>;
  if (end > now + YEAR_SECONDS) return <span>{t("lasts.long")}</span>;
  return (
    <span className={classes.lasts} data-soon={end < now + SOON_SECONDS}>
      {t("lasts.until", { date: formatDate(end) })}
    </span>
  );
}
