import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { type ListSource, listPageQuery, loadAllRows } from "./list-query.ts";
import type { ListSearch } from "./use-list-search.ts";

export interface ListRows<Row> {
  readonly rows: readonly Row[];
  readonly page: number;
  readonly size: number;
  readonly total: number;
  readonly pageCount: number;
  readonly isPending: boolean;
  /** The shown rows are old, new ones are loading. */
  readonly isRefreshing: boolean;
  readonly error: Error | null;
  retry(): void;
}

export interface PagedRows<Row> extends ListRows<Row> {
  /** Key of list and filters, independent of page and order. */
  readonly filter: string;
  /** Loads the rows of all pages, page by page. Rejects when one does not come. */
  loadAll(): Promise<readonly Row[]>;
}

/** Loads the page of a list that the address names. The last page's rows stay until it is there. */
export function useListRows<Row>(source: ListSource<Row>, search: ListSearch): PagedRows<Row> {
  const { page, size, keyword } = search;
  const client = useQueryClient();
  const query = useQuery({ ...listPageQuery(source, search), placeholderData: keepPreviousData });
  const { rows, total } = query.data ?? { rows: [], total: 0 };
  const pageCount = Math.max(1, Math.ceil(total / size));
  const isBeyond = query.isSuccess && !query.isPlaceholderData && page > pageCount;
  useEffect(() => {
    if (isBeyond) search.setPage(pageCount, { replace: true });
  });
  return {
    rows,
    page,
    size,
    total,
    pageCount,
    isPending: query.isPending || isBeyond,
    isRefreshing: query.isFetching && !query.isPending,
    error: query.error,
    retry: () => void query.refetch(),
    filter: JSON.stringify([source.queryKey, keyword]),
    loadAll: () => loadAllRows(source, keyword, client),
  };
}
