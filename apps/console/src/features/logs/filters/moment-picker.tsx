import "@mantine/dates/styles.layer.css";
import "dayjs/locale/zh-cn";
import { DateTimePicker } from "@mantine/dates";
import { useDebouncedCallback } from "@mantine/hooks";
import { useState } from "react";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { formatDate, formatTime } from "../../../lib/format.ts";
import { nowSeconds } from "../log-queries.ts";

const CHOOSING_PAUSE_MS = 500;

interface MomentPickerProps {
  label: string;
  time: number;
  /** Called when the choosing pauses. */
  onCommit(time: number): void;
  isModal: boolean;
}

export default function MomentPicker({ label, time, onCommit, isModal }: MomentPickerProps) {
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
