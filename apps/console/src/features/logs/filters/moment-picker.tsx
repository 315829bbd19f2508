import "@mantine/dates/styles.layer.css";
import "dayjs/locale/zh-cn";
import { DateTimePicker } from "@mantine/dates";
import { useDebouncedCallback } from "@mantine/hooks";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { formatDate, formatTime } from "../../../lib/format.ts";
import { nowSeconds } from "../api/log-query.ts";

const CHOOSING_PAUSE_MS = 500;

interface MomentPickerProps {
  label: string;
  /** Unix seconds. */
  time: number;
  /** Called when the choosing pauses. */
  onCommit(time: number): void;
  /** Opens over the whole screen. */
  isModal: boolean;
}

/** A day and a time in the viewer's zone. */
export function MomentPicker({ label, time, onCommit, isModal }: MomentPickerProps) {
  const { i18n } = useTranslation();
  const [chosen, setChosen] = useState(time);
  const [known, setKnown] = useState(time);
  if (known !== time) {
    setKnown(time);
    setChosen(time);
  }
  // Nobody looks for a day in 1970: without a start the calendar opens at today.
  const [month, setMonth] = useState(time === 0 ? formatDate(nowSeconds()) : formatDate(time));
  const commitLater = useDebouncedCallback(onCommit, { delay: CHOOSING_PAUSE_MS, flushOnUnmount: true });
  return (
    <DateTimePicker
      label={label}
      withSeconds
      valueFormat="YYYY-MM-DD HH:mm:ss"
      locale={i18n.language === "zh-CN" ? "zh-cn" : "en"}
      weekendDays={[]}
      date={month}
      onDateChange={setMonth}
      value={formatTime(chosen)}
      dropdownType={isModal ? "modal" : "popover"}
      // Within the popover that this stands in, so that choosing a day does not count as pressing outside of it.
      popoverProps={{ withinPortal: false, position: "bottom-start" }}
      onChange={(text) => {
        const [day = "", clock = ""] = (text ?? "").split(" ");
        // The first day that is chosen begins at midnight, whatever hour epoch 0 is in this zone.
        const seconds = Math.floor(new Date(`${day}T${chosen === 0 ? "00:00:00" : clock}`).getTime() / 1_000);
        if (!Number.isFinite(seconds) || seconds < 0) return;
        setChosen(seconds);
        commitLater(seconds);
      }}
    />
  );
}
