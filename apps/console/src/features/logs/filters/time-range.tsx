import "@mantine/dates/styles.layer.css";
import "dayjs/locale/zh-cn";
import { Button, Popover } from "@mantine/core";
import { DateTimePicker } from "@mantine/dates";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconCalendarTime, IconChevronDown } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { formatDate, formatTime } from "../../../lib/format.ts";
import { defaultRange, nowSeconds } from "../log-queries.ts";
import { type LogFilters, RELATIVE_RANGES } from "../log-search.ts";
import type { LogFilterState } from "../use-log-filters.ts";
import { rangeText } from "./filter-chips.tsx";
import classes from "./time-range.module.css";

const CHOOSING_PAUSE_MS = 500;

interface MomentPickerProps {
  label: string;
  /** Unix seconds. */
  time: number;
  /** Called when the choosing pauses. */
  onCommit(time: number): void;
  isModal: boolean;
}

/** A day and a time in the viewer's zone. */
function MomentPicker({ label, time, onCommit, isModal }: MomentPickerProps) {
  const { language } = useTranslation();
  const [chosen, setChosen] = useState(time);
  const [known, setKnown] = useState(time);
  if (known !== time) {
    setKnown(time);
    setChosen(time);
  }
  // Without a start the calendar opens at today instead of 1970.
  const [month, setMonth] = useState(time === 0 ? formatDate(nowSeconds()) : formatDate(time));
  const commitLater = useDebouncedCallback(onCommit, { delay: CHOOSING_PAUSE_MS, flushOnUnmount: true });
  return (
    <DateTimePicker
      label={label}
      withSeconds
      valueFormat="YYYY-MM-DD HH:mm:ss"
      locale={language === "zh-CN" ? "zh-cn" : "en"}
      weekendDays={[]}
      date={month}
      onDateChange={setMonth}
      value={formatTime(chosen)}
      dropdownType={isModal ? "modal" : "popover"}
      // Within the popover that this stands in, so that choosing a day does not count as pressing outside of it.
      popoverProps={{ withinPortal: false, position: "bottom-start" }}
      onChange={(text) => {
        const [day = "", clock = ""] = (text ?? "").split(" ");
        // The first chosen day begins at midnight, independent of the hour of epoch 0 in this zone.
        const seconds = Math.floor(new Date(`${day}T${chosen === 0 ? "00:00:00" : clock}`).getTime() / 1_000);
        if (!Number.isFinite(seconds) || seconds < 0) return;
        setChosen(seconds);
        commitLater(seconds);
      }}
    />
  );
}

interface TimeRangeFieldsProps {
  filter: LogFilterState;
  /** Calendars cover the screen instead of opening below their field. */
  isStacked: boolean;
  /** A ready-made range was chosen. */
  onPreset?: () => void;
}

/** Start and end, and ready-made ranges. */
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
          {text === undefined || filter.filters.range !== undefined ? (text ?? t("range.all")) : t("range.title")}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t("range.title")}>
        <TimeRangeFields filter={filter} isStacked={false} onPreset={() => setOpened(false)} />
      </Popover.Dropdown>
    </Popover>
  );
}
