import { PAGE_SIZE, PAGE_SIZES, type PageSize } from "@one-api/contract/constants";
import type { Direction } from "@one-api/contract/fields";
import { keepPreviousData, type QueryKey, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import type { RowList } from "../api/api-client.ts";
import type { ListSearch } from "./use-list-search.ts";

/** What the cache keeps of a list: an answer, and what was asked. */
export interface ListCache<Row> extends RowList<readonly Row[]> {
  readonly request: PageRequest;
}

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
  /** Columns that the server sorts by; a sort by another one sorts what is shown. */
  orders?: readonly string[];
  fetchPage(request: PageRequest, signal: AbortSignal): Promise<RowList<readonly Row[]>>;
  /** Finds rows by a keyword; lists without a search leave it out. */
  searchRows?(query: PageRequest & { keyword: string }, signal: AbortSignal): Promise<RowList<readonly Row[]>>;
}

/** One page of a list. */
export interface ListRows<Row> {
  /** More than a page only before an older server, which answers all that a search finds. */
  readonly rows: readonly Row[];
  /** The page that is shown, from 1. */
  readonly page: number;
  /** Rows of a page. */
  readonly size: number;
  /** How many rows there are in all; undefined when the server does not say. */
  readonly total: number | undefined;
  readonly pageCount: number | undefined;
  readonly hasNext: boolean;
  /** The rows stand in the order that was asked for; else the list is sorted where it is shown. */
  readonly isSorted: boolean;
  /** True while the rows of a page can be chosen: older servers have 10. */
  readonly canResize: boolean;
  /** Nothing to show yet. */
  readonly isPending: boolean;
  /** Shown rows are old, new ones are on their way. */
  readonly isRefreshing: boolean;
  readonly error: Error | null;
  /** Loads the page again: one request. */
  retry(): void;
}

/** A list whose other pages can be had too. */
export interface PagedRows<Row> extends ListRows<Row> {
  /** What is listed and what narrows it down, whatever page and order is shown. */
  readonly filter: string;
  /** Loads the rows of all pages, page by page. Rejects when one does not come. */
  loadAll(): Promise<readonly Row[]>;
}

interface PageView<Row> {
  rows: readonly Row[];
  size: number;
  total: number | undefined;
  isSorted: boolean;
  canResize: boolean;
}

/**
 * Reads what a server answered. One of ours says the total and keeps to the size. Older ones answer pages of 10 without saying how many
 * there are, and everything that a search finds at once.
 */
function readPage<Row>({ rows, total, request }: ListCache<Row>, isSearch: boolean): PageView<Row> {
  const { p, size } = request;
  if (total === undefined && isSearch) {
    return { rows, size, total: rows.length, isSorted: false, canResize: true };
  }
  const ignoresSize = rows.length === PAGE_SIZE && size > PAGE_SIZE && total !== p * size + PAGE_SIZE;
  const isOld = total === undefined || ignoresSize;
  return { rows, size: isOld ? PAGE_SIZE : size, total, isSorted: !isOld, canResize: !isOld };
}

/** The rows of all pages, in the list's own order. A row that moved to the next page meanwhile stands twice. */
async function loadPages<Row>(
  ask: (request: PageRequest) => Promise<RowList<readonly Row[]>>,
): Promise<readonly Row[]> {
  const all: Row[] = [];
  const size = PAGE_SIZES[PAGE_SIZES.length - 1] ?? PAGE_SIZE;
  for (let p = 0; ; p += 1) {
    const { rows, total = 0 } = await ask({ p, size });
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
    queryFn: async ({ signal }): Promise<ListCache<Row>> => ({ ...(await ask(request, signal)), request }),
    placeholderData: keepPreviousData,
    meta: { shownInPlace: true },
  });
  const view = readPage(query.data ?? { rows: [], total: 0, request }, isSearch);
  const pageCount = view.total === undefined ? undefined : Math.max(1, Math.ceil(view.total / view.size));
  const isBeyond = query.isSuccess && !query.isPlaceholderData && pageCount !== undefined && page > pageCount;
  useEffect(() => {
    if (isBeyond) search.setPage(pageCount, { replace: true });
  });
  return {
    ...view,
    page,
    pageCount,
    hasNext: pageCount === undefined ? view.rows.length >= PAGE_SIZE : page < pageCount,
    isSorted: sort === undefined || (isOrdered && view.isSorted),
    isPending: query.isPending,
    isRefreshing: query.isFetching && !query.isPending,
    error: query.error,
    retry: () => void query.refetch(),
    filter: JSON.stringify([queryKey, keyword]),
    loadAll: () => loadPages((asked) => ask(asked, new AbortController().signal)),
  };
}
