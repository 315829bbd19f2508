import type { Channel } from "@one-api/contract/channels/channel";
import type { DataColumn } from "../../../components/data-table/data-column.ts";
import type { Translate } from "../../../lib/i18n/text-keys.ts";
import { ErrorsCell, FirstTokenCell, RequestsCell, SpendCell } from "./traffic-cells.tsx";

/** Columns of the last 24 hours. Their ids are orders of the list. */
export function trafficColumns(t: Translate<"channels" | "common">): DataColumn<Channel>[] {
  const hint = t("traffic.hint");
  return [
    {
      id: "requests",
      header: t("columns.requests"),
      align: "right",
      card: "third",
      hint,
      cell: (channel) => <RequestsCell channel={channel} />,
      isSortable: true,
    },
    {
      id: "error_rate",
      header: t("columns.errors"),
      align: "right",
      card: "third",
      hint,
      cell: (channel) => <ErrorsCell channel={channel} />,
      isSortable: true,
    },
    {
      id: "spend",
      priority: 2,
      header: t("columns.spend"),
      align: "right",
      card: "third",
      hint,
      cell: (channel) => <SpendCell channel={channel} />,
      isSortable: true,
    },
    {
      id: "first_byte",
      priority: 3,
      header: t("columns.firstToken"),
      align: "right",
      card: "third",
      hint: t("traffic.firstTokenHint"),
      cell: (channel) => <FirstTokenCell channel={channel} />,
      isSortable: true,
    },
  ];
}
