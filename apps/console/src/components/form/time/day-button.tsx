import { ActionIcon, Popover } from "@mantine/core";
import { IconCalendar } from "@tabler/icons-react";
import { useState } from "react";
import { lazyPart } from "../../../lib/loading/later-part.ts";
import type { DayCalendarProps } from "./day-calendar.tsx";

const DayCalendar = lazyPart(() => import("./day-calendar.tsx"));

interface DayButtonProps extends DayCalendarProps {
  label: string;
  /** True within another popover, which a press on the calendar must not close. */
  isNested?: boolean;
}

export function DayButton({ label, isNested = false, onChoose, ...calendar }: DayButtonProps) {
  const [opened, setOpened] = useState(false);
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
        <ActionIcon aria-label={label} title={label} onClick={() => setOpened(!opened)}>
          <IconCalendar size={16} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={label}>
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
