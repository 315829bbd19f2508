import type { Redemption } from "@one-api/contract/redemption";
import { Facts } from "../../components/boxes/facts.tsx";
import { AsideSection } from "../../components/form/parts/aside-section.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { TimeText } from "../../components/time-text.tsx";
import { formatInteger } from "../../lib/format.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { useFormatQuota } from "../../lib/use-format-quota.ts";
import { WhatItBuys } from "../tokens/form/what-it-buys.tsx";
import { RedemptionStatus } from "./redemption-columns.tsx";

/** What new codes give away, and what each of them buys. */
export function BatchAside({ count, each }: { count: number; each: number }) {
  const { t, language } = useTranslation("redemptions");
  const format = useFormatQuota();
  return (
    <>
      <AsideSection title={t("aside.batch")}>
        <Facts
          layout="lines"
          facts={[
            { label: t("form.count"), value: formatInteger(count, language), isNumber: true },
            { label: t("aside.each"), value: format(each), isNumber: true },
            { label: t("aside.sum"), value: <strong>{format(count * each)}</strong>, isNumber: true },
            { label: t("columns.redeemedBy"), value: t("aside.anyone") },
            { label: t("aside.until"), value: t("aside.noEnd") },
          ]}
        />
      </AsideSection>
      <WhatItBuys quota={each} />
    </>
  );
}

/** What happened to a stored code. */
export function CodeAside({ redemption }: { redemption: Redemption }) {
  const { t } = useTranslation("redemptions");
  const { name, status, created_time, redeemed_time, redeemed_by, batch_count: count, batch_used: used } = redemption;
  return (
    <AsideSection title={t("aside.code")}>
      <Facts
        layout="lines"
        facts={[
          { label: t("columns.status"), value: <RedemptionStatus status={status} /> },
          { label: t("columns.created"), value: <TimeText time={created_time} /> },
          { label: t("columns.redeemed"), value: <TimeText time={redeemed_time} never={t("notYet")} /> },
          redeemed_by !== "" && {
            label: t("columns.redeemedBy"),
            value: (
              <TextLink to="/log" search={{ username: [redeemed_by] }} inherit>
                {redeemed_by}
              </TextLink>
            ),
          },
          count > 1 && {
            label: t("columns.batch"),
            value: (
              <TextLink to="/redemption" search={{ keyword: name }} inherit>
                {t("batch", { total: count, used })}
              </TextLink>
            ),
          },
        ]}
      />
    </AsideSection>
  );
}
