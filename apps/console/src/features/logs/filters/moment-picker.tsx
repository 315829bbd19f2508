import "@mantine/dates/styles.layer.css";
import "dayjs/locale/zh-cn";
import { DateTimePicker } from "@mantine/dates";
import { useDebouncedCallback } from "@mantine/hooks";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { formatTime } from "../../../lib/format.ts";

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
  const commitLater = useDebouncedCallback(onCommit, { delay: CHOOSING_PAUSE_MS, flushOnUnmount: true });
  return (
    <DateTimePicker
      label={label}
      withSeconds
      valueFormat="YYYY-MM-DD HH:mm:ss"
      locale={i18n.language === "zh-CN" ? "zh-cn" : "en"}
      value={formatTime(chosen)}
      dropdownType={isModal ? "modal" : "popover"}
      // Within the popover that this stands in, so that choosing a day does not count as pressing outside of it.
      popoverProps={{ withinPortal: false, position: "bottom-start" }}
      onChange={(text) => {
        const seconds = Math.floor(new Date(String(text).replace(" ", "T")).getTime() / 1_000);
        if (!Number.isFinite(seconds) || seconds < 0) return;
        setChosen(seconds);
        commitLater(seconds);
      }}
    />
  );
}
