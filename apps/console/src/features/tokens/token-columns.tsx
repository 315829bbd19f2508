import { ActionIcon } from "@mantine/core";
import type { LimitUse } from "@one-api/contract/limits/limit-use";
import { NEVER_EXPIRES, TOKEN_STATUS } from "@one-api/contract/token-constants";
import type { Token } from "@one-api/contract/token";
import { IconCopy } from "@tabler/icons-react";
import type { Translate } from "../../lib/i18n/text-keys.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import type { DataColumn } from "../../components/data-table/data-column.ts";
import { ShareBar } from "../../components/charts/share-bar.tsx";
import { BudgetText } from "../../components/budget-text.tsx";
import { QuotaText } from "../../components/quota-text.tsx";
import { StatusBadge, type StatusTone } from "../../components/status-badge.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { RelativeTime } from "../../components/relative-time.tsx";
import { TimeText } from "../../components/time-text.tsx";
import { useFormatQuota } from "../../lib/use-format-quota.ts";
import { LimitUseLine } from "../limits/limit-use-list.tsx";
import type { CopyText } from "./use-copy-or-show.tsx";
import classes from "./token-columns.module.css";
import { TokenNotes } from "./token-notes.tsx";
import { fullKey, maskedKey } from "./token-sharing.ts";

type TokenTexts = Translate<"tokens" | "budgets" | "limits" | "common">;

interface StatusLook {
  readonly name: keyof typeof TOKEN_STATUS | "unknown";
  readonly tone: StatusTone;
}

const looks = new Map<number, StatusLook>([
  [TOKEN_STATUS.enabled, { name: "enabled", tone: "good" }],
  [TOKEN_STATUS.disabled, { name: "disabled", tone: "neutral" }],
  [TOKEN_STATUS.expired, { name: "expired", tone: "warning" }],
  [TOKEN_STATUS.exhausted, { name: "exhausted", tone: "danger" }],
]);

/** Name and tone of a token's state; states that the console does not know are `unknown`. */
export function tokenStatusLook(status: number): StatusLook {
  return looks.get(status) ?? { name: "unknown", tone: "neutral" };
}

export function TokenStatus({ status }: { status: number }) {
  const { t } = useTranslation("tokens");
  const { name, tone } = tokenStatusLook(status);
  return (
    <StatusBadge tone={tone} title={t(`statusHints.${name}`)}>
      {t(`status.${name}`)}
    </StatusBadge>
  );
}

function TokenIdentity({ token, copy }: { token: Token; copy: CopyText }) {
  const { t } = useTranslation("tokens");
  return (
    <div className={classes.identity}>
      <TextLink
        className={classes.name ?? ""}
        to="/token/edit/$id"
        params={{ id: token.id }}
        title={token.name}
        inherit
      >
        {token.name}
      </TextLink>
      <span className={classes.key}>
        <code>{maskedKey(token)}</code>
        <ActionIcon
          data-tip={t("copy.plainKey")}
          size={24}
          className={classes.copyKey ?? ""}
          aria-label={t("copy.plainKeyOf", { name: token.name })}
          onClick={() => copy(fullKey(token), t("copy.keyDone"))}
        >
          <IconCopy size={14} />
        </ActionIcon>
      </span>
    </div>
  );
}

/** Spend, with a bar of its share of the quota where the token has one. */
function UsedQuota({
  token: { remain_quota: remaining, used_quota: used, unlimited_quota: isUnlimited },
}: {
  token: Token;
}) {
  const { t } = useTranslation("tokens");
  const format = useFormatQuota();
  const limit = used + Math.max(0, remaining);
  return (
    <div className={classes.used}>
      <span>
        <QuotaText quota={used} />{" "}
        {!isUnlimited && <span className={classes.quiet}>{t("spend.limit", { limit: format(limit) })}</span>}
      </span>
      {used > 0 && !isUnlimited && (
        <ShareBar used={used} limit={limit} label={t("spentOf", { used: format(used), limit: format(limit) })} />
      )}
    </div>
  );
}

function quotaColumns(t: TokenTexts): DataColumn<Token>[] {
  return [
    {
      id: "used_quota",
      header: t("columns.used"),
      align: "right",
      cell: (token) => <UsedQuota token={token} />,
      isSortable: true,
    },
    {
      id: "remain_quota",
      header: t("columns.remaining"),
      align: "right",
      cell: (token) =>
        token.unlimited_quota ? (
          <span className={classes.quiet}>{t("unlimited")}</span>
        ) : (
          <QuotaText quota={token.remain_quota} />
        ),
      isSortable: true,
    },
    { id: "budget", header: t("budgets:title"), cell: (token) => <BudgetText budget={token.budget} /> },
  ];
}

const NEAR_SECONDS = 2 * 86_400;

const isNear = (time: number) => Math.abs(Date.now() / 1_000 - time) < NEAR_SECONDS;

/** The day of an expiry, or how near it is. */
function expiryCell({ expired_time: time }: Token) {
  return isNear(time) ? <RelativeTime time={time} /> : <TimeText time={time} dateOnly />;
}

function timeColumns(t: TokenTexts): DataColumn<Token>[] {
  return [
    {
      id: "created_time",
      priority: 3,
      header: t("columns.created"),
      card: "none",
      cell: (token) => <TimeText time={token.created_time} dateOnly />,
      isSortable: true,
    },
    {
      id: "expired_time",
      priority: 2,
      header: t("columns.expires"),
      cell: (token) =>
        token.expired_time === NEVER_EXPIRES ? <span className={classes.quiet}>{t("never")}</span> : expiryCell(token),
      isSortable: true,
    },
    {
      id: "accessed_time",
      priority: 2,
      header: t("columns.lastUsed"),
      cell: (token) =>
        token.accessed_time > 0 ? (
          <RelativeTime time={token.accessed_time} />
        ) : (
          <span className={classes.quiet}>{t("neverUsed")}</span>
        ),
      isSortable: true,
    },
  ];
}

/** The columns of the token list; `copy` takes what the icon beside a key copies, `uses` has the nearest limit of each token. */
export function tokenColumns(t: TokenTexts, copy: CopyText, uses: ReadonlyMap<number, LimitUse>): DataColumn<Token>[] {
  return [
    {
      id: "name",
      header: t("columns.name"),
      card: "title",
      cell: (token) => <TokenIdentity token={token} copy={copy} />,
      isSortable: true,
    },
    {
      id: "status",
      header: t("columns.status"),
      card: "badge",
      cell: (token) => (
        <div className={classes.state}>
          <TokenStatus status={token.status} />
          <TokenNotes token={token} />
        </div>
      ),
      isSortable: true,
    },
    ...quotaColumns(t),
    {
      id: "limits",
      priority: 3,
      header: t("limits:now"),
      // A limit that nothing counts against at the moment decides nothing.
      isEmpty: ({ id }) => (uses.get(id)?.used ?? 0) === 0,
      cell: ({ id }) => {
        const use = uses.get(id);
        if (use === undefined) return <span className={classes.quiet}>–</span>;
        return use.used === 0 ? <span className={classes.quiet}>{t("idle")}</span> : <LimitUseLine use={use} />;
      },
    },
    ...timeColumns(t),
  ];
}
