import type { Log } from "@one-api/contract/logs/log";
import { useCardScreen } from "../../../lib/browser/use-narrow-screen.ts";
import type { LogFilterState } from "../use-log-filters.ts";
import { ViewsButton } from "../../views/views-button.tsx";
import { useIsAdmin } from "../../../lib/state/session.ts";
import { readLogFilters, readLogSearch } from "../log-search.ts";
import { FilterChips } from "./filter-chips.tsx";
import { LogFilterFields } from "./log-filter-fields.tsx";
import { TimeRangeButton } from "./time-range.tsx";
import { TimeRangeFields } from "./time-range.tsx";

/** The filters above the log, on narrow screens in a sheet. */
export function LogFilterBar({ filter, rows }: { filter: LogFilterState; rows: readonly Log[] }) {
  const isStacked = useCardScreen();
  return (
    <>
      <LogFilterFields filter={filter} rows={rows} isStacked={isStacked} />
      {isStacked ? <TimeRangeFields filter={filter} isStacked /> : <TimeRangeButton filter={filter} />}
    </>
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
