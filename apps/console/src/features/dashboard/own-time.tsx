import { Button } from "@mantine/core";
import { type FormEvent, useRef, useState } from "react";
import { TimeField } from "../../components/form/time/time-field.tsx";
import { formatDate } from "../../lib/format.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { readMoment } from "../../components/form/time/read-moment.ts";
import { ownDays } from "./dashboard-range.ts";
import type { DashboardSearch } from "./dashboard-search.ts";
import classes from "./dashboard-page.module.css";

interface OwnTimeProps {
  search: DashboardSearch;
  onChange(time: Required<Pick<DashboardSearch, "start" | "end">>): void;
}

/** Midnight of a day YYYY-MM-DD, in Unix seconds; undefined for other texts. */
function midnight(day: string): number | undefined {
  return day.includes(":") ? undefined : readMoment(day);
}

function nextMidnight(day: number): number {
  const date = new Date(day * 1_000);
  return Math.floor(new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1).getTime() / 1_000);
}

export default function OwnTime({ search, onChange }: OwnTimeProps) {
  const { t } = useTranslation("dashboard");
  const [days, setDays] = useState(() => ownDays(search));
  const firstInput = useRef<HTMLInputElement>(null);
  const lastInput = useRef<HTMLInputElement>(null);
  const [from, to] = [midnight(days.first), midnight(days.last)];
  const noDay = (day: number | undefined) => (day === undefined ? t("range.noDay") : undefined);
  const isTurned = from !== undefined && to !== undefined && to < from;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (from === undefined) firstInput.current?.focus();
    else if (to === undefined || isTurned) lastInput.current?.focus();
    else onChange({ start: from, end: nextMidnight(to) });
  };
  return (
    <form className={classes.ownTime} onSubmit={submit} noValidate>
      <TimeField
        ref={firstInput}
        isNested
        label={t("range.first")}
        chooseLabel={t("range.chooseFirst")}
        placeholder="YYYY-MM-DD"
        value={days.first}
        problem={noDay(from)}
        last={to === undefined ? undefined : formatDate(to)}
        onChange={(first) => setDays({ ...days, first })}
      />
      <TimeField
        ref={lastInput}
        isNested
        label={t("range.last")}
        chooseLabel={t("range.chooseLast")}
        placeholder="YYYY-MM-DD"
        value={days.last}
        problem={isTurned ? t("range.wrong") : noDay(to)}
        first={from === undefined ? undefined : formatDate(from)}
        onChange={(last) => setDays({ ...days, last })}
      />
      <Button type="submit">{t("range.show")}</Button>
    </form>
  );
}
