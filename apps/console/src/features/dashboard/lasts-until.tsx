import type { Dashboard } from "@one-api/contract/usage/dashboard";
import { formatDate } from "../../lib/format.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { balanceEnd } from "./balance-end.ts";
import classes from "./lasts-until.module.css";

const SOON_SECONDS = 7 * 86_400;
const YEAR_SECONDS = 365 * 86_400;

interface LastsUntilProps {
  balance: number;
  /** Of the last 7 days at least. */
  usage: Dashboard;
}

type Forecast =
  | { readonly kind: "empty" | "unused" | "long" }
  | { readonly kind: "soon" | "later"; readonly end: number };

function forecastOf({ balance, usage }: LastsUntilProps): Forecast {
  if (balance <= 0) return { kind: "empty" };
  const now = Date.now() / 1_000;
  const end = balanceEnd(balance, usage, now);
  if (end === undefined) return { kind: "unused" };
  if (end > now + YEAR_SECONDS) return { kind: "long" };
  return { kind: end < now + SOON_SECONDS ? "soon" : "later", end };
}

export function LastsUntil(props: LastsUntilProps) {
  const { t } = useTranslation("dashboard");
  const forecast = forecastOf(props);
  return (
    <span className={classes.lasts} data-forecast={forecast.kind}>
      {"end" in forecast ? t("lasts.until", { date: formatDate(forecast.end) }) : t(`lasts.${forecast.kind}`)}
    </span>
  );
}
