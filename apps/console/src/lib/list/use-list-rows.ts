import { PAGE_SIZE, PAGE_SIZES, type PageSize } from "@one-api/contract/constants";
import type { Direction } from "@one-api/contract/fields";
import { keepPreviousData, type QueryKey, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import type { RowList } from "../api/api-client.ts";
import type { ListSearch } from "./use-list-search.ts";

/** The part of a list call's query that every list has. */
export interface PageRequest {
  /** From 0. */
  readonly p: number;
  readonly size: PageSize;
  /** Out of the list's orders; left out for the list's own. */
  readonly order?: string;
  readonly direction?: Direction;
}

interface ListSource<Row> {
  /** Begins with the noun and "list", then everything that changes the rows but page, size, keyword and sort: `["tokens", "list", { status }]`. */
  queryKey: QueryKey;
  search: ListSearch;
  /** Columns that the server sorts by. */
  orders?: readonly string[];
  fetchPage(request: PageRequest, signal: AbortSignal): Promise<RowList<readonly Row[]>>;
  /** Finds rows by a keyword; lists without a search leave it out. */
  searchRows?(query: PageRequest & { keyword: string }, signal: AbortSignal): Promise<RowList<readonly Row[]>>;
}

export interface ListRows<Row> {
  readonly rows: readonly Row[];
  /** The page that is shown, from 1. */
  readonly page: number;
  readonly size: number;
  readonly total: number;
  readonly pageCount: number;
  readonly isPending: boolean;
  /** The shown rows are old, new ones are loading. */
  readonly isRefreshing: boolean;
  readonly error: Error | null;
  /** Loads the page again: one request. */
  retry(): void;
}

/** A list whose other pages can be had too. */
export interface PagedRows<Row> extends ListRows<Row> {
  /** Key of list and filters, independent of page and order. */
  readonly filter: string;
  /** Loads the rows of all pages, page by page. Rejects when one does not come. */
  loadAll(): Promise<readonly Row[]>;
}

/** The rows of all pages, in the list's own order. A row that moved to the next page meanwhile stands twice. */
async function loadPages<Row>(
  ask: (request: PageRequest) => Promise<RowList<readonly Row[]>>,
): Promise<readonly Row[]> {
  const all: Row[] = [];
  const size = PAGE_SIZES[PAGE_SIZES.length - 1] ?? PAGE_SIZE;
  for (let p = 0; ; p += 1) {
    const { rows, total } = await ask({ p, size });
    all.push(...rows);
    if (rows.length === 0 || (p + 1) * size >= total) return all;
  }
}

/** Loads the page of a list that the address names: one request, sorted and searched by the server. The last page's rows stay until it is there. */
export function useListRows<Row>(source: ListSource<Row>): PagedRows<Row> {
  const { queryKey, search, orders = [], fetchPage, searchRows } = source;
  const { page, size, keyword, sort } = search;
  const isOrdered = sort !== undefined && orders.includes(sort.columnId);
  const request: PageRequest = {
    p: page - 1,
    size,
    ...(isOrdered ? { order: sort.columnId, direction: sort.descending ? "desc" : "asc" } : {}),
  };
  const isSearch = keyword !== "" && searchRows !== undefined;
  const ask = (asked: PageRequest, signal: AbortSignal) =>
    isSearch ? searchRows({ ...asked, keyword }, signal) : fetchPage(asked, signal);
  const query = useQuery({
    queryKey: [...queryKey, { keyword, ...request }],
    queryFn: ({ signal }) => ask(request, signal),
    placeholderData: keepPreviousData,
    meta: { shownInPlace: true },
  });
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
    filter: JSON.stringify([queryKey, keyword]),
    loadAll: () => loadPages((asked) => ask(asked, new AbortController().signal)),
  };
}
