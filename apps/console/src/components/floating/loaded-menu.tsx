import { Menu } from "@mantine/core";
import { type ReactElement, type Ref, useEffect, useRef } from "react";
import classes from "./loaded-menu.module.css";
import type { MenuEntry } from "./menu-entry.ts";

interface LoadedMenuProps {
  entries: readonly MenuEntry[];
  renderButton(props: { ref: Ref<HTMLButtonElement> }): ReactElement;
}

function Entry({ entry }: { entry: MenuEntry }) {
  const { label, icon, mark, isDisabled = false, tone, onSelect, isOn = false, onToggle } = entry;
  if (onToggle !== undefined) {
    return (
      <Menu.CheckboxItem checked={isOn} disabled={isDisabled} onChange={onToggle}>
        {label}
      </Menu.CheckboxItem>
    );
  }
  if (onSelect === undefined) return <Menu.Label>{label}</Menu.Label>;
  return (
    <Menu.Item
      leftSection={icon}
      rightSection={mark}
      disabled={isDisabled}
      {...(tone === "danger" ? { className: classes.danger } : {})}
      onClick={onSelect}
    >
      {label}
    </Menu.Item>
  );
}

/** A button with its menu, which opens at once. */
export default function LoadedMenu({ entries, renderButton }: LoadedMenuProps) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // The button that was pressed made room for this one: it takes the focus, which comes back to it when the menu closes, and the press.
    button.current?.focus();
    button.current?.click();
  }, []);
  return (
    <Menu>
      <Menu.Target>{renderButton({ ref: button })}</Menu.Target>
      <Menu.Dropdown>
        {entries.map((entry) => (
          <Entry key={entry.id} entry={entry} />
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
