import { Button, Popover } from "@mantine/core";
import { IconCalendar, IconChevronDown } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { partText } from "../../components/charts/part-text.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { lazyPart } from "../../lib/loading/later-part.ts";
import { FIRST_RANGE } from "./dashboard-range.ts";
import { DASHBOARD_RANGES, type DashboardSearch } from "./dashboard-search.ts";
import classes from "./dashboard-page.module.css";

const OwnTime = lazyPart(() => import("./own-time.tsx"));

interface RangePickerProps {
  search: DashboardSearch;
  onChange(time: Pick<DashboardSearch, "range" | "start" | "end">): void;
}

const NOTHING = { range: undefined, start: undefined, end: undefined };
function OwnTimeButton({ search, onChange }: RangePickerProps) {
  const { t } = useTranslation("dashboard");
  const [isOpen, setIsOpen] = useState(false);
  const { start, end } = search;
  const isSet = start !== undefined && end !== undefined;
  return (
    // Escape is heard on its way up, so that a calendar within takes it for itself.
    <Popover opened={isOpen} onChange={setIsOpen} position="bottom-end" closeOnEscape={false} trapFocus returnFocus>
      <Popover.Target>
        <Button
          size="compact-sm"
          variant={isSet ? "light" : "default"}
          leftSection={<IconCalendar size={14} />}
          rightSection={<IconChevronDown size={14} />}
          onClick={() => setIsOpen((before) => !before)}
        >
          {isSet ? partText(start, end) : t("range.own")}
        </Button>
      </Popover.Target>
      <Popover.Dropdown
        aria-label={t("range.own")}
        onKeyDown={(event) => {
          if (event.key === "Escape") setIsOpen(false);
        }}
      >
        <OwnTime
          search={search}
          onChange={(time) => {
            setIsOpen(false);
            onChange({ ...NOTHING, ...time });
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}

/** Time range of the page: relative ranges, or days of a custom one. */
export function RangePicker({ search, onChange }: RangePickerProps) {
  const { t } = useTranslation("dashboard");
  const range = search.start === undefined ? (search.range ?? FIRST_RANGE) : undefined;
  const line = useRef<HTMLDivElement>(null);
  // On a phone the line scrolls: the chosen range is in sight.
  useEffect(() => {
    const chosen = range === undefined ? null : line.current?.querySelector<HTMLElement>("[aria-pressed=true]");
    if (line.current !== null && chosen) line.current.scrollLeft = chosen.offsetLeft - line.current.clientWidth / 2;
  }, [range]);
  return (
    <div ref={line} className={`${classes.choices} ${classes.ranges}`} role="group" aria-label={t("range.title")}>
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
      <OwnTimeButton search={search} onChange={onChange} />
    </div>
  );
}
