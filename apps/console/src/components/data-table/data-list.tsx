import { Button } from "@mantine/core";
import { type ReactNode, useDeferredValue, useMemo, useRef } from "react";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import type { ListRows } from "../../lib/list/use-list-rows.ts";
import type { ListSearch } from "../../lib/list/use-list-search.ts";
import { useDelayed } from "../../lib/use-delayed.ts";
import { useCardScreen } from "../../lib/browser/use-narrow-screen.ts";
import { CardsView, CardSort } from "./cards-view.tsx";
import { type ColumnChoice, ColumnPicker, useColumnChoice } from "./controls/column-picker.tsx";
import type { DataColumn, RowSelection, RowsView } from "./data-column.ts";
import classes from "./data-list.module.css";
import { EmptyState } from "./empty-state.tsx";
import { FilterSheet } from "./controls/filter-sheet.tsx";
import { ListError } from "./list-error.tsx";
import { ListPager } from "./controls/list-pager.tsx";
import { RowKeys } from "./rows/row-keys.tsx";
import { SelectionProvider } from "./rows/row-selection.tsx";
import { SearchBox, type ShownText } from "./controls/search-box.tsx";
import { TableView } from "./table-view.tsx";

function NoMatch({ hint, onClear }: { hint: string | undefined; onClear(): void }) {
  const { t } = useTranslation();
  return (
    <EmptyState
      title={t("noMatch.title")}
      text={hint === undefined ? t("noMatch.text") : `${t("noMatch.text")} ${hint}`}
      action={
        <Button variant="default" onClick={onClear}>
          {t("noMatch.clear")}
        </Button>
      }
    />
  );
}

const SKELETON_ROWS = 6;

/** Grey bars in the shape of rows; none of them, in the same height, with 0 columns. */
function SkeletonRows({ columns }: { columns: number }) {
  const { t } = useTranslation();
  const bars = Math.min(columns, 6);
  return (
    <div className={classes.rows} role="status" data-loading aria-label={t("loading", { prompt: t("loadingPage") })}>
      {Array.from({ length: SKELETON_ROWS }, (_row, row) => (
        <div key={row} className={classes.row}>
          {Array.from({ length: bars }, (_bar, bar) => (
            <span key={bar} className={classes.bar} data-size={(row * 5 + bar * 3) % 4} />
          ))}
        </div>
      ))}
    </div>
  );
}

interface DataTableProps<Row> extends Omit<RowsView<Row>, "placeholder"> {
  /** Nothing was loaded yet; rows of grey bars appear after 150 ms. */
  isPending?: boolean;
  error?: Error | null;
  onRetry?: () => void;
  empty: ReactNode;
}

function placeholderOf<Row>(props: DataTableProps<Row>, showSkeleton: boolean): ReactNode {
  if (props.isPending === true)
    return showSkeleton ? <SkeletonRows columns={props.columns.length} /> : <SkeletonRows columns={0} />;
  if (props.rows.length > 0) return undefined;
  if (props.error)
    return <ListError error={props.error} {...(props.onRetry === undefined ? {} : { onRetry: props.onRetry })} />;
  return props.empty;
}

/** Rows as a table, or as cards at 640 px and less; with every state in between: loading, error, nothing. */
function DataTable<Row>(props: DataTableProps<Row>) {
  const asCards = useCardScreen();
  const showSkeleton = useDelayed(props.isPending === true);
  const View = asCards ? CardsView : TableView;
  return <View {...props} placeholder={placeholderOf(props, showSkeleton)} />;
}

/** Renders the table later and in small steps: a hundred rows must not delay typing, choosing or scrolling. */
function DeferredTable<Row>({ view }: { view: DataTableProps<Row> }) {
  const deferred = useDeferredValue(view);
  // The first rows are what the page waits for, and an empty table delays nothing.
  const shown = deferred.rows.length === 0 && view.rows.length > 0 ? view : deferred;
  return useMemo(() => <DataTable {...shown} />, [shown]);
}

function tableStateOf<Row>(list: ListRows<Row>, search: ListSearch) {
  return {
    sort: search.sort,
    onSort: search.toggleSort,
    isStale: list.isRefreshing,
    isPending: list.isPending,
    error: list.error,
    onRetry: list.retry,
  };
}

interface DataListProps<Row> extends Omit<
  RowsView<Row>,
  "rows" | "sort" | "onSort" | "onResize" | "isStale" | "placeholder" | "frame" | "isSelectable"
