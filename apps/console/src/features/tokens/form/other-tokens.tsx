import { useQuery } from "@tanstack/react-query";
import { LineList } from "../../../components/boxes/line-list.tsx";
import { AsideSection } from "../../../components/form/parts/aside-section.tsx";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { useFormatQuota } from "../../../lib/use-format-quota.ts";
import { selfQuery } from "../../profile/self-queries.ts";
import { ownTokensQuery } from "../token-queries.ts";
import { TokenSpend } from "../token-spend.tsx";

const TOKENS_SHOWN = 4;

/** Spend and quota of the tokens that share the balance, the last used first. Empty without any. */
export function OtherTokens() {
  const { t } = useTranslation("tokens");
  const format = useFormatQuota();
  const { data: tokens = [] } = useQuery(ownTokensQuery);
  const own = useQuery({ ...selfQuery, meta: { quiet: true } });
  if (tokens.length === 0) return null;
  const shown = tokens.toSorted((one, other) => other.accessed_time - one.accessed_time).slice(0, TOKENS_SHOWN);
  return (
    <AsideSection
      title={t("others.title")}
      {...(own.data === undefined ? {} : { note: t("others.note", { balance: format(own.data.quota) }) })}
    >
      <LineList>
        {shown.map((token) => (
          <TokenSpend key={token.id} token={token} />
        ))}
      </LineList>
    </AsideSection>
  );
}
