import "@mantine/dates/styles.layer.css";
import "dayjs/locale/zh-cn";
import { DatePicker } from "@mantine/dates";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { today } from "./read-moment.ts";

export interface DayCalendarProps {
  /** The chosen day as YYYY-MM-DD; undefined for none. */
  day: string | undefined;
  /** Days before the one or after the other cannot be chosen. */
  first?: string | undefined;
  last?: string | undefined;
  onChoose(day: string): void;
}

export default function DayCalendar({ day, first, last, onChoose }: DayCalendarProps) {
  const { language } = useTranslation();
  return (
    <DatePicker
      value={day ?? null}
      defaultDate={day ?? today()}
      {...(first === undefined ? {} : { minDate: first })}
      {...(last === undefined ? {} : { maxDate: last })}
      locale={language === "zh-CN" ? "zh-cn" : "en"}
      weekendDays={[]}
      onChange={(chosen) => {
        if (chosen !== null) onChoose(chosen);
      }}
    />
  );
}