> {
  id: string;
  list: ListRows<Row>;
  search: ListSearch;
  selection?: RowSelection;
  searchPlaceholder?: string;
  shownInSearch?: ShownText | undefined;
  filters?: ReactNode;
  filterCount?: number;
  /** True where the filters take a second line: a button opens them, as on phones. */
  foldsFilters?: boolean;
  views?: ReactNode;
  tools?: ReactNode;
  /** True when a filter beside the keyword is set: an empty list then is "no match". */
  isFiltered?: boolean;
  onClearFilters?: () => void;
  noMatchHint?: string;
  empty: ReactNode;
  /** Columns that the page has put away itself; the column menu does not have them then. */
  hiddenColumns?: readonly string[];
}

interface ListToolbarProps<Row> extends Pick<
  DataListProps<Row>,
  | "search"
  | "searchPlaceholder"
  | "shownInSearch"
  | "filters"
  | "filterCount"
  | "foldsFilters"
  | "onClearFilters"
  | "views"
  | "tools"
  | "columns"
> {
  choice: ColumnChoice<Row>;
}

function ListToolbar<Row>(props: ListToolbarProps<Row>) {
  const { search, searchPlaceholder, shownInSearch, filters, filterCount, views, tools, columns, choice } = props;
  const { foldsFilters = false } = props;
  const asCards = useCardScreen();
  const searchBox = searchPlaceholder !== undefined && (
    <SearchBox
      value={search.keyword}
      onSearch={search.setKeyword}
      placeholder={searchPlaceholder}
      shown={shownInSearch}
    />
  );
  const shareLine = asCards && searchPlaceholder !== undefined && tools !== undefined;
  return (
    <div className={classes.toolbar}>
      {shareLine ? (
        <div className={classes.line}>
          {searchBox}
          {tools}
        </div>
      ) : (
        searchBox
      )}
      {(asCards || foldsFilters) && filterCount !== undefined ? (
        <FilterSheet count={filterCount} onClear={props.onClearFilters}>
          {filters}
        </FilterSheet>
      ) : (
        filters
      )}
      {views}
      <CardSort columns={columns} sort={search.sort} onSort={search.toggleSort} />
      {!shareLine && (tools !== undefined || !asCards) && (
        <div className={classes.tools}>
          {tools}
          {!asCards && <ColumnPicker columns={columns} choice={choice} />}
        </div>
      )}
    </div>
  );
}

interface NoRowsProps {
  search: ListSearch;
  isFiltered: boolean;
  onClearFilters: (() => void) | undefined;
  noMatchHint: string | undefined;
  empty: ReactNode;
}

function NoRows({ search, isFiltered, onClearFilters, noMatchHint, empty }: NoRowsProps) {
  if (!isFiltered && search.keyword === "") return empty;
  const clear = () => {
    search.setKeyword("");
    onClearFilters?.();
  };
  return <NoMatch hint={noMatchHint} onClear={clear} />;
}

/** The same list for the same columns: rows are rendered again with another one. `hiddenIds` are separated by commas. */
function useColumnsBut<Row>(columns: readonly DataColumn<Row>[], hiddenIds: string): readonly DataColumn<Row>[] {
  return useMemo(() => columns.filter(({ id }) => !hiddenIds.split(",").includes(id)), [columns, hiddenIds]);
}

/** A whole list: search, filters, table or cards, pages. Its view state is in the address. */
export function DataList<Row>(props: DataListProps<Row>) {
  const { id, list, search, hiddenColumns = [], ...rest } = props;
  const { columns: allColumns, isFiltered = false, onClearFilters, noMatchHint, empty, selection, ...view } = rest;
  const narrowing = { isFiltered, onClearFilters, noMatchHint, empty };
  const frame = useRef<HTMLDivElement>(null);
  const columns = useColumnsBut(allColumns, hiddenColumns.join());
  const choice = useColumnChoice(id, columns, frame);
  const asCards = useCardScreen();
  const { rows } = list;
  const isPaged = rows.length > 0 || search.page > 1;
  // It goes with the rows, which stay a little longer.
  const hasPages = useDeferredValue(isPaged) || isPaged;
  const goToPage = (page: number) => {
    search.setPage(page);
    // A page that failed to load is tried again when it is asked for again.
    if (list.error !== null) list.retry();
  };
  return (
    <section>
      <ListToolbar {...props} columns={columns} choice={choice} />
      <SelectionProvider selection={selection} keys={rows.map(view.rowKey)}>
        <DeferredTable
          view={{
            ...view,
            ...tableStateOf(list, search),
            frame,
            rows,
            isSelectable: selection !== undefined,
            columns: asCards ? columns : choice.shown,
            onResize: choice.resize,
            empty: <NoRows search={search} {...narrowing} />,
          }}
        />
        <RowKeys view={{ ...view, rows, isSelectable: selection !== undefined }} />
      </SelectionProvider>
      {hasPages && <ListPager list={list} onPage={goToPage} onSize={search.setSize} />}
    </section>
  );
}
