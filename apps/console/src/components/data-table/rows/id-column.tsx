import type { DataColumn } from "../data-column.ts";
import classes from "./id-column.module.css";

export function idColumn<Row extends { readonly id: number }>(header: string): DataColumn<Row> {
  return {
    id: "id",
    priority: 4,
    header,
    card: "none",
    cell: ({ id }) => <span className={classes.id}>{id}</span>,
    isSortable: true,
  };
}
