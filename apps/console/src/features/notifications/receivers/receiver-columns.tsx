import type { Receiver } from "@one-api/contract/notifications/receiver";
import type { DataColumn } from "../../../components/data-table/data-column.ts";
import { StatusBadge } from "../../../components/status-badge.tsx";
import { TextLink } from "../../../components/text-link.tsx";
import type { Translate } from "../../../lib/i18n/text-keys.ts";
import { AlertKinds } from "../alert-kinds.tsx";
import { DeliveryState } from "../delivery-state.tsx";
import classes from "../notifications.module.css";

export function receiverColumns(t: Translate<"notifications">): DataColumn<Receiver>[] {
  return [
    {
      id: "name",
      header: t("columns.name"),
      card: "title",
      cell: ({ id, name }) => (
        <TextLink className={classes.name ?? ""} to="/notifications/edit/$id" params={{ id }} inherit>
          {name}
        </TextLink>
      ),
    },
    { id: "kind", header: t("columns.kind"), cell: ({ kind }) => t(`kinds.${kind}`) },
    { id: "address", header: t("columns.address"), priority: 3, cell: ({ address }) => address },
    { id: "alerts", header: t("columns.alerts"), priority: 2, cell: ({ alerts }) => <AlertKinds kinds={alerts} /> },
    {
      id: "quiet_hours",
      header: t("columns.quietHours"),
      priority: 3,
      isEmpty: ({ quiet_hours }) => quiet_hours === null,
      cell: ({ quiet_hours: quiet }) =>
        quiet === null ? (
          "–"
        ) : (
          <>
            {`${quiet.start}–${quiet.end}`}
            <span className={classes.note}>{quiet.time_zone}</span>
          </>
        ),
    },
    {
      id: "enabled",
      header: t("columns.state"),
      card: "badge",
      cell: ({ enabled }) => (
        <StatusBadge tone={enabled ? "good" : "neutral"}>{t(enabled ? "enabled" : "disabled")}</StatusBadge>
      ),
    },
    {
      id: "last_delivery",
      header: t("columns.lastDelivery"),
      card: "wide",
      cell: ({ last_delivery: last }) => (last === null ? t("noDelivery") : <DeliveryState delivery={last} withTime />),
    },
  ];
}
