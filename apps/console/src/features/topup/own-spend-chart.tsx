import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { SpendCard } from "../dashboard/chart/spend-card.tsx";

export default function OwnSpendChart() {
  const { t } = useTranslation("topup");
  return <SpendCard title={t("spend")} />;
}
