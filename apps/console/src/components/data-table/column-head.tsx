import { IconArrowDown, IconArrowUp, IconSelector } from "@tabler/icons-react";
import type { Sort } from "../../lib/list-search.ts";
import type { DataColumn } from "./data-column.ts";
import classes from "./table-view.module.css";

interface ColumnHeadProps<Row> {
  column: DataColumn<Row>;
  sort: Sort | undefined;
  onSort?: ((columnId: string) => void) | undefined;
}

/** The head of a column; pressing it sorts, a repeat reverses. */
export function ColumnHead<Row>({ column, sort, onSort }: ColumnHeadProps<Row>) {
  const isSorted = sort?.columnId === column.id;
  const direction = sort?.descending === true ? "descending" : "ascending";
  const size = column.width === undefined ? {} : { style: { width: column.width, minWidth: column.width } };
  if (column.sortBy === undefined || onSort === undefined) {
    return (
      <th scope="col" data-align={column.align} title={column.hint} {...size}>
        <span className={classes.head}>{column.header}</span>
      </th>
    );
  }
  const SortIcon = !isSorted ? IconSelector : direction === "descending" ? IconArrowDown : IconArrowUp;
  return (
    <th scope="col" data-align={column.align} aria-sort={isSorted ? direction : "none"} title={column.hint} {...size}>
      <button type="button" className={classes.sort} data-sorted={isSorted} onClick={() => onSort(column.id)}>
        {column.header}
        <SortIcon size={14} aria-hidden="true" />
      </button>
    </th>
  );
}
