import { PAGE_SIZE } from "@one-api/contract/constants";
import { sortRows } from "../../lib/compare-cells.ts";
import type { Sort } from "../../lib/list-search.ts";
import type { ListRows } from "../../lib/use-list-rows.ts";
import type { DataColumn } from "./data-column.ts";

/** The part of a list that is shown. */
export interface ArrangedRows<Row> {
  readonly rows: readonly Row[];
  /** The page that `rows` are; less than the wanted one while that is still loading, or when the list ends before it. */
  readonly page: number;
  readonly pageCount: number | undefined;
  readonly hasNext: boolean;
}

/** Sorts the loaded rows by the column and cuts out the page. */
export function arrangeRows<Row>(
  list: ListRows<Row>,
  columns: readonly DataColumn<Row>[],
  sort: Sort | undefined,
  wantedPage: number,
): ArrangedRows<Row> {
  const sortBy = columns.find((column) => column.id === sort?.columnId)?.sortBy;
  const sorted = sortBy === undefined ? list.rows : sortRows(list.rows, sortBy, sort?.descending ?? false);
  const loadedPages = Math.max(1, Math.ceil(sorted.length / PAGE_SIZE));
  const page = Math.min(wantedPage, loadedPages);
  const knownPages = list.total === undefined ? undefined : Math.max(loadedPages, Math.ceil(list.total / PAGE_SIZE));
  return {
    rows: sorted.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE),
    page,
    pageCount: list.hasMore ? knownPages : loadedPages,
    hasNext: page < loadedPages || list.hasMore,
  };
}
