import { ActionIcon, Popover } from "@mantine/core";
import { IconCalendar } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { lazyPart } from "../../lib/loading/later-part.ts";
import type { DayCalendarProps } from "./day-calendar.tsx";

const DayCalendar = lazyPart(() => import("./day-calendar.tsx"));

interface DayButtonProps extends DayCalendarProps {
  /** What the day is of, for who does not see the field. */
  label: string;
  /** True within another popover, which a press on the calendar must not close. */
  isNested?: boolean;
}

/** The button in a field for a day that opens a calendar. */
export function DayButton({ label, isNested = false, onChoose, ...calendar }: DayButtonProps) {
  const { t } = useTranslation();
  const [opened, setOpened] = useState(false);
  const text = t("chooseDay", { label });
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="bottom-end"
      withinPortal={!isNested}
      closeOnEscape
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <ActionIcon aria-label={text} title={text} onClick={() => setOpened(!opened)}>
          <IconCalendar size={16} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={text}>
        {/* Escape closes the calendar alone, not what it may stand in. */}
        <div role="presentation" onKeyDown={(event) => event.key === "Escape" && event.stopPropagation()}>
          <DayCalendar
            {...calendar}
            onChoose={(day) => {
              onChoose(day);
              setOpened(false);
            }}
          />
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}
