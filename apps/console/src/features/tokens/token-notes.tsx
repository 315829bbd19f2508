import { splitList } from "@one-api/contract/texts";
import { TOKEN_STATUS } from "@one-api/contract/token-constants";
import type { Token } from "@one-api/contract/token";
import { IconFileText, IconLock } from "@tabler/icons-react";
import { formatInteger } from "../../lib/format.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { OldKeyNote } from "./key/old-key-note.tsx";
import classes from "./token-columns.module.css";

const DAY_SECONDS = 86_400;
const UNUSED_DAYS = 30;

/** Whole days since the last use, or since the creation. */
function unusedDays({ accessed_time: used, created_time: created }: Token): number {
  return Math.floor((Date.now() / 1_000 - Math.max(used, created)) / DAY_SECONDS);
}

/** Restrictions of the token, in lines; empty for none. */
function useRestrictions(): (token: Token) => string[] {
  const { t, language } = useTranslation("tokens");
  return ({ models, subnet, rpm_limit: requests, tpm_limit: thousands }) => {
    const lists = [
      models !== "" && t("restricted.models", { list: splitList(models).join(", ") }),
      subnet !== "" && t("restricted.networks", { list: splitList(subnet).join(", ") }),
    ].filter((line) => line !== false);
    if (lists.length === 0) return [];
    const perMinute = [
      requests > 0 && t("restricted.requests", { amount: formatInteger(requests, language) }),
      thousands > 0 && t("restricted.tokens", { amount: formatInteger(thousands * 1_000, language) }),
    ];
    return [...lists, ...perMinute.filter((line) => line !== false)];
  };
}

export function TokenNotes({ token }: { token: Token }) {
  const { t, language } = useTranslation("tokens");
  const restrictions = useRestrictions()(token);
  const days = token.status === TOKEN_STATUS.enabled ? unusedDays(token) : 0;
  return (
    <>
      {restrictions.length > 0 && (
        <span className={classes.keeps} title={restrictions.join("\n")}>
          <IconLock size={14} aria-hidden="true" />
          {t("restricted.note")}
        </span>
      )}
      <OldKeyNote token={token} className={classes.keeps} />
      {days >= UNUSED_DAYS && (
        <span className={classes.flagged} title={t("unusedHint")}>
          {t("unused", { count: days, amount: formatInteger(days, language) })}
        </span>
      )}
      {token.flagged_count > 0 && (
        <span className={classes.flagged} title={t("flaggedHint")}>
          {t("flagged", { count: token.flagged_count })}
        </span>
      )}
      {token.keep_bodies && (
        <span className={classes.keeps} title={t("keepsBodiesHint")}>
          <IconFileText size={14} aria-hidden="true" />
          {t("keepsBodies")}
        </span>
      )}
    </>
  );
}
