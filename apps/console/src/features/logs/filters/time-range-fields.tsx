import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { defaultRange, nowSeconds } from "../api/log-query.ts";
import type { LogFilterState } from "../use-log-filters.ts";
import { MomentPicker } from "./moment-picker.tsx";
import classes from "./time-range.module.css";

const HOUR_SECONDS = 3_600;

const PRESETS = [
  { name: "hour", seconds: HOUR_SECONDS },
  { name: "day", seconds: 24 * HOUR_SECONDS },
  { name: "week", seconds: 7 * 24 * HOUR_SECONDS },
  { name: "month", seconds: 30 * 24 * HOUR_SECONDS },
] as const;

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
  const { start_timestamp: start, end_timestamp: end } = filters;
  const range = defaultRange(nowSeconds());
  const choose = (from: number | undefined) => {
    change({ start_timestamp: from, end_timestamp: undefined });
    onPreset?.();
  };
  const isAll = start === undefined && end === undefined;
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
        {PRESETS.map(({ name, seconds }) => (
          <Button key={name} variant="default" size="compact-sm" onClick={() => choose(nowSeconds() - seconds)}>
            {t(`range.${name}`)}
          </Button>
        ))}
      </div>
      <MomentPicker
        label={t("range.start")}
        time={start ?? range.start}
        onCommit={(time) => change({ start_timestamp: time })}
        isModal={isStacked}
      />
      <MomentPicker
        label={t("range.end")}
        time={end ?? range.end}
        onCommit={(time) => change({ end_timestamp: time })}
        isModal={isStacked}
      />
    </div>
  );
}
