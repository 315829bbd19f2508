import type { PageSize } from "@one-api/contract/constants";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo } from "react";
import { type ListPlace, listPlaceOf, storePageSize, usePageSize } from "./list-place.ts";
import { type ListSearchState, nextSort, parseSort, readListSearch, sortText, type Sort } from "./list-search.ts";

type SearchPatch = Readonly<Record<string, unknown>>;

export interface ListSearch extends ListPlace {
  /** Goes to a page; `replace` leaves no step in the browser's history. */
  setPage(page: number, options?: { replace: boolean }): void;
  /** Changes the rows of a page for all lists; the first row that is shown stays in sight. */
  setSize(size: PageSize): void;
  setKeyword(keyword: string): void;
  /** Undefined for the list's own order. Returns to page 1. */
  setSort(sort: Sort | undefined): void;
  /** Sorts by the column, or reverses when it is sorted by it already. */
  toggleSort(columnId: string): void;
  /** Changes other search parameters, and returns to page 1. */
  readonly setFilters: SetFilters;
}

/** A step is undone by the browser's Back button. */
type SetFilters = (
  filters: Record<string, string | number | boolean | readonly (string | number)[] | undefined>,
  isStep?: boolean,
) => void;

const orNothing = (page: number) => (page === 1 ? undefined : page);

/** The list state in the address of the current page: the same object until that changes. Its route must read its search with readListSearch. */
export function useListSearch(): ListSearch {
  const remembered = usePageSize();
  // A change of the address beside it, such as an open sheet, renders no list again.
  const place = useSearch({
    strict: false,
    select: (search): ListPlace => listPlaceOf(search, remembered),
    structuralSharing: true,
  });
  const navigate = useNavigate();
  return useMemo(() => listSearchOf(place, navigate), [place, navigate]);
}

/** Returns `setFilters` of the list alone: another page changes nothing about it. */
export function useSetFilters(): SetFilters {
  const navigate = useNavigate();
  return useMemo(() => setFiltersBy(changeBy(navigate)), [navigate]);
}

type Navigate = ReturnType<typeof useNavigate>;

/** Returns a function that accepts a patch, or a function of the address at the time of the change. */
function changeBy(navigate: Navigate) {
  return (patch: SearchPatch | ((previous: ListSearchState) => SearchPatch), replace: boolean) => {
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
}

function setFiltersBy(change: ReturnType<typeof changeBy>): SetFilters {
  return (filters, isStep = false) => change({ ...filters, page: undefined }, !isStep);
}

function listSearchOf(place: ListPlace, navigate: Navigate): ListSearch {
  const { page, size } = place;
  const change = changeBy(navigate);
  const setSort = (next: Sort | undefined) =>
    change({ sort: next === undefined ? undefined : sortText(next), page: undefined }, true);
  return {
    ...place,
    setPage: (next, options) => change({ page: orNothing(next) }, options?.replace ?? false),
    setSize: (next) => {
      storePageSize(next);
      change({ size: undefined, page: orNothing(Math.floor(((page - 1) * size) / next) + 1) }, true);
    },
    setKeyword: (keyword) => change({ keyword: keyword.trim() || undefined, page: undefined }, true),
    setSort,
    toggleSort: (columnId) =>
      // By the address, not the rendered state: a second press reverses the order even before the rows arrive.
      change((previous) => ({ sort: sortText(nextSort(parseSort(previous.sort), columnId)), page: undefined }), true),
    setFilters: setFiltersBy(change),
  };
}
