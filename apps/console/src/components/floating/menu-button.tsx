import { type ReactElement, type ReactNode, Suspense, useState } from "react";
import { lazyPart } from "../../lib/lazy-part.ts";
import { useIsIdle } from "../../lib/when-idle.ts";

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
  button(props: { onClick?(): void }): ReactElement;
}

const LoadedMenu = lazyPart(() => import("./loaded-menu.tsx"));

/** A button that opens a menu. The menu loads once the page stands; a press before that opens it when it is there. */
export function MenuButton(props: MenuButtonProps) {
  const isIdle = useIsIdle();
  const [isPressed, setPressed] = useState(false);
  const button = props.button({ onClick: () => setPressed(true) });
  if (!isIdle && !isPressed) return button;
  return (
    <Suspense fallback={button}>
      <LoadedMenu {...props} startsOpened={isPressed} />
    </Suspense>
  );
}
