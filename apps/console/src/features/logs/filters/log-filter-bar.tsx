import { Button, Drawer } from "@mantine/core";
import type { Log } from "@one-api/contract/log";
import { IconAdjustmentsHorizontal } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useCardScreen } from "../../../lib/use-narrow-screen.ts";
import type { LogFilterState } from "../use-log-filters.ts";
import { FilterChips } from "./filter-chips.tsx";
import classes from "./log-filter-bar.module.css";
import { LogFilterFields } from "./log-filter-fields.tsx";
import { TimeRangeButton } from "./time-range.tsx";
import { TimeRangeFields } from "./time-range.tsx";

/** All filters of narrow screens: one button that opens them in a sheet from below. */
function LogFilterSheet({ filter, rows }: { filter: LogFilterState; rows: readonly Log[] }) {
  const { t } = useTranslation(["logs", "common"]);
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
        {count === 0 ? t("logs:filters.open") : t("logs:filters.openCount", { count })}
      </Button>
      <Drawer
        opened={opened}
        onClose={() => setOpened(false)}
        position="bottom"
        size="92%"
        title={t("logs:filters.open")}
        closeButtonProps={{ "aria-label": t("common:close") }}
      >
        <div className={classes.fields}>
          <LogFilterFields filter={filter} rows={rows} isStacked />
          <TimeRangeFields filter={filter} isStacked />
        </div>
        <div className={classes.foot}>
          <Button variant="default" disabled={count === 0} onClick={filter.clear}>
            {t("logs:filters.clearAll")}
          </Button>
          <Button onClick={() => setOpened(false)}>{t("logs:filters.show")}</Button>
        </div>
      </Drawer>
    </>
  );
}

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
