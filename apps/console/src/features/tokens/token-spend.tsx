import type { ForeignToken } from "@one-api/contract/accounts/user-management";
import { TOKEN_STATUS } from "@one-api/contract/token-constants";
import { ShareBar } from "../../components/charts/share-bar.tsx";
import { Line } from "../../components/boxes/line-list.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { RelativeTime } from "../../components/relative-time.tsx";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { useFormatQuota } from "../../lib/use-format-quota.ts";
import { TokenStatus } from "./token-columns.tsx";

interface TokenSpendProps {
  token: Pick<ForeignToken, "name" | "status" | "used_quota" | "remain_quota" | "unlimited_quota" | "accessed_time">;
  /** Owner, for administrators. */
  username?: string;
}

/** A token with its spend, limit and last use; links to its log entries. */
export function TokenSpend({ token, username }: TokenSpendProps) {
  const { t } = useTranslation("tokens");
  const format = useFormatQuota();
  const { name, status, used_quota: used, remain_quota: remaining, unlimited_quota: isUnlimited } = token;
  const limit = used + Math.max(0, remaining);
  const spent = isUnlimited
    ? t("spend.ofBalance", { used: format(used) })
    : t("spend.ofLimit", { used: format(used), limit: format(limit) });
  return (
    <Line
      name={
        <TextLink
          to="/log"
          search={{ ...(username !== undefined && { username: [username] }), token_name: [name] }}
          inherit
        >
          {name}
        </TextLink>
      }
      end={spent}
    >
      {!isUnlimited && <ShareBar used={used} limit={limit} label={spent} />}
      {status !== TOKEN_STATUS.enabled && <TokenStatus status={status} />}
      <RelativeTime time={token.accessed_time} never={t("spend.neverUsed")} />
    </Line>
  );
}
