import type { Log } from "@one-api/contract/log";
import { useCardScreen } from "../../../lib/use-narrow-screen.ts";
import type { LogFilterState } from "../use-log-filters.ts";
import { FilterChips } from "./filter-chips.tsx";
import { LogFilterFields } from "./log-filter-fields.tsx";
import { LogFilterSheet } from "./log-filter-sheet.tsx";
import { TimeRangeButton } from "./time-range-button.tsx";

/** The filters above the log, and which of them are set. */
export function LogFilterBar({ filter, rows }: { filter: LogFilterState; rows: readonly Log[] }) {
  const asSheet = useCardScreen();
  return (
    <>
      {asSheet ? (
        <LogFilterSheet filter={filter} rows={rows} />
      ) : (
        <>
          <LogFilterFields filter={filter} rows={rows} isStacked={false} />
          <TimeRangeButton filter={filter} />
        </>
      )}
      <FilterChips filter={filter} />
    </>
  );
}
