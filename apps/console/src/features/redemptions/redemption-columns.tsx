import type { Redemption } from "@one-api/contract/redemption";
import { REDEMPTION_STATUS } from "@one-api/contract/redemption-constants";
import { ShareBar } from "../../components/charts/share-bar.tsx";
import type { DataColumn } from "../../components/data-table/data-column.ts";
import { idColumn } from "../../components/data-table/rows/id-column.tsx";
import { QuotaText } from "../../components/quota-text.tsx";
import { StatusBadge, type StatusTone } from "../../components/status-badge.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { RelativeTime } from "../../components/relative-time.tsx";
import type { Translate } from "../../lib/i18n/text-keys.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { isOfBatch } from "./redemption-batches.tsx";
import classes from "./redemption-columns.module.css";

const looks = new Map<number, { readonly name: keyof typeof REDEMPTION_STATUS; readonly tone: StatusTone }>([
  [REDEMPTION_STATUS.unused, { name: "unused", tone: "good" }],
  [REDEMPTION_STATUS.disabled, { name: "disabled", tone: "neutral" }],
  [REDEMPTION_STATUS.used, { name: "used", tone: "neutral" }],
]);

export function RedemptionStatus({ status }: { status: number }) {
  const { t } = useTranslation("redemptions");
  const { name, tone } = looks.get(status) ?? { name: "unknown" as const, tone: "neutral" as const };
  return <StatusBadge tone={tone}>{t(`status.${name}`)}</StatusBadge>;
}

const SHOWN_END_LENGTH = 4;

/** The recognizable part of a code only: codes are money. */
export const endOfCode = ({ key }: Redemption) => `…${key.slice(-SHOWN_END_LENGTH)}`;

interface IdentityProps {
  redemption: Redemption;
  /** Under the title of its batch, which has the name. */
  isGrouped: boolean;
}

/** Name of a code, and its recognizable part. */
function RedemptionIdentity({ redemption, isGrouped }: IdentityProps) {
  const { id, name } = redemption;
  const end = endOfCode(redemption);
  if (isGrouped && isOfBatch(redemption)) {
    return (
      <TextLink className={classes.name ?? ""} to="/redemption/edit/$id" params={{ id }} title={name} inherit>
        <span className="visually-hidden">{name} </span>
        <code>{end}</code>
      </TextLink>
    );
  }
  return (
    <div className={classes.identity}>
      <TextLink className={classes.name ?? ""} to="/redemption/edit/$id" params={{ id }} title={name} inherit>
        {name}
      </TextLink>
      <code className={classes.key}>{end}</code>
    </div>
  );
}

/** How much of a batch is redeemed; leads to its codes. */
function BatchUse({ redemption: { name, batch_count: count, batch_used: used } }: { redemption: Redemption }) {
  const { t } = useTranslation("redemptions");
  if (count < 2) return <span className={classes.quiet}>–</span>;
  const text = t("batch", { total: count, used });
  return (
    <div className={classes.batch}>
      <TextLink className={classes.batchText ?? ""} to="/redemption" search={{ keyword: name }} inherit>
        {text}
      </TextLink>
      <ShareBar used={used} limit={count} label={text} isNeutral />
    </div>
  );
}

/** When and by whom a code was redeemed. */
function Redeemed({ redemption: { redeemed_time: time, redeemed_by: username } }: { redemption: Redemption }) {
  if (time === 0) return <span className={classes.quiet}>–</span>;
  return (
    <>
      <RelativeTime time={time} />
      {username !== "" && (
        <>
          {" · "}
          <TextLink to="/log" search={{ username: [username] }} inherit>
            {username}
          </TextLink>
        </>
      )}
    </>
  );
}

function redeemedColumns(t: Translate<"redemptions">): DataColumn<Redemption>[] {
  return [
    {
      id: "created_time",
      priority: 2,
      card: "third",
      header: t("columns.created"),
      cell: ({ created_time }) => <RelativeTime time={created_time} />,
      isSortable: true,
    },
    {
      id: "redeemed_time",
      card: "third",
      header: t("columns.redeemed"),
      isEmpty: ({ redeemed_time }) => redeemed_time === 0,
      cell: (redemption) => <Redeemed redemption={redemption} />,
      isSortable: true,
    },
  ];
}

/** The columns of the list; `isGrouped`: its rows stand under titles of their batches. */
export function redemptionColumns(t: Translate<"redemptions">, isGrouped: boolean): DataColumn<Redemption>[] {
  return [
    idColumn(t("columns.id")),
    {
      id: "name",
      header: t("columns.name"),
      card: "title",
      cell: (redemption) => <RedemptionIdentity redemption={redemption} isGrouped={isGrouped} />,
      isSortable: true,
    },
    {
      id: "status",
      header: t("columns.status"),
      card: "badge",
      cell: ({ status }) => <RedemptionStatus status={status} />,
      isSortable: true,
    },
    {
      id: "quota",
      card: "third",
      header: t("columns.quota"),
      align: "right",
      cell: ({ quota }) => <QuotaText quota={quota} />,
      isSortable: true,
    },
    {
      id: "batch",
      priority: 2,
      header: t("columns.batch"),
      isEmpty: ({ batch_count }) => batch_count < 2,
      cell: (redemption) => <BatchUse redemption={redemption} />,
    },
    ...redeemedColumns(t),
  ];
}
