import type { ManagedUser } from "@one-api/contract/accounts/user-management";
import { useQuery } from "@tanstack/react-query";
import { Card } from "../../components/boxes/card.tsx";
import { Stat, Stats } from "../../components/boxes/stat.tsx";
import { QuotaText } from "../../components/quota-text.tsx";
import { formatDate, formatInteger } from "../../lib/format.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { usageQuery } from "../dashboard/dashboard-queries.ts";
import { LastsUntil } from "../dashboard/lasts-until.tsx";
import { UsageDifference } from "../dashboard/usage-difference.tsx";
import { metricOf, useMetricText } from "../dashboard/usage-metrics.ts";

const DAYS_OF_MONTH = 30;

/** The balance of a user and the usage of 30 days, each with what puts it into proportion. */
export function UserTotals({ user }: { user: ManagedUser }) {
  const { t, language } = useTranslation("user-page", "dashboard", "users");
  const text = useMetricText();
  const { data: usage, isError } = useQuery(usageQuery({ range: "month", user: user.id, split: 1 }, true));
  const total = usage?.total;
  const waiting = isError ? "–" : "…";
  const count = (value: number) => formatInteger(value, language);
  const before = usage?.is_complete === true ? usage.before : null;
  return (
    <Card>
      <Stats>
        <Stat
          label={t("users:columns.quota")}
          note={usage === undefined ? "" : <LastsUntil balance={user.quota} usage={usage} />}
        >
          <QuotaText quota={user.quota} />
        </Stat>
        <Stat
          label={t("totals.spend")}
          note={
            total !== undefined && before !== null ? (
              <UsageDifference metric="spend" total={total} before={before} />
            ) : (
              ""
            )
          }
        >
          {total === undefined ? waiting : text("spend", total.quota)}
        </Stat>
        <Stat
          label={t("totals.requests")}
          note={total === undefined ? "" : t("totals.aDay", { number: count(total.requests / DAYS_OF_MONTH) })}
        >
          {total === undefined ? waiting : text("requests", total.requests)}
        </Stat>
        <Stat
          label={t("dashboard:metrics.errors")}
          note={
            total === undefined
              ? ""
              : t("dashboard:notes.errors", { errors: count(total.errors), requests: count(total.requests) })
          }
        >
          {total === undefined ? waiting : text("errors", metricOf("errors", total))}
        </Stat>
        <Stat
          label={t("totals.used")}
          note={t("totals.since", {
            count: user.request_count,
            date: formatDate(user.created_at),
            number: count(user.request_count),
          })}
        >
          <QuotaText quota={user.used_quota} />
        </Stat>
      </Stats>
    </Card>
  );
}
