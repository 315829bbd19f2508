import type { Redemption } from "@one-api/contract/redemption";
import { Facts } from "../../components/boxes/facts.tsx";
import { AsideSection } from "../../components/form/parts/aside-section.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { TimeText } from "../../components/time-text.tsx";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import classes from "./redemption-columns.module.css";
import { endOfCode, RedemptionStatus } from "./redemption-columns.tsx";

/** Which code this is, and its state: many share a name. */
export function CodeFacts({ redemption }: { redemption: Redemption }) {
  const { t } = useTranslation("redemptions");
  const { id, name, status, batch_count: count, batch_used: used } = redemption;
  return (
    <span className={classes.facts} data-facts>
      <code>{endOfCode(redemption)}</code>
      <span>
        {t("columns.id")} {id}
      </span>
      <RedemptionStatus status={status} />
      {count > 1 && (
        <span>
          {t("columns.batch")}{" "}
          <TextLink to="/redemption" search={{ keyword: name }} inherit>
            {t("batch", { total: count, used })}
          </TextLink>
        </span>
      )}
    </span>
  );
}

/** What happened to a stored code. */
export function CodeAside({ redemption }: { redemption: Redemption }) {
  const { t } = useTranslation("redemptions");
  const { created_time, redeemed_time, redeemed_by } = redemption;
  return (
    <AsideSection title={t("aside.code")}>
      <Facts
        layout="lines"
        facts={[
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
        ]}
      />
    </AsideSection>
  );
}
