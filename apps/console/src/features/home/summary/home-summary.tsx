import type { Dashboard } from "@one-api/contract/usage/dashboard";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Card } from "../../../components/boxes/card.tsx";
import { LineList } from "../../../components/boxes/line-list.tsx";
import { Stat, Stats } from "../../../components/boxes/stat.tsx";
import { LoadProblem } from "../../../components/load-problem.tsx";
import { QuotaText } from "../../../components/quota-text.tsx";
import { TextLink } from "../../../components/text-link.tsx";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { useIsAdmin } from "../../../lib/state/session.ts";
import { usageQuery } from "../../dashboard/dashboard-queries.ts";
import { LastsUntil } from "../../dashboard/lasts-until.tsx";
import { TroublesCard } from "../../dashboard/troubles.tsx";
import { loadedUsage, UsageStat } from "../../dashboard/usage-stat.tsx";
import { selfQuery } from "../../profile/self-queries.ts";
import { TokenSpend } from "../../tokens/token-spend.tsx";
import { LastError } from "./last-error.tsx";
import { NewestRequests } from "./newest-requests.tsx";
import { lastErrorQuery, newestRequestsQuery, ownTokensQuery } from "./summary-queries.ts";
import { TodayStats, useYesterday } from "./today-stats.tsx";
import classes from "./summary.module.css";

/** Why numbers are missing: the first query that failed. A retry repeats all that did. */
function Problem({ of: queries }: { of: readonly ReturnType<typeof useQuery<Dashboard>>[] }) {
  const failed = queries.filter(({ data, error }) => data === undefined && error !== null);
  const error = failed[0]?.error;
  if (!error) return null;
  return <LoadProblem error={error} onRetry={() => failed.forEach(({ refetch }) => void refetch())} />;
}

function GatewayToday() {
  const { t } = useTranslation("home");
  const query = useQuery(usageQuery({ range: "today" }, true));
  const today = loadedUsage(query);
  const yesterday = useYesterday();
  return (
    <>
      <div className={classes.troubles}>
        <TroublesCard />
      </div>
      <Card>
        <Stats isSpread>
          <TodayStats usage={today} />
          <UsageStat label={t("summary.marginToday")} metric="margin" usage={today} hasTrend against={yesterday} />
        </Stats>
        <Problem of={[query]} />
      </Card>
    </>
  );
}

function OwnMoney() {
  const { t } = useTranslation("home");
  const { data: self } = useQuery(selfQuery);
  const today = useQuery(usageQuery({ range: "today" }, false));
  const month = useQuery(usageQuery({ range: "month" }, false));
  return (
    <Card>
      <Stats isSpread>
        <Stat
          label={t("summary.balance")}
          note={self && month.data && <LastsUntil balance={self.quota} usage={month.data} />}
        >
          {self === undefined ? "…" : <QuotaText quota={self.quota} />}
        </Stat>
        <TodayStats usage={loadedUsage(today)} />
        <UsageStat label={t("summary.spendMonth")} metric="spend" usage={loadedUsage(month)} hasTrend />
      </Stats>
      <Problem of={[today, month]} />
    </Card>
  );
}

const TOKENS_SHOWN = 5;

function OwnTokens() {
  const { t } = useTranslation("home");
  const { data = [] } = useQuery(ownTokensQuery);
  const used = data
    .filter(({ accessed_time: usedAt }) => usedAt > 0)
    .toSorted((one, other) => other.accessed_time - one.accessed_time);
  if (used.length === 0) return null;
  return (
    <Card
      title={t("summary.tokens")}
      actions={
        <TextLink to="/token" size="sm">
          {t("summary.allTokens")}
        </TextLink>
      }
    >
      <div className={classes.tokens}>
        <LineList>
          {used.slice(0, TOKENS_SHOWN).map((token) => (
            <TokenSpend key={token.id} token={token} />
          ))}
        </LineList>
      </div>
    </Card>
  );
}

/** Whether everything is known that decides which cards there are. */
function useIsSettled(isAdmin: boolean): boolean {
  const own = { enabled: !isAdmin };
  const requests = useQuery(newestRequestsQuery(isAdmin));
  const error = useQuery({ ...lastErrorQuery, ...own });
  const tokens = useQuery({ ...ownTokensQuery, ...own });
  return !requests.isLoading && !error.isLoading && !tokens.isLoading;
}

interface HomeSummaryProps {
  children: ReactNode;
}

/** Summary of now. Administrators see today's usage of the gateway, users their money, tokens and last error; all see the newest requests. */
export default function HomeSummary({ children }: HomeSummaryProps) {
  const isAdmin = useIsAdmin();
  const isSettled = useIsSettled(isAdmin);
  return (
    <div className={classes.summary}>
      {isAdmin ? <GatewayToday /> : <OwnMoney />}
      {isSettled && (
        <>
          {!isAdmin && <LastError />}
          {!isAdmin && <OwnTokens />}
          <NewestRequests />
          {children}
        </>
      )}
    </div>
  );
}
