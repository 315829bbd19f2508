import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { loadedUsage, UsageStat } from "../dashboard/usage-stat.tsx";
import { ownMonthQuery } from "./own-month-query.ts";

export default function OwnSpend() {
  const { t } = useTranslation("topup");
  const month = useQuery(ownMonthQuery());
  return <UsageStat label={t("spent")} metric="spend" usage={loadedUsage(month)} />;
}
