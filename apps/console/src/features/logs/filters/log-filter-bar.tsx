import type { Log } from "@one-api/contract/logs/log";
import { FilterSheet } from "../../../components/data-table/controls/filter-sheet.tsx";
import { useCardScreen } from "../../../lib/browser/use-narrow-screen.ts";
import type { LogFilterState } from "../use-log-filters.ts";
import { ViewsButton } from "../../views/views-button.tsx";
import { useIsAdmin } from "../../../lib/state/session.ts";
import { readLogFilters, readLogSearch } from "../log-search.ts";
import { FilterChips } from "./filter-chips.tsx";
import { LogFilterFields } from "./log-filter-fields.tsx";
import { TimeRangeButton } from "./time-range.tsx";
import { TimeRangeFields } from "./time-range.tsx";

/** The filters above the log, and which of them are set. */
export function LogFilterBar({ filter, rows }: { filter: LogFilterState; rows: readonly Log[] }) {
  const asSheet = useCardScreen();
  const isAdmin = useIsAdmin();
  return (
    <>
      {asSheet ? (
        <FilterSheet count={filter.count} onClear={filter.clear}>
          <LogFilterFields filter={filter} rows={rows} isStacked />
          <TimeRangeFields filter={filter} isStacked />
        </FilterSheet>
      ) : (
        <>
          <LogFilterFields filter={filter} rows={rows} isStacked={false} />
          <TimeRangeButton filter={filter} />
        </>
      )}
      <ViewsButton page="logs" read={(search) => readLogFilters(readLogSearch(search), isAdmin)} />
      <FilterChips filter={filter} />
    </>
  );
}
