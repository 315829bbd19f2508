import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { sortRows } from "../../lib/compare-cells.ts";
import type { Sort } from "../../lib/list-search.ts";
import type { ListRows } from "../../lib/use-list-rows.ts";
import type { ListSearch } from "../../lib/use-list-search.ts";
import { CardSort } from "./cards-view.tsx";
import type { DataColumn, RowsView } from "./data-column.ts";
import classes from "./data-list.module.css";
import { DataTable } from "./data-table.tsx";
import { EmptyState } from "./empty-state.tsx";
import { ListPager } from "./list-pager.tsx";
import { SearchBox } from "./search-box.tsx";

/** Says that filters leave nothing, and clears them. */
function NoMatch({ onClear }: { onClear(): void }) {
  const { t } = useTranslation();
  return (
    <EmptyState
      title={t("noMatch.title")}
      text={t("noMatch.text")}
      action={
        <Button variant="default" onClick={onClear}>
          {t("noMatch.clear")}
        </Button>
      }
    />
  );
}

/** The rows of the page in the order that is wanted: as the server sent them, unless it is an older one that sorts nothing and finds all at once. */
function arrangeRows<Row>(
  list: ListRows<Row>,
  columns: readonly DataColumn<Row>[],
  sort: Sort | undefined,
): readonly Row[] {
  const { rows, page, size, isSorted } = list;
  const sortBy = isSorted ? undefined : columns.find((column) => column.id === sort?.columnId)?.sortBy;
  const sorted = sortBy === undefined ? rows : sortRows(rows, sortBy, sort?.descending ?? false);
  return sorted.length > size ? sorted.slice((page - 1) * size, page * size) : sorted;
}

interface DataListProps<Row> extends Omit<RowsView<Row>, "rows" | "sort" | "onSort" | "isStale" | "placeholder"> {
  list: ListRows<Row>;
  search: ListSearch;
  /** Leave out for lists that cannot be searched. */
  searchPlaceholder?: string;
  /** Right of the search: filters, an order to choose. */
  filters?: ReactNode;
  /** At the right end: refresh, columns. */
  tools?: ReactNode;
  /** True when a filter beside the keyword is set: an empty list then is "no match". */
  isFiltered?: boolean;
  /** Resets the filters beside the keyword. */
  onClearFilters?: () => void;
  /** An EmptyState for a list that has no rows at all yet. */
  empty: ReactNode;
  hiddenColumns?: readonly string[];
}

/** A whole list: search, filters, table or cards, pages. Its view state is in the address. */
export function DataList<Row>(props: DataListProps<Row>) {
  const {
    list,
    search,
    columns,
    searchPlaceholder,
    filters,
    tools,
    isFiltered = false,
    onClearFilters,
    empty,
    ...view
  } = props;
  const rows = arrangeRows(list, columns, search.sort);
  const hasNoMatch = isFiltered || search.keyword !== "";
  const clear = () => {
    search.setKeyword("");
    onClearFilters?.();
  };
  const goToPage = (page: number) => {
    search.setPage(page);
    // A page that failed to load is tried again when it is asked for again.
    if (list.error !== null) list.retry();
  };
  return (
    <section>
      <div className={classes.toolbar}>
        {searchPlaceholder !== undefined && (
          <SearchBox value={search.keyword} onSearch={search.setKeyword} placeholder={searchPlaceholder} />
        )}
        {filters}
        <CardSort columns={columns} sort={search.sort} onSort={search.toggleSort} />
        {tools !== undefined && <div className={classes.tools}>{tools}</div>}
      </div>
      <DataTable
        {...view}
        columns={columns}
        rows={rows}
        sort={search.sort}
        onSort={search.toggleSort}
        isStale={list.isRefreshing}
        isPending={list.isPending}
        error={list.error}
        onRetry={list.retry}
        empty={hasNoMatch ? <NoMatch onClear={clear} /> : empty}
      />
      {(rows.length > 0 || search.page > 1) && (
        <ListPager list={{ ...list, rows }} onPage={goToPage} onSize={search.setSize} />
      )}
    </section>
  );
}
