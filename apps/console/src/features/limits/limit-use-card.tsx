import { useQuery } from "@tanstack/react-query";
import { SectionCard } from "../../components/form/form-section.tsx";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { LimitUseList } from "./limit-use-list.tsx";
import { limitUseQuery } from "./limit-use-query.ts";

export function AccountLimitsCard() {
  const { t } = useTranslation("limits");
  const { data } = useQuery(limitUseQuery([]));
  if (data === undefined || data.account.length === 0) return null;
  return (
    <SectionCard title={t("ofAccount")} description={t("ofAccountHint")}>
      <LimitUseList uses={data.account} uncounted={data.counts_all_servers ? undefined : data.servers} />
    </SectionCard>
  );
}

export function TokenLimitUse({ tokenId }: { tokenId: number }) {
  const { data } = useQuery(limitUseQuery([tokenId]));
  if (data === undefined) return null;
  const uses = data.tokens.find(({ id }) => id === tokenId)?.limits ?? [];
  return <LimitUseList uses={uses} uncounted={data.counts_all_servers ? undefined : data.servers} />;
}
