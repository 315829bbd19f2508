import { keepPreviousData, useInfiniteQuery, type InfiniteData, type QueryKey } from "@tanstack/react-query";
import { PAGE_SIZE } from "@one-api/contract/constants";
import { useEffect } from "react";
import type { RowList } from "./api-client.ts";

/** What the cache keeps of a list: the server's pages as they were loaded. */
export type ListCache<Row> = InfiniteData<RowList<readonly Row[]>, number>;

interface ListSource<Row> {
  /** Begins with the noun and "list", then everything that changes the rows but page and keyword: `["tokens", "list", { order }]`. */
  queryKey: QueryKey;
  /** The page that is shown, from 1. */
  page: number;
  /** Empty for the whole list. */
  keyword: string;
  /** Loads a page of the server, from 0. */
  fetchPage(page: number, signal: AbortSignal): Promise<RowList<readonly Row[]>>;
  /** Finds rows by a keyword, all at once; lists without a search leave it out. */
  searchRows?(keyword: string, signal: AbortSignal): Promise<RowList<readonly Row[]>>;
}

/** The rows of a list that are loaded so far. */
export interface ListRows<Row> {
  readonly rows: readonly Row[];
  /** How many rows the server has in all; undefined when it does not say. */
  readonly total: number | undefined;
  readonly hasMore: boolean;
  /** Nothing to show yet. */
  readonly isPending: boolean;
  /** Shown rows are old, new ones are on their way. */
  readonly isRefreshing: boolean;
  readonly error: Error | null;
  retry(): void;
}

function nextPage<Row>(last: RowList<readonly Row[]>, pages: readonly RowList<readonly Row[]>[]): number | undefined {
  const loaded = pages.reduce((count, page) => count + page.rows.length, 0);
  const hasMore =
    last.total === undefined ? last.rows.length >= PAGE_SIZE : last.rows.length > 0 && loaded < last.total;
  return hasMore ? pages.length : undefined;
}

/** Loads a list page by page: what was loaded stays cached, and moving past it loads the next page of the server. */
export function useListRows<Row>({ queryKey, page, keyword, fetchPage, searchRows }: ListSource<Row>): ListRows<Row> {
  const query = useInfiniteQuery({
    queryKey: [...queryKey, { keyword }],
    initialPageParam: 0,
    queryFn: async ({ pageParam, signal }) => {
      if (keyword === "" || searchRows === undefined) return fetchPage(pageParam, signal);
      const found = await searchRows(keyword, signal);
      return { rows: found.rows, total: found.rows.length };
    },
    getNextPageParam: nextPage,
    placeholderData: keepPreviousData,
  });
  const { fetchNextPage } = query;
  const rows = query.data?.pages.flatMap((loaded) => loaded.rows) ?? [];
  const isShort = rows.length < page * PAGE_SIZE;
  const mustLoad = isShort && query.hasNextPage && !query.isFetching && !query.isError;
  useEffect(() => {
    if (mustLoad) void fetchNextPage();
  }, [mustLoad, fetchNextPage]);
  return {
    rows,
    total: query.data?.pages.at(-1)?.total,
    hasMore: query.hasNextPage,
    isPending: query.isPending,
    isRefreshing: query.isFetching && !query.isPending,
    error: query.error,
    retry: () => void (query.isFetchNextPageError ? fetchNextPage() : query.refetch()),
  };
}
