import { Button } from "@mantine/core";
import { PAGE_SIZE } from "@one-api/contract/constants";
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

/** The part of a list that is shown. */
interface ArrangedRows<Row> {
  readonly rows: readonly Row[];
  /** The page that `rows` are; less than the wanted one while that is still loading, or when the list ends before it. */
  readonly page: number;
  readonly pageCount: number | undefined;
  readonly hasNext: boolean;
}

/** Sorts the loaded rows by the column and cuts out the page. */
function arrangeRows<Row>(
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
  const { t } = useTranslation();
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
  const shown = arrangeRows(list, columns, search.sort, search.page);
  const isWaiting = list.isRefreshing && (shown.page < search.page || list.rows.length > 0);
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
  const isPartlySorted = search.sort !== undefined && list.hasMore;
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
        rows={shown.rows}
        sort={search.sort}
        onSort={search.toggleSort}
        isStale={isWaiting}
        isPending={list.isPending}
        error={list.error}
        onRetry={list.retry}
        empty={hasNoMatch ? <NoMatch onClear={clear} /> : empty}
      />
      {list.rows.length > 0 && (
        <ListPager
          page={shown.page}
          pageCount={shown.pageCount}
          total={list.total}
          hasNext={shown.hasNext}
          onPage={goToPage}
          note={isPartlySorted && <span>{t("pager.partlySorted", { count: list.rows.length })}</span>}
        />
      )}
    </section>
  );
}
