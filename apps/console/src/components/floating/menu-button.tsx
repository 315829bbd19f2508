import { type ReactElement, type ReactNode, useState } from "react";
import { laterPart } from "../../lib/later-part.ts";

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

export interface MenuButtonProps {
  entries: readonly MenuEntry[];
  /** Renders the button. */
  renderButton(props: { onClick?(): void }): ReactElement;
}

const LoadedMenu = laterPart(() => import("./loaded-menu.tsx"));

/** A button that opens a menu. The menu loads once the page stands; a press before that opens it when it is there. */
export function MenuButton(props: MenuButtonProps) {
  const [presses, setPresses] = useState(0);
  return (
    <LoadedMenu
      timesWanted={presses}
      instead={props.renderButton({ onClick: () => setPresses(presses + 1) })}
      props={{ ...props, startsOpened: presses > 0 }}
    />
  );
}
