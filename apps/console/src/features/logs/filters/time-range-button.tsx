import { Button, Popover } from "@mantine/core";
import { IconCalendarTime, IconChevronDown } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { LogFilterState } from "../use-log-filters.ts";
import { TimeRangeFields } from "./time-range-fields.tsx";
import { rangeText } from "./range-text.ts";

/** The filter by time: says whether one is set, and opens its fields. */
export function TimeRangeButton({ filter }: { filter: LogFilterState }) {
  const { t } = useTranslation("logs");
  const [opened, setOpened] = useState(false);
  const text = rangeText(filter.filters, t);
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-start" width={340} trapFocus>
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<IconCalendarTime size={16} />}
          rightSection={<IconChevronDown size={14} />}
          aria-label={`${t("range.title")}: ${text ?? t("range.all")}`}
          onClick={() => setOpened((isOpen) => !isOpen)}
        >
          {text === undefined ? t("range.all") : t("range.title")}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t("range.title")}>
        <TimeRangeFields filter={filter} isStacked={false} onPreset={() => setOpened(false)} />
      </Popover.Dropdown>
    </Popover>
  );
}
