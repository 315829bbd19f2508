import { Progress } from "@mantine/core";
import type { Channel } from "@one-api/contract/channels/channel";
import { useQuery } from "@tanstack/react-query";
import { Card } from "../../components/boxes/card.tsx";
import { Stat, Stats } from "../../components/boxes/stat.tsx";
import { QuotaText } from "../../components/quota-text.tsx";
import { formatMoney } from "../../lib/format.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { useStoredStatus } from "../../lib/state/stored-status.ts";
import { trafficQuery } from "./page-queries.ts";

/** Spend of a channel beside its limit. */
export function SpendingCard({ channel }: { channel: Channel }) {
  const { t } = useTranslation("channel-page");
  const { data: traffic } = useQuery(trafficQuery(channel.id));
  const { quota_per_unit: quotaPerUnit } = useStoredStatus();
  const limit = channel.soft_limit_usd;
  const counted = traffic?.spent_quota ?? channel.used_quota;
  const share = counted / (limit * quotaPerUnit);
  return (
    <Card title={t("spending")} description={t("limitHint")}>
      <Stats>
        <Stat label={t("spentInAll")}>
          <QuotaText quota={channel.used_quota} />
        </Stat>
        <Stat label={t("counted")}>
          <QuotaText quota={counted} />
        </Stat>
        <Stat label={t("limit")}>{formatMoney(limit)}</Stat>
      </Stats>
      <Progress
        mt="sm"
        size={6}
        value={Math.min(100, share * 100)}
        color={share >= 1 ? "danger" : share >= 0.8 ? "warning" : "accent"}
        aria-label={t("counted")}
      />
    </Card>
  );
}
