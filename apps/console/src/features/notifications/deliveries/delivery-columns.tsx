import type { Delivery } from "@one-api/contract/notifications/receiver";
import type { DataColumn } from "../../../components/data-table/data-column.ts";
import { RelativeTime } from "../../../components/relative-time.tsx";
import type { Translate } from "../../../lib/i18n/text-keys.ts";
import { AlertKinds } from "../alert-kinds.tsx";
import { DeliveryCause, DeliveryState, DeliveryTime } from "../delivery-state.tsx";

interface ColumnParts {
  t: Translate<"notifications">;
  /** Names of the receivers by id. */
  names: ReadonlyMap<number, string>;
  /** On a card the cause of a failure stands below the title, which the state is beside. */
  asCards: boolean;
}

export function deliveryColumns({ t, names, asCards }: ColumnParts): DataColumn<Delivery>[] {
  const cause: DataColumn<Delivery> = {
    id: "cause",
    header: t("columns.state"),
    card: "plain",
    isEmpty: ({ error }) => error === "",
    cell: ({ error }) => <DeliveryCause error={error} />,
  };
  return [
    {
      id: "created_at",
      header: t("columns.created"),
      cell: ({ created_at }) => <RelativeTime time={created_at} />,
    },
    {
      id: "receiver",
      header: t("columns.receiver"),
      card: "title",
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
      card: "badge",
      cell: (delivery) => <DeliveryState delivery={delivery} withCause={!asCards} />,
    },
    ...(asCards ? [cause] : []),
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
