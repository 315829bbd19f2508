import { PAGE_SIZES, type PageSize } from "@one-api/contract/constants";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { createExternalStore } from "../state/external-store.ts";
import { type ListSearchState, nextSort, parseSort, readListSearch, sortText, type Sort } from "./list-search.ts";
import { readStored, writeStored } from "../state/local-storage.ts";
import { STORAGE_KEY } from "../state/storage-keys.ts";

const FIRST_PAGE_SIZE: PageSize = 20;

function readPageSize(): PageSize {
  const stored = Number(readStored(STORAGE_KEY.pageSize));
  return PAGE_SIZES.find((size) => size === stored) ?? FIRST_PAGE_SIZE;
}

const pageSizeStore = createExternalStore(readPageSize());

type SearchPatch = Readonly<Record<string, unknown>>;

export interface ListSearch {
  /** From 1. */
  readonly page: number;
  /** Rows of a page: the address's, else what the browser remembers, 20 at first. */
  readonly size: PageSize;
  /** Trimmed; empty for the whole list. */
  readonly keyword: string;
  readonly sort: Sort | undefined;
  /** Goes to a page; `replace` leaves no step in the browser's history. */
  setPage(page: number, options?: { replace: boolean }): void;
  /** Changes the rows of a page for all lists; the first row that is shown stays in sight. */
  setSize(size: PageSize): void;
  /** Returns to page 1. */
  setKeyword(keyword: string): void;
  /** Undefined for the list's own order. Returns to page 1. */
  setSort(sort: Sort | undefined): void;
  /** Sorts by the column, or reverses when it is sorted by it already. */
  toggleSort(columnId: string): void;
  /** Changes other search parameters, and returns to page 1. */
  setFilters(filters: Record<string, string | number | boolean | undefined>): void;
}

const orNothing = (page: number) => (page === 1 ? undefined : page);

/** The list state in the address of the current page. Its route must read its search with readListSearch. */
export function useListSearch(): ListSearch {
  const search = readListSearch(useSearch({ strict: false }));
  const remembered = pageSizeStore.use();
  const navigate = useNavigate();
  const sort = parseSort(search.sort);
  const page = search.page ?? 1;
  const size = search.size ?? remembered;
  /** Accepts a patch, or a function of the address at the time of the change. */
  const change = (patch: SearchPatch | ((previous: ListSearchState) => SearchPatch), replace: boolean) => {
    void navigate({
      to: ".",
      search: (previous) => ({
        ...previous,
        ...(typeof patch === "function" ? patch(readListSearch(previous)) : patch),
      }),
      replace,
      resetScroll: false,
    });
  };
  const setSort = (next: Sort | undefined) =>
    change({ sort: next === undefined ? undefined : sortText(next), page: undefined }, true);
  return {
    page,
    size,
    keyword: search.keyword ?? "",
    sort,
    setPage: (next, options) => change({ page: orNothing(next) }, options?.replace ?? false),
    setSize: (next) => {
      writeStored(STORAGE_KEY.pageSize, String(next));
      pageSizeStore.set(next);
      change({ size: undefined, page: orNothing(Math.floor(((page - 1) * size) / next) + 1) }, true);
    },
    setKeyword: (keyword) => change({ keyword: keyword.trim() || undefined, page: undefined }, true),
    setSort,
    toggleSort: (columnId) =>
      // By the address, not the rendered state: a second press reverses the order even before the rows arrive.
      change((previous) => ({ sort: sortText(nextSort(parseSort(previous.sort), columnId)), page: undefined }), true),
    setFilters: (filters) => change({ ...filters, page: undefined }, true),
  };
}

/** Takes the remembered rows of a page again. */
export function restorePageSize(): void {
  pageSizeStore.set(readPageSize());
}
