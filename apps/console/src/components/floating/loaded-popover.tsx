import { Popover } from "@mantine/core";
import type { ReactElement, ReactNode } from "react";

export interface PopoverContent {
  width: number;
  position: "bottom-start" | "bottom-end";
  label?: string;
  className?: string;
  /** True where it asks something: the focus goes into it and back. */
  isQuestion?: boolean;
  children(close: () => void): ReactNode;
}

interface PopoverProps extends PopoverContent {
  opened: boolean;
  onChange(opened: boolean): void;
  target: ReactElement;
}

export default function LoadedPopover({
  opened,
  onChange,
  target,
  width,
  position,
  label,
  className,
  isQuestion = false,
  children,
}: PopoverProps) {
  return (
    <Popover
      opened={opened}
      onChange={onChange}
      width={width}
      position={position}
      trapFocus={isQuestion}
      returnFocus={isQuestion}
      withRoles={false}
    >
      <Popover.Target>{target}</Popover.Target>
      <Popover.Dropdown
        {...(className === undefined ? {} : { className })}
        {...(label === undefined ? {} : { role: "dialog", "aria-label": label })}
      >
        {children(() => onChange(false))}
      </Popover.Dropdown>
    </Popover>
  );
}
