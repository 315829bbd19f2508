import { FilterSheet } from "../../../components/data-table/controls/filter-sheet.tsx";
import { useIsAdmin } from "../../../lib/state/session.ts";
import { ViewsButton } from "../../views/views-button.tsx";
import { readLogFilters, readLogSearch } from "../log-search.ts";
import type { LogFilterState } from "../use-log-filters.ts";
import { LogFacets } from "./facets/log-facets.tsx";
import { FilterChips } from "./filter-chips.tsx";
import { TimeRangeButton, TimeRangeFields } from "./time-range.tsx";

interface LogFilterBarProps {
  filter: LogFilterState;
  hasRail: boolean;
}

export function LogFilterBar({ filter, hasRail }: LogFilterBarProps) {
  if (hasRail) return <TimeRangeButton filter={filter} />;
  return (
    <FilterSheet count={filter.count} onClear={filter.clear}>
      <TimeRangeFields filter={filter} isStacked />
      <LogFacets filter={filter} isBeside={false} />
    </FilterSheet>
  );
}

export function LogViews({ filter }: { filter: LogFilterState }) {
  const isAdmin = useIsAdmin();
  return (
    <>
      <ViewsButton page="logs" read={(search) => readLogFilters(readLogSearch(search), isAdmin)} />
      <FilterChips filter={filter} />
    </>
  );
}
