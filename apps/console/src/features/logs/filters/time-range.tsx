import { Button, Popover } from "@mantine/core";
import { IconCalendarTime, IconChevronDown } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { lazyPart } from "../../../lib/loading/later-part.ts";
import { defaultRange, nowSeconds } from "../log-queries.ts";
import { type LogFilters, RELATIVE_RANGES } from "../log-search.ts";
import type { LogFilterState } from "../use-log-filters.ts";
import { rangeText } from "./filter-chips.tsx";
import classes from "./time-range.module.css";

const MomentPicker = lazyPart(() => import("./moment-picker.tsx"));

interface TimeRangeFieldsProps {
  filter: LogFilterState;
  /** Calendars cover the screen instead of opening below their field. */
  isStacked: boolean;
  onPreset?: () => void;
}

export function TimeRangeFields({ filter: { filters, change }, isStacked, onPreset }: TimeRangeFieldsProps) {
  const { t } = useTranslation("logs");
  const { range: relative, start_timestamp: start, end_timestamp: end } = filters;
  const range = defaultRange(nowSeconds());
  // The fields of a relative range show its present edges.
  const since = RELATIVE_RANGES.find(({ name }) => name === relative);
  const shownStart = since === undefined ? start : nowSeconds() - since.seconds;
  const choose = (name: LogFilters["range"]) => {
    change({ range: name, start_timestamp: undefined, end_timestamp: undefined });
    onPreset?.();
  };
  const isAll = relative === undefined && start === undefined && end === undefined;
  return (
    <div className={classes.fields}>
      <div className={classes.presets} role="group" aria-label={t("range.title")}>
        <Button
          variant={isAll ? "light" : "default"}
          size="compact-sm"
          aria-pressed={isAll}
          onClick={() => choose(undefined)}
        >
          {t("range.all")}
        </Button>
        {RELATIVE_RANGES.map(({ name }) => (
          <Button
            key={name}
            variant={name === relative ? "light" : "default"}
            size="compact-sm"
            aria-pressed={name === relative}
            onClick={() => choose(name)}
          >
            {t(`range.${name}`)}
          </Button>
        ))}
      </div>
      <MomentPicker
        label={t("range.start")}
        time={shownStart ?? range.start}
        onCommit={(time) => change({ range: undefined, start_timestamp: time })}
        isModal={isStacked}
      />
      <MomentPicker
        label={t("range.end")}
        time={end ?? range.end}
        onCommit={(time) => change({ range: undefined, start_timestamp: shownStart, end_timestamp: time })}
        isModal={isStacked}
      />
    </div>
  );
}

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
          {text === undefined || filter.filters.range !== undefined ? (text ?? t("range.all")) : t("range.title")}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t("range.title")}>
        <TimeRangeFields filter={filter} isStacked={false} onPreset={() => setOpened(false)} />
      </Popover.Dropdown>
    </Popover>
  );
}
