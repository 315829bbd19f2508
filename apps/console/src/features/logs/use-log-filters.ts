import { useSearch } from "@tanstack/react-router";
import { useMemo } from "react";
import { useIsAdmin } from "../../lib/state/session.ts";
import { useSetFilters } from "../../lib/list/use-list-search.ts";
import { NO_FILTERS, readLogFilters, readLogSearch, type LogFilters } from "./log-search.ts";

export interface LogFilterState {
  readonly filters: LogFilters;
  /** Number of set filters; start and end count as one. */
  readonly count: number;
  /** Sets the given filters and leaves the others. The browser's Back button undoes a step. */
  change(filters: LogFilters, isStep?: boolean): void;
  clear(): void;
}

/** Reads the filters from the address of the current page: the same object until they change. */
export function useLogFilters(): LogFilterState {
  const isAdmin = useIsAdmin();
  const setFilters = useSetFilters();
  const filters = useSearch({
    strict: false,
    select: (address): LogFilters => readLogFilters(readLogSearch(address), isAdmin),
    structuralSharing: true,
  });
  return useMemo(
    () => ({
      filters,
      count: countOf(filters),
      change: (changed, isStep) => setFilters({ ...changed }, isStep),
      clear: () => setFilters(NO_FILTERS),
    }),
    [filters, setFilters],
  );
}

function countOf({ range, start_timestamp: start, end_timestamp: end, ...others }: LogFilters): number {
  const isSet = (value: unknown) => value !== undefined;
  return Object.values(others).filter(isSet).length + (isSet(range) || isSet(start) || isSet(end) ? 1 : 0);
}
