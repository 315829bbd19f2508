import { Button, Popover, TextInput } from "@mantine/core";
import { IconCalendar, IconChevronDown } from "@tabler/icons-react";
import { useState } from "react";
import { formatDate } from "../../lib/format.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { FIRST_RANGE } from "./dashboard-range.ts";
import { DASHBOARD_RANGES, type DashboardSearch } from "./dashboard-search.ts";
import classes from "./dashboard-page.module.css";

interface RangePickerProps {
  search: DashboardSearch;
  onChange(time: Pick<DashboardSearch, "range" | "start" | "end">): void;
}

const NOTHING = { range: undefined, start: undefined, end: undefined };
const HALF_DAY_SECONDS = 43_200;

/** Midnight of a day that is written as YYYY-MM-DD, so many days later; undefined for what is none. */
function midnight(day: string, later = 0): number | undefined {
  const moment = new Date(`${day}T00:00:00`);
  moment.setDate(moment.getDate() + later);
  const seconds = Math.floor(moment.getTime() / 1_000);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined;
}

/** The first and the last day of a time of one's own. */
function OwnTime({ search: { start, end }, onChange }: RangePickerProps) {
  const { t } = useTranslation("dashboard");
  const [first, setFirst] = useState(() => formatDate(start ?? Date.now() / 1_000));
  const [last, setLast] = useState(() => formatDate(end === undefined ? Date.now() / 1_000 : end - HALF_DAY_SECONDS));
  const [from, to] = [midnight(first), midnight(last, 1)];
  const isTime = from !== undefined && to !== undefined && from < to;
  return (
    <form
      className={classes.ownTime}
      onSubmit={(event) => {
        event.preventDefault();
        if (isTime) onChange({ range: undefined, start: from, end: to });
      }}
    >
      <TextInput
        type="date"
        label={t("range.first")}
        value={first}
        max={last}
        onChange={(event) => setFirst(event.currentTarget.value)}
      />
      <TextInput
        type="date"
        label={t("range.last")}
        value={last}
        min={first}
        error={isTime ? undefined : t("range.wrong")}
        onChange={(event) => setLast(event.currentTarget.value)}
      />
      <Button type="submit" disabled={!isTime}>
        {t("range.show")}
      </Button>
    </form>
  );
}

/** The time that the page is about: ranges that move with the clock, or days of one's own. */
export function RangePicker({ search, onChange }: RangePickerProps) {
  const { t } = useTranslation("dashboard");
  const [isOpen, setIsOpen] = useState(false);
  const { start, end } = search;
  const range = start === undefined ? (search.range ?? FIRST_RANGE) : undefined;
  const own =
    start === undefined || end === undefined
      ? t("range.own")
      : `${formatDate(start)} – ${formatDate(end - HALF_DAY_SECONDS)}`;
  return (
    <div className={classes.choices} role="group" aria-label={t("range.title")}>
      {DASHBOARD_RANGES.map((name) => (
        <Button
          key={name}
          size="compact-sm"
          variant={name === range ? "light" : "default"}
          aria-pressed={name === range}
          onClick={() => onChange({ ...NOTHING, range: name === FIRST_RANGE ? undefined : name })}
        >
          {t(`range.${name}`)}
        </Button>
      ))}
      <Popover opened={isOpen} onChange={setIsOpen} position="bottom-end" trapFocus>
        <Popover.Target>
          <Button
            size="compact-sm"
            variant={range === undefined ? "light" : "default"}
            leftSection={<IconCalendar size={14} />}
            rightSection={<IconChevronDown size={14} />}
            onClick={() => setIsOpen((before) => !before)}
          >
            {own}
          </Button>
        </Popover.Target>
        <Popover.Dropdown aria-label={t("range.own")}>
          <OwnTime
            search={search}
            onChange={(time) => {
              setIsOpen(false);
              onChange(time);
            }}
          />
        </Popover.Dropdown>
      </Popover>
    </div>
  );
}
