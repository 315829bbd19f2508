import type { ManagementKey } from "@one-api/contract/accounts/management-key";
import { MANAGEMENT_KEY_PREFIX } from "@one-api/contract/accounts/management-key-constants";
import type { DataColumn } from "../../components/data-table/data-column.ts";
import { StatusBadge } from "../../components/status-badge.tsx";
import { RelativeTime } from "../../components/relative-time.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { TimeText } from "../../components/time-text.tsx";
import { timeUntil } from "../../lib/format.ts";
import type { Translate } from "../../lib/i18n/text-keys.ts";
import classes from "./management-keys.module.css";

interface ColumnContext {
  t: Translate<"management-keys">;
  language: string;
  /** Root sees the keys of every administrator. */
  withOwner: boolean;
}

function isOver({ expires_at: expiresAt }: ManagementKey): boolean {
  return expiresAt > 0 && expiresAt * 1_000 <= Date.now();
}

export function keyColumns(context: ColumnContext): DataColumn<ManagementKey>[] {
  const { t, withOwner } = context;
  const owner: DataColumn<ManagementKey> = { id: "owner", header: t("columns.owner"), cell: (key) => key.owner };
  return [...nameColumns(context), ...(withOwner ? [owner] : []), ...rightColumns(t), ...timeColumns(t)];
}

function nameColumns({ t, language }: ColumnContext): DataColumn<ManagementKey>[] {
  return [
    {
      id: "name",
      header: t("columns.name"),
      card: "title",
      cell: ({ id, name }) => (
        <TextLink className={classes.name ?? ""} to="/management-keys/edit/$id" params={{ id }} inherit>
          {name}
        </TextLink>
      ),
    },
    {
      id: "state",
      header: t("columns.state"),
      card: "badge",
      cell: (key) => (
        <StatusBadge tone={isOver(key) ? "neutral" : "good"}>{t(isOver(key) ? "expired" : "valid")}</StatusBadge>
      ),
    },
    {
      id: "hint",
      header: t("columns.key"),
      cell: ({ hint, old_key_ends_at: endsAt }) => (
        <>
          <code>{`${MANAGEMENT_KEY_PREFIX}…${hint}`}</code>
          {endsAt > 0 && <span className={classes.note}>{t("oldKey", { when: timeUntil(endsAt, language) })}</span>}
        </>
      ),
    },
  ];
}

/** More scopes than these are counted; the tip has them all. */
const LISTED_SCOPES = 3;

function Scopes({ scopes }: Pick<ManagementKey, "scopes">) {
  const more = scopes.length - LISTED_SCOPES;
  return (
    <span className={classes.list} title={scopes.join(", ")}>
      {scopes.slice(0, LISTED_SCOPES).join(", ")}
      {more > 0 && ` +${more}`}
    </span>
  );
}

function rightColumns(t: Translate<"management-keys">): DataColumn<ManagementKey>[] {
  return [
    {
      id: "scopes",
      header: t("columns.scopes"),
      priority: 2,
      cell: ({ scopes }) => <Scopes scopes={scopes} />,
    },
    {
      id: "networks",
      header: t("columns.networks"),
      priority: 3,
      cell: ({ networks }) => (
        <span className={classes.list}>{networks.length === 0 ? t("anywhere") : networks.join(", ")}</span>
      ),
    },
  ];
}

function timeColumns(t: Translate<"management-keys">): DataColumn<ManagementKey>[] {
  return [
    {
      id: "expires_at",
      header: t("columns.expires"),
      cell: ({ expires_at: at }) => <TimeText time={at} dateOnly never={t("never")} />,
    },
    {
      id: "last_used_at",
      header: t("columns.lastUsed"),
      cell: ({ last_used_at: at, last_used_address: address }) => (
        <>
          <RelativeTime time={at} never={t("unused")} />
          {address !== "" && <span className={classes.note}>{address}</span>}
        </>
      ),
    },
    {
      id: "created_at",
      header: t("columns.created"),
      priority: 3,
      card: "none",
      cell: ({ created_at: at }) => <TimeText time={at} dateOnly />,
    },
  ];
}
