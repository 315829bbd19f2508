import { useNavigate, useSearch } from "@tanstack/react-router";
import { listSearchSchema, nextSort, parseSort, sortText, type Sort } from "./list-search.ts";

/** What a list page shows, and how to change it. */
export interface ListSearch {
  /** From 1. */
  readonly page: number;
  /** Trimmed; empty for the whole list. */
  readonly keyword: string;
  readonly sort: Sort | undefined;
  setPage(page: number): void;
  /** Goes back to page 1. */
  setKeyword(keyword: string): void;
  /** Sorts by the column, or reverses when it is sorted by it already. */
  toggleSort(columnId: string): void;
  /** Changes other search parameters of the page, and goes back to page 1. */
  setFilters(filters: Record<string, string | number | boolean | undefined>): void;
}

/** The list state in the address of the current page. Its route must have a search schema that extends listSearchSchema. */
export function useListSearch(): ListSearch {
  const search = listSearchSchema.parse(useSearch({ strict: false }));
  const navigate = useNavigate();
  const sort = parseSort(search.sort);
  const change = (patch: Record<string, unknown>, replace: boolean) => {
    void navigate({ to: ".", search: (previous) => ({ ...previous, ...patch }), replace, resetScroll: false });
  };
  return {
    page: search.page ?? 1,
    keyword: search.keyword ?? "",
    sort,
    setPage: (page) => change({ page: page === 1 ? undefined : page }, false),
    setKeyword: (keyword) => change({ keyword: keyword.trim() || undefined, page: undefined }, true),
    toggleSort: (columnId) => change({ sort: sortText(nextSort(sort, columnId)) }, true),
    setFilters: (filters) => change({ ...filters, page: undefined }, true),
  };
}
