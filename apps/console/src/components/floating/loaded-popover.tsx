import { Popover } from "@mantine/core";
import type { PopoverProps } from "./popover-button.tsx";

/** A box beside its button. */
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
