import type { ManagedUser } from "@one-api/contract/accounts/user-management";
import { useQuery } from "@tanstack/react-query";
import { Card } from "../../components/boxes/card.tsx";
import { Stat, Stats } from "../../components/boxes/stat.tsx";
import { LoadProblem } from "../../components/load-problem.tsx";
import { WholeDates } from "../../components/content/whole-dates.tsx";
import { QuotaText } from "../../components/quota-text.tsx";
import { formatDate, formatInteger } from "../../lib/format.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { usageQuery } from "../dashboard/dashboard-queries.ts";
import { LastsUntil } from "../dashboard/lasts-until.tsx";
import { loadedUsage, UsageStat } from "../dashboard/usage-stat.tsx";

const DAYS_OF_MONTH = 30;

function Since({ user, number }: { user: ManagedUser; number: string }) {
  const { t } = useTranslation("user-page");
  const date = formatDate(user.created_at);
  return <WholeDates>{t("totals.since", { count: user.request_count, date, number })}</WholeDates>;
}

/** The balance of a user and the usage of 30 days, each with what puts it into proportion. */
export function UserTotals({ user }: { user: ManagedUser }) {
  const { t, language } = useTranslation("user-page", "dashboard", "users");
  const month = useQuery(usageQuery({ range: "month", user: user.id, split: 1 }, true));
  const usage = loadedUsage(month);
  const count = (value: number) => formatInteger(value, language);
  return (
    <Card>
      <Stats isSpread>
        <Stat
          label={t("users:columns.quota")}
          note={month.data === undefined ? "" : <LastsUntil balance={user.quota} usage={month.data} />}
        >
          <QuotaText quota={user.quota} />
        </Stat>
        <UsageStat label={t("totals.spend")} metric="spend" usage={usage} hasTrend />
        <UsageStat
          label={t("totals.requests")}
          metric="requests"
          usage={usage}
          hasTrend
          note={({ requests }) => t("totals.aDay", { number: count(requests / DAYS_OF_MONTH) })}
        />
        <UsageStat
          label={t("dashboard:metrics.errors")}
          metric="errors"
          usage={usage}
          hasTrend
          note={({ errors, requests }) =>
            requests === 0 ? "" : t("dashboard:notes.errors", { errors: count(errors), requests: count(requests) })
          }
        />
        <Stat label={t("totals.used")} note={<Since user={user} number={count(user.request_count)} />}>
          <QuotaText quota={user.used_quota} />
        </Stat>
      </Stats>
      {usage === null && month.error !== null && (
        <LoadProblem error={month.error} onRetry={() => void month.refetch()} />
      )}
    </Card>
  );
}
