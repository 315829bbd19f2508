import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { FiguresTable } from "./figures-table.tsx";
import { presentQuery } from "./what-if-queries.ts";

/** The period as it was, until a change is estimated on it. */
export function PresentPeriod({ days }: { days: "7" | "30" }) {
  const { t } = useTranslation("what-if");
  const { data } = useQuery(presentQuery(days === "30" ? 30 : 7));
  const hint = t("empty");
  const requests = data !== undefined && t("ofRequests", { count: data.before.requests });
  return (
    <FiguresTable
      title={t("present", { count: Number(days) })}
      note={requests === false ? hint : t("requestsAndHint", { requests, hint })}
      before={data?.before}
    />
  );
}
