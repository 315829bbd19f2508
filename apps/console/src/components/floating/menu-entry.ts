import type { ReactNode } from "react";

/** Something to choose from a menu, or with neither `onSelect` nor `onToggle` the name of those that follow. */
export interface MenuEntry {
  readonly id: string;
  readonly label: ReactNode;
  readonly icon?: ReactNode;
  readonly mark?: ReactNode;
  readonly isDisabled?: boolean;
  readonly tone?: "danger" | undefined;
  onSelect?(): void;
  /** With it the entry is switched on and off, and the menu stays. */
  readonly isOn?: boolean;
  onToggle?(): void;
}
