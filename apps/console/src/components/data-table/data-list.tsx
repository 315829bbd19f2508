import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { ListRows } from "../../lib/use-list-rows.ts";
import type { ListSearch } from "../../lib/use-list-search.ts";
import { arrangeRows } from "./arrange-rows.ts";
import { CardSort } from "./card-sort.tsx";
import classes from "./data-list.module.css";
import { DataTable } from "./data-table.tsx";
import { ListPager } from "./list-pager.tsx";
import { NoMatch } from "./no-match.tsx";
import { SearchBox } from "./search-box.tsx";
import type { RowsView } from "./table-model.ts";

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
