import type { Delivery } from "@one-api/contract/notifications/receiver";
import type { DataColumn } from "../../../components/data-table/data-column.ts";
import { RelativeTime } from "../../../components/relative-time.tsx";
import type { Translate } from "../../../lib/i18n/text-keys.ts";
import { AlertKinds } from "../alert-kinds.tsx";
import { DeliveryState, DeliveryTime } from "../delivery-state.tsx";

/** `names` are the receivers' by id. */
export function deliveryColumns(
  t: Translate<"notifications">,
  names: ReadonlyMap<number, string>,
): DataColumn<Delivery>[] {
  return [
    {
      id: "created_at",
      header: t("columns.created"),
      card: "title",
      cell: ({ created_at }) => <RelativeTime time={created_at} />,
    },
    {
      id: "receiver",
      header: t("columns.receiver"),
      cell: ({ receiver_id }) => names.get(receiver_id) ?? `#${receiver_id}`,
    },
    {
      id: "count",
      header: t("columns.count"),
      align: "right",
      isEmpty: ({ count }) => count === 0,
      cell: ({ count }) => (count === 0 ? "–" : count),
    },
    {
      id: "alerts",
      header: t("columns.about"),
      priority: 2,
      cell: ({ count, alerts }) => (count === 0 ? t("test.message") : <AlertKinds kinds={alerts} />),
    },
    {
      id: "status",
      header: t("columns.state"),
      card: "wide",
      cell: (delivery) => <DeliveryState delivery={delivery} />,
    },
    { id: "attempts", header: t("columns.attempts"), align: "right", cell: ({ attempts }) => attempts },
    {
      id: "time",
      header: t("columns.delivered"),
      priority: 2,
      isEmpty: ({ status }) => status === "given-up",
      cell: (delivery) => <DeliveryTime delivery={delivery} />,
    },
  ];
}
