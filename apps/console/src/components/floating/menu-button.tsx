import { type ReactElement, type Ref, useState } from "react";
import { laterPart } from "../../lib/loading/later-part.ts";
import type { MenuEntry } from "./menu-entry.ts";

interface TargetProps {
  onClick?(): void;
  "aria-haspopup"?: "menu";
  "aria-expanded"?: boolean;
  ref?: Ref<HTMLButtonElement>;
}

interface MenuButtonProps {
  entries: readonly MenuEntry[];
  isOpened?: boolean;
  renderButton(props: TargetProps): ReactElement;
}

const LoadedMenu = laterPart(() => import("./loaded-menu.tsx"));

/** A button whose menu is created on the first press: a list has hundreds of them. */
export function MenuButton(props: MenuButtonProps) {
  const [presses, setPresses] = useState(props.isOpened === true ? 1 : 0);
  const button = props.renderButton({
    onClick: () => setPresses(presses + 1),
    "aria-haspopup": "menu",
    "aria-expanded": false,
  });
  if (presses === 0) return button;
  return <LoadedMenu timesWanted={presses} instead={button} props={props} />;
}
