import { PAGE_SIZE, PAGE_SIZES, type PageSize } from "@one-api/contract/constants";
import type { Direction } from "@one-api/contract/fields";
import { type QueryClient, type QueryKey, queryOptions } from "@tanstack/react-query";
import type { RowList } from "../api/api-client.ts";
import type { ListPlace } from "./list-place.ts";

/** The part of a list call's query that every list has. */
export interface PageRequest {
  /** From 0. */
  readonly p: number;
  readonly size: PageSize;
  /** Out of the list's orders; left out for the list's own. */
  readonly order?: string;
  readonly direction?: Direction;
}

/** The client that the rows are loaded for, and the signal that aborts the load. */
interface LoadContext {
  readonly client: QueryClient;
  readonly signal: AbortSignal;
}

/** The calls that load a list, and its place in the cache. */
export interface ListSource<Row> {
  /** Begins with the noun and "list", then everything that changes the rows but page, size, keyword and sort: `["tokens", "list", { status }]`. */
  readonly queryKey: QueryKey;
  /** Columns that the server sorts by. */
  readonly orders?: readonly string[];
  fetchPage(request: PageRequest, context: LoadContext): Promise<RowList<readonly Row[]>>;
  /** Finds rows by a keyword; lists without a search leave it out. */
  searchRows?(query: PageRequest & { keyword: string }, context: LoadContext): Promise<RowList<readonly Row[]>>;
}

function loadRows<Row>(source: ListSource<Row>, keyword: string, request: PageRequest, context: LoadContext) {
  const { fetchPage, searchRows } = source;
  return keyword === "" || searchRows === undefined
    ? fetchPage(request, context)
    : searchRows({ ...request, keyword }, context);
}

/** Returns the query of one page of a list: one request, sorted and searched by the server. */
export function listPageQuery<Row>(source: ListSource<Row>, { page, size, keyword, sort }: ListPlace) {
  const { queryKey, orders = [] } = source;
  const isOrdered = sort !== undefined && orders.includes(sort.columnId);
  const request: PageRequest = {
    p: page - 1,
    size,
    ...(isOrdered ? { order: sort.columnId, direction: sort.descending ? "desc" : "asc" } : {}),
  };
  return queryOptions({
    queryKey: [...queryKey, { keyword, ...request }],
    queryFn: (context) => loadRows(source, keyword, request, context),
    meta: { shownInPlace: true },
  });
}

/**
 * Loads the rows of all pages in the list's own order. Rejects if one fails. A row that moved to the next page
 * meanwhile is returned twice.
 */
export async function loadAllRows<Row>(
  source: ListSource<Row>,
  keyword: string,
  client: QueryClient,
): Promise<readonly Row[]> {
  const all: Row[] = [];
  const size = PAGE_SIZES[PAGE_SIZES.length - 1] ?? PAGE_SIZE;
  const context = { client, signal: new AbortController().signal };
  for (let p = 0; ; p += 1) {
    const { rows, total } = await loadRows(source, keyword, { p, size }, context);
    all.push(...rows);
    if (rows.length === 0 || (p + 1) * size >= total) return all;
  }
}
