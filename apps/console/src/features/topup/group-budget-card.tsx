import { Alert } from "@mantine/core";
import type { GroupBudget } from "@one-api/contract/limits/group-budget";
import { IconWallet } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Card } from "../../components/boxes/card.tsx";
import { BudgetText } from "../../components/budget-text.tsx";
import { ShareBar } from "../../components/charts/share-bar.tsx";
import { RelativeTime } from "../../components/relative-time.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { formatTime } from "../../lib/format.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { useFormatQuota } from "../../lib/use-format-quota.ts";
import classes from "./group-budget-card.module.css";
import { groupRefusalQuery } from "./group-refusal-query.ts";

/** Tells why requests are rejected, and the remedy; nothing while requests fit. */
function Refusals({ own }: { own: GroupBudget }) {
  const { t } = useTranslation("topup", "logs");
  const format = useFormatQuota();
  const { data: refusal } = useQuery(groupRefusalQuery(own));
  const left = own.budget.quota - own.budget.used;
  const time = formatTime(own.budget.renews_at);
  const isUsedUp = left <= 0;
  const needed = refusal?.needed ?? 0;
  if (!isUsedUp && needed <= left) return null;
  return (
    <Alert
      color="warning"
      variant="light"
      icon={<IconWallet size={18} />}
      title={t(isUsedUp ? "groupBudget.usedUp" : "groupBudget.tooSmall", { needed: format(needed) })}
    >
      <div>{t(isUsedUp ? "groupBudget.wait" : "groupBudget.shorten", { time })}</div>
      {refusal !== undefined && refusal !== null && (
        <div className={classes.last}>
          <span>
            {t("groupBudget.last")} <RelativeTime time={refusal.at} />
          </span>
          <TextLink to="/log" search={{ result: ["over-budget"] }} size="sm">
            {t("groupBudget.log")}
          </TextLink>
        </div>
      )}
    </Alert>
  );
}

/** Remaining budget of the own group, its reset, and the reason of rejected requests. */
export default function GroupBudgetCard({ own }: { own: GroupBudget }) {
  const { t } = useTranslation("topup");
  const { group, budget } = own;
  const format = useFormatQuota();
  const amounts = { used: format(budget.used), quota: format(budget.quota) };
  return (
    <section className={classes.budget} aria-label={t("groupBudget.title", { group })}>
      <Card isCompact>
        <div className={classes.line}>
          <div>
            <div className={classes.title}>{t("groupBudget.title", { group })}</div>
            <div className={classes.hint}>{t("groupBudget.hint")}</div>
          </div>
          <div className={classes.amount}>
            <BudgetText budget={budget} />
            <ShareBar used={budget.used} limit={budget.quota} label={t("groupBudget.used", amounts)} />
          </div>
        </div>
      </Card>
      <Refusals own={own} />
    </section>
  );
}
