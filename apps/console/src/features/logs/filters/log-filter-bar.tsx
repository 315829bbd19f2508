import { Button } from "@mantine/core";
import type { Log } from "@one-api/contract/logs/log";
import { IconAdjustmentsHorizontal } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { Sheet } from "../../../components/dialogs/sheet.tsx";
import { useCardScreen } from "../../../lib/browser/use-narrow-screen.ts";
import type { LogFilterState } from "../use-log-filters.ts";
import { ViewsButton } from "../../views/views-button.tsx";
import { useIsAdmin } from "../../../lib/state/session.ts";
import { readLogFilters, readLogSearch } from "../log-search.ts";
import { FilterChips } from "./filter-chips.tsx";
import classes from "./log-filter-bar.module.css";
import { LogFilterFields } from "./log-filter-fields.tsx";
import { TimeRangeButton } from "./time-range.tsx";
import { TimeRangeFields } from "./time-range.tsx";

/** All filters of narrow screens: one button that opens them in a sheet from below. */
function LogFilterSheet({ filter, rows }: { filter: LogFilterState; rows: readonly Log[] }) {
  const { t } = useTranslation("logs");
  const [opened, setOpened] = useState(false);
  const { count } = filter;
  return (
    <>
      <Button
        variant="default"
        className={classes.button}
        leftSection={<IconAdjustmentsHorizontal size={16} />}
        aria-haspopup="dialog"
        onClick={() => setOpened(true)}
      >
        {count === 0 ? t("filters.open") : t("filters.openCount", { count })}
      </Button>
      <Sheet
        opened={opened}
        onClose={() => setOpened(false)}
        title={t("filters.open")}
        foot={
          <>
            <Button variant="default" disabled={count === 0} onClick={filter.clear}>
              {t("filters.clearAll")}
            </Button>
            <Button onClick={() => setOpened(false)}>{t("filters.show")}</Button>
          </>
        }
      >
        <div className={classes.fields}>
          <LogFilterFields filter={filter} rows={rows} isStacked />
          <TimeRangeFields filter={filter} isStacked />
        </div>
      </Sheet>
    </>
  );
}

/** The filters above the log, and which of them are set. */
export function LogFilterBar({ filter, rows }: { filter: LogFilterState; rows: readonly Log[] }) {
  const asSheet = useCardScreen();
  const isAdmin = useIsAdmin();
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
      <ViewsButton page="logs" read={(search) => readLogFilters(readLogSearch(search), isAdmin)} />
      <FilterChips filter={filter} />
    </>
  );
}
