import { Popover, UnstyledButton } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./channel-status.module.css";

/** A short remark beside a state; pressing it shows the rest. */
export function StatusNote({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Popover width={300} position="bottom-start" withRoles={false}>
      <Popover.Target>
        <UnstyledButton className={classes.note ?? ""}>{label}</UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown className={classes.details ?? ""}>{children}</Popover.Dropdown>
    </Popover>
  );
}
